// The dialect: how an old service behaves where the specification leaves it open. Its default is the
// contract.

import { type ChoiceValues, defaultsOf } from './choices.ts'
import { eventOf } from './events.ts'

export type LookupSubject = 'users' | 'apps'
export type Format = 'json' | 'xml'
/** The values of the parameter Format. */
export const formatNames = { json: 'JSON', xml: 'XML' } as const
type BySubject<T> = Readonly<Record<LookupSubject, Readonly<Record<Format, T>>>>

/** A response as a probe recorded it. `{value}` in the body is the value of the request. */
export interface RecordedResponse {
  readonly status: number
  /** The Content-Type header. */
  readonly type: string
  readonly body: string
}

/** Kinds of refused requests. Each kind may have a recorded response. */
export const errorKinds = [
  ...['noEvent', 'emptyEvent', 'otherEvent', 'otherFormat', 'emptyMethod', 'otherMethod'],
  ...['noUsers', 'emptyUsers', 'blankUsers', 'noApps', 'emptyApps', 'blankApps'],
  ...['malformedUser', 'malformedApp', 'missingUser', 'missingApp', 'repeated', 'tooMany'],
] as const
export type ErrorKind = (typeof errorKinds)[number]

export type ErrorResponses = Readonly<
  Partial<Record<ErrorKind, Readonly<Partial<Record<Format, RecordedResponse>>>>>
>

export interface Dialect extends Omit<ChoiceValues, 'json' | 'xml' | 'errors'> {
  /** The name of the service: `Acme` makes `<AcmeAPI>` and `AcmeDownloadLink`. */
  readonly serviceName: string
  /** The value of MethodOfAccessingUserInformation that means the chat platform. */
  readonly chatMethod: string
  /** Names of the fields in their order; `ServiceDownloadLink` stands for the name with `serviceName`. */
  readonly fields: BySubject<readonly string[]>
  /** The text of an entry that does not exist, with `{value}`; null leaves the entry out. */
  readonly missing: BySubject<string | null>
  /** The response if nothing was found; null writes it like any other response. */
  readonly nothing: BySubject<RecordedResponse | null>
  readonly json: ChoiceValues['json'] & {
    readonly type: string
    /** A text before the JSON, such as `)]}',`. */
    readonly before: string
    /** JSONP, such as `{callback}({json});`; null ignores the parameter `callback`. */
    readonly callback: string | null
  }
  readonly xml: ChoiceValues['xml'] & {
    readonly type: string
    /** A text before the XML, such as a byte order mark. */
    readonly before: string
    readonly declaration: string
    /** The name of the root element and its attributes; null is `<serviceName>API`. */
    readonly root: string | null
  }
  readonly errors: ChoiceValues['errors'] & {
    /** One status for all errors without a recorded response; null is the status of each error. */
    readonly status: number | null
    readonly replies: ErrorResponses
    /** Any other error, with `{message}` and `{code}`; null is the contract's form. */
    readonly other: Readonly<Record<Format, RecordedResponse | null>>
  }
}

const forBoth = <T>(value: T) => ({ json: value, xml: value })

const fieldsOf = (subject: LookupSubject) => forBoth(eventOf[subject].fields.map(({ name }) => name))

/** The contract: what the gateway does without a file. */
export const defaultDialect: Dialect = {
  serviceName: 'Service',
  chatMethod: 'chat',
  fields: { users: fieldsOf('users'), apps: fieldsOf('apps') },
  missing: { users: forBoth(null), apps: forBoth(null) },
  nothing: { users: forBoth(null), apps: forBoth(null) },
  read: defaultsOf('read'),
  entries: defaultsOf('entries'),
  json: { ...defaultsOf('json'), type: 'application/json; charset=utf-8', before: '', callback: null },
  xml: {
    ...defaultsOf('xml'),
    type: 'application/xml; charset=utf-8',
    before: '',
    declaration: '<?xml version="1.0"?>',
    root: null,
  },
  errors: { ...defaultsOf('errors'), status: null, replies: {}, other: forBoth(null) },
  cdata: defaultsOf('cdata'),
}

/** The root element with its attributes. */
export function rootOf({ serviceName, xml }: Dialect): string {
  return xml.root ?? `${serviceName}API`
}
