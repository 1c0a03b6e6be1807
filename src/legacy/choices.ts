// The table of choices: how old services differ. A row has a sentence for people, the default, and the other
// values. The check of LEGACY_DIALECT, its JSON Schema, docs/dialect.md and the search of a probe follow from
// a row; a reader or a writer implements each value. To rename a value breaks the files of operators.

const charsets = ['utf-8', 'iso-8859-1', 'windows-1252'] as const
/** Whether a text went through htmlspecialchars(), with or without ENT_QUOTES. */
const html = ['plain', 'escaped', 'escaped, but apostrophes'] as const
const letters = [
  'hexadecimal',
  'decimal',
  'plain',
  'decimal beyond Latin-1',
  'decimal beyond U+FFFF',
] as const
const section = [
  'Whether this field is in a CDATA section.',
  ...['never', 'always', 'unless empty', 'if needed'],
] as const
const orders = ['asked', 'id', 'id desc', 'name', 'name as number', 'as in JavaScript'] as const

/** Orders by a text. The case is part of the order: a probe searches each choice alone. */
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

const table = {
  // How a request is read.
  read: {
    names: ['How names of parameters are compared.', 'exact', 'any case'],
    events: ['How values of Event are compared.', 'exact', 'any case'],
    methods: ['How values of MethodOfAccessingUserInformation are compared.', 'exact', 'any case'],
    formats: ['How values of Format are compared.', 'exact', 'any case'],
    repeated: ['Which value counts if a parameter comes twice.', 'refuse', 'last', 'first'],
    noEvent: ['The lookup of a request without Event.', 'refuse', 'users', 'apps'],
    emptyEvent: ['The lookup of a request with an empty Event.', 'refuse', 'users', 'apps'],
    otherEvent: ['The lookup of a request with an unknown Event.', 'refuse', 'users', 'apps'],
    json: [
      'How Format=JSON is compared; "other" treats JSON as an unknown format.',
      'any case',
      'exact',
      'other',
    ],
    emptyFormat: ['The format of a request with an empty Format.', 'json', 'xml', 'refuse'],
    otherFormat: ['The format of a request with an unknown Format.', 'refuse', 'json', 'xml'],
    emptyMethod: [
      'What an empty method means; "unknown" finds nothing.',
      'id',
      'username',
      'unknown',
      'refuse',
    ],
    otherMethod: [
      'What an unknown method means; "unknown" finds nothing.',
      'refuse',
      'id',
      'username',
      'unknown',
    ],
    commas: ['Whether commas separate values, too.', false, true],
    trim: ['Whether blanks around values are removed.', false, true],
    emptyValues: [
      'Whether empty values are dropped or looked up; "drop at the end" is split() of Java, Perl and Ruby.',
      ...['drop', 'keep', 'drop at the end'],
    ],
    repeatedValues: [
      'Which of repeated values get entries; "once by entry" compares the names of entries.',
      ...['once', 'each', 'once by entry'],
    ],
    // Before ids and zero: a probe tries the choices in this order, and would explain a refused id 0 as an
    // empty list.
    malformed: ['What happens to a value that is no id.', 'refuse', 'unknown', 'drop'],
    ids: [
      'Which texts are ids: 007 is 7, nothing or malformed; 7.0 is 7 (numeric); 7abc is 7 (cast); +7 is 7 (signed).',
      ...['digits', 'exact', 'no leading zeros', 'from 1'],
      ...['signed', 'signed, with blanks', 'numeric', 'cast'],
    ],
    largestId: [
      'The largest id: a larger one is malformed. Numbers that are cast have no limit.',
      ...['9007199254740991', '2147483647', '4294967295', '9223372036854775807', 'none'],
    ],
    zero: ['Whether a list that is 0 counts as empty, as with empty() of PHP.', 'value', 'empty list'],
    usernames: [
      'How usernames are compared; "folded" ignores the case, "A to Z folded" that of ASCII letters.',
      ...['folded', 'exact', 'without blanks at the end', 'A to Z folded'],
    ],
    missing: ['Whether a value that matches nothing makes the whole response an error.', 'answer', 'refuse'],
    tooMany: ['What happens if a request has more values than LEGACY_MAX_VALUES.', 'refuse', 'cut'],
  },
  // How entries are named and ordered.
  entries: {
    ids: ['The names of entries that were looked up by id.', 'asked', 'read', 'username'],
    usernames: ['The names of entries that were looked up by username.', 'asked', 'stored', 'lower', 'id'],
    chats: ['The names of entries that were looked up by chat id.', 'asked', 'lower', 'id', 'username'],
    users: [
      'The order of users; "name as number" is that of PHP\'s ksort().',
      ...orders,
      ...ordersBy('username'),
      ...ordersBy('displayName'),
      ...['joinDate', 'joinDate desc', 'rank', 'rank desc'],
    ],
    apps: [
      'The order of apps.',
      ...orders,
      ...ordersBy('title'),
      ...['category', 'category desc', 'version'],
    ],
  },
  // How JSON is written.
  json: {
    entries: ['The order of members; "by name" compares bytes.', 'in order', 'by name', 'as in JavaScript'],
    lists: [
      'Whether entries with the names 0, 1, 2 … are an array, as PHP has it without JSON_FORCE_OBJECT.',
      ...['objects', 'names from 0'],
    ],
    indent: ['The indentation of a level; null writes one line.', null, '', ' ', '  ', '   ', '    ', '\t'],
    comma: ['The separator of members.', ',', ', '],
    colon: ['The separator of a name and its value.', ':', ': ', ' :', ' : '],
    end: ['The text after the JSON.', '', '\n', '\r\n'],
    letters: ['How characters beyond ASCII are written.', 'escaped', 'ESCAPED', 'plain'],
    slashes: ['How / is written.', 'escaped', 'plain'],
    tags: ['How < and > are written.', 'plain', 'ESCAPED', 'escaped'],
    ampersands: ['How & is written.', 'plain', 'escaped'],
    apostrophes: ["How ' is written.", 'plain', 'escaped'],
    quotes: ['How " is written: as \\" or as \\u0022.', 'plain', 'escaped'],
    equalsSigns: ['How = is written; Gson escapes it.', 'plain', 'escaped'],
    plusSigns: ['How + and ` are written; System.Text.Json escapes them.', 'plain', 'escaped'],
    delete: ['How DEL (U+007F) is written; Python escapes it.', 'plain', 'escaped'],
    lineSeparators: ['How U+2028 and U+2029 are written if other letters are plain.', 'escaped', 'plain'],
    ids: ['How Id is written.', 'number', 'text'],
    numbers: ['How other integers are written.', 'number', 'text'],
    confirmed: ['How IsConfirmed is written.', 'boolean', 'number', 'text', 'text or empty'],
    banned: ['How Banned is written.', 'boolean', 'number', 'text', 'text or empty'],
    emptyTexts: ['How empty texts are written.', 'text', 'null'],
    numericTexts: ['How texts are written that are numbers, as with JSON_NUMERIC_CHECK.', 'text', 'number'],
    html: ['Whether texts went through htmlspecialchars().', ...html],
    charset: ['The charset of the body.', ...charsets],
  },
  // How XML is written.
  xml: {
    afterDeclaration: ['The text between the declaration and the root.', '\n', '', '\r\n'],
    line: ['The line end between elements; null writes one line.', null, '\n', '\r\n'],
    indent: ['The indentation of a level.', '', ' ', '  ', '    ', '\t'],
    fieldLines: ['Whether each field has a line of its own.', true, false],
    end: ['The text after the root.', '\n', '', '\r\n'],
    emptyRoot: ['The form of a root without entries.', '<a/>', '<a></a>', '<a />', 'on two lines'],
    emptyFields: ['The form of an empty field.', '<a/>', '<a></a>', '<a />'],
    quotes: ['The quotation marks of attributes.', '"', "'"],
    lettersInTexts: ['How characters beyond ASCII are written in fields.', ...letters],
    lettersInValues: ['How characters beyond ASCII are written in the attribute Value.', ...letters],
    quotesInTexts: ['How " is written in fields.', 'plain', '&quot;', '&#34;'],
    quotesInValues: ['How " is written in the attribute Value.', '&quot;', '&#34;'],
    apostrophes: ["How ' is written.", 'plain', '&#039;', '&apos;', '&#39;'],
    markup: ['How &, < and > are written in fields.', 'escaped', 'plain'],
    controls: [
      'How tabs and line ends are written that parsers would change; Go writes all of them in hexadecimal.',
      ...['references', 'plain', 'hexadecimal'],
    ],
    html: ['Whether texts went through htmlspecialchars() before they were written.', ...html],
    confirmed: ['How IsConfirmed is written.', '0 or 1', 'false or true', 'empty or 1'],
    banned: ['How Banned is written.', 'empty or 1', '0 or 1', 'false or true'],
    charset: ['The charset of the body.', ...charsets],
  },
  // How recorded errors repeat the value of the request.
  errors: {
    valuesInJson: ['How recorded errors in JSON repeat the value.', 'as texts', 'escaped', 'plain'],
    valuesInXml: ['How recorded errors in XML repeat the value.', 'as texts', 'letters plain', 'plain'],
    charset: ['The charset of recorded responses.', ...charsets],
  },
  // Which fields are in CDATA sections of XML.
  cdata: {
    Username: section,
    DisplayName: section,
    Title: section,
    Version: section,
    ChangelogLink: section,
    DownloadLink: section,
  },
} as const

type ChoiceTable = typeof table
type ChoiceGroup = keyof ChoiceTable

/** One value of each choice. */
export type ChoiceValues = {
  readonly [G in ChoiceGroup]: {
    readonly [K in keyof ChoiceTable[G]]: ChoiceTable[G][K] extends readonly [string, ...infer V]
      ? V[number]
      : never
  }
}

interface DialectChoice {
  readonly path: readonly [group: string, name: string]
  readonly about: string
  /** The first value is the default. */
  readonly values: readonly unknown[]
}

export const choices: readonly DialectChoice[] = Object.entries(table).flatMap(([group, rows]) =>
  Object.entries(rows).map(
    ([name, [about, ...values]]): DialectChoice => ({ path: [group, name], about, values }),
  ),
)

/** The default of each choice of a group. */
export function defaultsOf<G extends ChoiceGroup>(group: G): ChoiceValues[G] {
  // Object.fromEntries forgets which keys there are.
  return Object.fromEntries(
    Object.entries(table[group]).map(([name, [, byDefault]]) => [name, byDefault]),
  ) as ChoiceValues[G]
}
