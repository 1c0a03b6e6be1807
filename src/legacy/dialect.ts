// The dialect: how an old service behaves where the specification leaves it open. One table of choices is the
// type, the check of the file LEGACY_DIALECT, its JSON Schema, the documentation, and what a probe searches.

/** When a text field is in a CDATA section. */
const sections = ['never', 'always', 'unless empty', 'if needed'] as const

/** How XML writes characters beyond ASCII. */
const letters = [
  'hexadecimal',
  'decimal',
  'plain',
  'decimal beyond Latin-1',
  'decimal beyond U+FFFF',
] as const

/** Orders by a text. Each one is complete, because a search finds no choice that needs a second choice. */
function ordersBy<const Field extends string>(field: Field) {
  return [
    field,
    `${field} desc`,
    `${field}, no case`,
    `${field}, no case desc`,
    `${field}, no accents`,
    `${field}, no accents desc`,
  ] as const
}

/**
 * For each choice its possible values. The first value is the default: the contract of the service.
 * dialect-descriptions.ts says what each choice is for.
 */
export const choices = {
  /** How a request is read. */
  read: {
    names: ['exact', 'any case'],
    events: ['exact', 'any case'],
    methods: ['exact', 'any case'],
    formats: ['exact', 'any case'],
    repeated: ['refuse', 'last', 'first'],
    noEvent: ['refuse', 'users', 'apps'],
    emptyEvent: ['refuse', 'users', 'apps'],
    otherEvent: ['refuse', 'users', 'apps'],
    json: ['any case', 'exact', 'other'],
    emptyFormat: ['json', 'xml', 'refuse'],
    otherFormat: ['refuse', 'json', 'xml'],
    emptyMethod: ['id', 'username', 'unknown', 'refuse'],
    otherMethod: ['refuse', 'id', 'username', 'unknown'],
    commas: [false, true],
    trim: [false, true],
    emptyValues: ['drop', 'keep', 'drop at the end'],
    repeatedValues: ['once', 'each', 'once by entry'],
    // Before the next two: a search goes through the choices in their order, and an id 0 that is refused is no
    // empty list.
    malformed: ['refuse', 'unknown', 'drop'],
    ids: [
      ...(['digits', 'exact', 'no leading zeros', 'from 1'] as const),
      ...(['signed', 'signed, with blanks', 'numeric', 'cast'] as const),
    ],
    zero: ['value', 'empty list'],
    usernames: ['folded', 'exact', 'without blanks at the end', 'A to Z folded'],
    missing: ['answer', 'refuse'],
    tooMany: ['refuse', 'cut'],
  },
  /** How entries are named and ordered. */
  entries: {
    ids: ['asked', 'read', 'username'],
    usernames: ['asked', 'stored', 'lower', 'id'],
    chats: ['asked', 'lower', 'id', 'username'],
    users: [
      ...(['asked', 'id', 'id desc', 'name', 'name as number', 'as in JavaScript'] as const),
      ...ordersBy('username'),
      ...ordersBy('displayName'),
      ...(['joinDate', 'joinDate desc', 'rank', 'rank desc'] as const),
    ],
    apps: [
      ...(['asked', 'id', 'id desc', 'name', 'name as number', 'as in JavaScript'] as const),
      ...ordersBy('title'),
      ...(['category', 'category desc', 'version'] as const),
    ],
  },
  /** How JSON is written. */
  json: {
    entries: ['in order', 'by name', 'as in JavaScript'],
    lists: ['objects', 'names from 0'],
    indent: [null, '', ' ', '  ', '   ', '    ', '\t'],
    comma: [',', ', '],
    colon: [':', ': ', ' :', ' : '],
    end: ['', '\n', '\r\n'],
    letters: ['escaped', 'ESCAPED', 'plain'],
    slashes: ['escaped', 'plain'],
    tags: ['plain', 'ESCAPED', 'escaped'],
    ampersands: ['plain', 'escaped'],
    apostrophes: ['plain', 'escaped'],
    quotes: ['plain', 'escaped'],
    equalsSigns: ['plain', 'escaped'],
    plusSigns: ['plain', 'escaped'],
    delete: ['plain', 'escaped'],
    lineSeparators: ['escaped', 'plain'],
    ids: ['number', 'text'],
    numbers: ['number', 'text'],
    confirmed: ['boolean', 'number', 'text', 'text or empty'],
    banned: ['boolean', 'number', 'text', 'text or empty'],
    emptyTexts: ['text', 'null'],
    numericTexts: ['text', 'number'],
    html: ['plain', 'escaped', 'escaped, but apostrophes'],
    charset: ['utf-8', 'iso-8859-1', 'windows-1252'],
  },
  /** How XML is written. */
  xml: {
    afterDeclaration: ['\n', '', '\r\n'],
    line: [null, '\n', '\r\n'],
    indent: ['', ' ', '  ', '    ', '\t'],
    fieldLines: [true, false],
    end: ['\n', '', '\r\n'],
    emptyRoot: ['<a/>', '<a></a>', '<a />', 'on two lines'],
    emptyFields: ['<a/>', '<a></a>', '<a />'],
    quotes: ['"', "'"],
    lettersInTexts: letters,
    lettersInValues: letters,
    quotesInTexts: ['plain', '&quot;', '&#34;'],
    quotesInValues: ['&quot;', '&#34;'],
    apostrophes: ['plain', '&#039;', '&apos;', '&#39;'],
    markup: ['escaped', 'plain'],
    controls: ['references', 'plain', 'hexadecimal'],
    html: ['plain', 'escaped', 'escaped, but apostrophes'],
    confirmed: ['0 or 1', 'false or true', 'empty or 1'],
    banned: ['empty or 1', '0 or 1', 'false or true'],
    charset: ['utf-8', 'iso-8859-1', 'windows-1252'],
  },
  /** How recorded errors repeat the value of the request. */
  errors: {
    valuesInJson: ['as texts', 'escaped', 'plain'],
    valuesInXml: ['as texts', 'letters plain', 'plain'],
    charset: ['utf-8', 'iso-8859-1', 'windows-1252'],
  },
  /** Which fields are in CDATA sections of XML. */
  cdata: {
    Username: sections,
    DisplayName: sections,
    Title: sections,
    Version: sections,
    ChangelogLink: sections,
    DownloadLink: sections,
  },
} as const

