// The table of failures that clients see: the code, its HTTP status and its text. Clients see the codes
// and the texts in all formats.

import { shorten } from './text.ts'

/** Characters of a client's value that an error repeats. */
const MAX_QUOTED_LENGTH = 60

/** `{0}` is the first detail; a detail within quotation marks is a client's value, and cut. */
type FailureRow = readonly [status: number, text: string, retryAfter?: number]

const table = {
  MissingParameter: [400, 'The parameter {0} is missing or empty. {1}'],
  RepeatedParameter: [400, 'The parameter {0} is given more than once. Give it once.'],
  UnknownEvent: [400, 'There is no Event "{0}"{2}. Events: {1}.'],
  UnknownMethod: [400, '{0} cannot be "{1}". Allowed: {2}.'],
  UnknownFormat: [400, 'There is no Format "{0}". Allowed: {1}.'],
  MalformedIdentifier: [400, '"{0}" is not a numeric identifier ({1}){2}.'],
  TooManyValues: [400, 'More than {0} values in one request. Ask for them in several requests.'],
  TooManyFields: [400, 'The response would have more than {0} fields. Ask for fewer values or fields.'],
  ResponseTooLarge: [
    400,
    'The texts of the response would have more than {0} bytes. Ask for fewer values or fields.',
  ],
  /** Clients look for this very text. */
  PersistedQueryNotFound: [400, 'PersistedQueryNotFound'],
  PersistedQueryMismatch: [400, 'The sha256Hash is not the SHA-256 of the query that came with it.'],
  DocumentNotTrusted: [
    400,
    'Only the documents of the manifest are answered here, and this is none of them. Add it to the manifest first.',
  ],
  /** A malformed representation of an entity, which may be anything in the schema of federation. */
  BadUserInput: [
    400,
    '{0} Send only __typename (the name of a type that has a key) and id (a string or a number).',
  ],
  MalformedQuery: [
    400,
    'The query string is not valid: broken percent-encoding, invalid UTF-8, or a NUL character.',
  ],
  MalformedHost: [400, 'The Host header is missing, repeated, or not a valid host[:port].'],
  /** The old service's own text. */
  NothingFound: [404, '{0}'],
  NotFound: [404, 'There is no such path. Lookups are at {0}, GraphQL is at /graphql.'],
  MethodNotAllowed: [405, 'This method is not allowed here. Allowed: {0}.'],
  TooLargeBody: [413, 'The request body is too large: more than {0} bytes.'],
  TooManyChunks: [413, 'The request body comes in more than {0} chunks. Send it with a Content-Length.'],
  CompressedBody: [
    415,
    'The Content-Encoding header says that the request body is compressed. Send it uncompressed.',
  ],
  TooLongTarget: [414, 'The request target is longer than {0} bytes. Ask for fewer values at a time.'],
  /** The first detail begins with the seconds for Retry-After. */
  TooManyRequests: [429, 'More than {1} values a minute were asked for from your address. Try again in {0}.'],
  Internal: [500, 'Internal error. The server log has the reason, under the X-Request-Id of this response.'],
  CallerLeft: [499, 'The client closed the connection before the response was ready.'],
  Overloaded: [503, 'The service is overloaded. Try again in 1 second.', 1],
  Unavailable: [503, 'The database is unavailable. Try again in 2 seconds.', 2],
} as const satisfies Readonly<Record<string, FailureRow>>

export type FailureCode = keyof typeof table

const ourFaults: ReadonlySet<string> = new Set(
  Object.entries(table).flatMap(([code, [status]]) => (status >= 500 ? [code] : [])),
)

/** Whether the gateway caused a failure, and not the client. */
export function isOurFault(code: string): boolean {
  return ourFaults.has(code)
}

/** A failure whose text a client may see. Any other error is shown as `Internal`. */
export class LookupError extends Error {
  readonly code: FailureCode
  readonly status: number
  /** Seconds; undefined if a retry would not help. */
  readonly retryAfter: number | undefined
  /** The extensions of the error in GraphQL: the code in GraphQL's spelling, and `http`, which Yoga reads. */
  readonly extensions: {
    readonly code: string
    readonly http?: { readonly status: number; readonly headers: Readonly<Record<string, string>> }
  }

  constructor(code: FailureCode, details: readonly string[] = [], cause?: unknown) {
    const [status, text, retryAfter]: FailureRow = table[code]
    super(textWith(text, details), { cause })
    this.name = 'LookupError'
    this.code = code
    this.status = status
    this.retryAfter = code === 'TooManyRequests' ? Number.parseInt(details[0] ?? '', 10) : retryAfter
    const graphqlCode = code.replace(/(?<=[a-z])[A-Z]/g, '_$&').toUpperCase()
    this.extensions = { code: graphqlCode }
    if (this.retryAfter !== undefined) {
      const headers = { 'Retry-After': String(this.retryAfter) }
      this.extensions = { code: graphqlCode, http: { status, headers } }
    }
  }
}

function textWith(text: string, details: readonly string[]): string {
  return text.replace(/"\{(\d)\}"|\{(\d)\}/g, (_, quoted: string | undefined, plain: string) => {
    if (quoted === undefined) return details[Number(plain)] ?? ''
    return `"${shorten(details[Number(quoted)] ?? '', MAX_QUOTED_LENGTH)}"`
  })
}