export type Choices = typeof choices
export type ChoiceGroup = keyof Choices

/** The values that were chosen, one for each choice. */
export type Chosen = {
  readonly [G in ChoiceGroup]: {
    readonly [K in keyof Choices[G]]: Choices[G][K] extends readonly (infer V)[] ? V : never
  }
}

export type Subject = 'users' | 'apps'
export type Format = 'json' | 'xml'
export type BySubject<T> = Readonly<Record<Subject, Readonly<Record<Format, T>>>>

/** A response as a probe recorded it. `{value}` in the body is the value of the request. */
export interface RecordedReply {
  readonly status: number
  /** The Content-Type header. */
  readonly type: string
  readonly body: string
}

/** Kinds of refused requests. Each kind may have a recorded reply. */
export const errorKinds = [
  ...(['noEvent', 'emptyEvent', 'otherEvent', 'otherFormat', 'emptyMethod', 'otherMethod'] as const),
  ...(['noUsers', 'emptyUsers', 'blankUsers', 'noApps', 'emptyApps', 'blankApps'] as const),
  ...(['malformedUser', 'malformedApp', 'missingUser', 'missingApp', 'repeated', 'tooMany'] as const),
] as const
export type ErrorKind = (typeof errorKinds)[number]

export type ErrorReplies = Readonly<
  Partial<Record<ErrorKind, Readonly<Partial<Record<Format, RecordedReply>>>>>
>

export interface Dialect extends Omit<Chosen, 'json' | 'xml' | 'errors'> {
  /** The name of the service: `Acme` makes `<AcmeAPI>` and `AcmeDownloadLink`. */
  readonly serviceName: string
  /** The value of MethodOfAccessingUserInformation that means the chat platform. */
  readonly chatMethod: string
  /** Names of the fields in their order; `ServiceDownloadLink` stands for the name with `serviceName`. */
  readonly fields: BySubject<readonly string[]>
  /** The text of an entry that does not exist, with `{value}`; null leaves the entry out. */
  readonly missing: BySubject<string | null>
  /** The response if nothing was found; null writes it like any other response. */
  readonly nothing: BySubject<RecordedReply | null>
  readonly json: Chosen['json'] & {
    readonly type: string
    /** A text before the JSON, such as `)]}',`. */
    readonly before: string
    /** JSONP, such as `{callback}({json});`; null ignores the parameter `callback`. */
    readonly callback: string | null
  }
  readonly xml: Chosen['xml'] & {
    readonly type: string
    /** A text before the XML, such as a byte order mark. */
    readonly before: string
    readonly declaration: string
    /** The name of the root element and its attributes; null is `<serviceName>API`. */
    readonly root: string | null
  }
  readonly errors: Chosen['errors'] & {
    /** One status for all errors without a recorded reply; null is the status of each error. */
    readonly status: number | null
    readonly replies: ErrorReplies
    /** Any other error, with `{message}` and `{code}`; null is the contract's form. */
    readonly other: Readonly<Record<Format, RecordedReply | null>>
  }
}

const forBoth = <T>(json: T, xml = json) => ({ json, xml })

/** The first value of each choice of a group. */
function firstOf<G extends ChoiceGroup>(group: G): Chosen[G] {
  // Object.fromEntries forgets which keys there are.
  return Object.fromEntries(
    Object.entries(choices[group]).map(([name, [value]]) => [name, value]),
  ) as Chosen[G]
}

const userFields = ['Id', 'Username', 'DisplayName', 'Rank', 'JoinDate', 'IsConfirmed', 'Banned']
const appFields = ['Title', 'Version', 'Category', 'ChangelogLink', 'ServiceDownloadLink']

/** The contract: what the gateway does without a file. */
export const defaultDialect: Dialect = {
  serviceName: 'Service',
  chatMethod: 'chat',
  fields: { users: forBoth(userFields), apps: forBoth(appFields) },
  missing: { users: forBoth(null), apps: forBoth(null) },
  nothing: { users: forBoth(null), apps: forBoth(null) },
  read: firstOf('read'),
  entries: firstOf('entries'),
  json: { ...firstOf('json'), type: 'application/json; charset=utf-8', before: '', callback: null },
  xml: {
    ...firstOf('xml'),
    type: 'application/xml; charset=utf-8',
    before: '',
    declaration: '<?xml version="1.0"?>',
    root: null,
  },
  errors: { ...firstOf('errors'), status: null, replies: {}, other: forBoth(null) },
  cdata: firstOf('cdata'),
}

/** The root element with its attributes. */
export function rootOf({ serviceName, xml }: Dialect): string {
  return xml.root ?? `${serviceName}API`
}
