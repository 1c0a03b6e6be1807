// The table of failures that clients see: the code, its HTTP status and its text. Clients see the codes
// and the texts in all formats.

import { shorten } from './text.ts'

/** Characters of a client's value that an error repeats. */
const MAX_QUOTED_LENGTH = 60
const quoted = (value = '') => shorten(value, MAX_QUOTED_LENGTH)

type Details = readonly string[]

/** @param retryAfter seconds for the header `Retry-After`; undefined if a retry would not help */
const failure = (
  status: number,
  text: (...details: Details) => string,
  retryAfter?: (...details: Details) => number,
) => ({ status, text, retryAfter })

const table = {
  MissingParameter: failure(400, (name, hint) => `The parameter ${name} is missing or empty. ${hint}`),
  RepeatedParameter: failure(400, (name) => `The parameter ${name} is given more than once. Give it once.`),
  UnknownEvent: failure(
    400,
    (value, allowed, hint) => `There is no Event "${quoted(value)}"${hint}. Events: ${allowed}.`,
  ),
  UnknownMethod: failure(
    400,
    (name, value, allowed) => `${name} cannot be "${quoted(value)}". Allowed: ${allowed}.`,
  ),
  UnknownFormat: failure(
    400,
    (value, allowed) => `There is no Format "${quoted(value)}". Allowed: ${allowed}.`,
  ),
  MalformedIdentifier: failure(
    400,
    (value, form, hint) => `"${quoted(value)}" is not a numeric identifier (${form})${hint}.`,
  ),
  TooManyValues: failure(
    400,
    (limit) => `More than ${limit} values in one request. Ask for them in several requests.`,
  ),
  TooManyFields: failure(
    400,
    (limit) => `The response would have more than ${limit} fields. Ask for fewer values or fields.`,
  ),
  ResponseTooLarge: failure(
    400,
    (limit) =>
      `The texts of the response would have more than ${limit} bytes. Ask for fewer values or fields.`,
  ),
  /** Clients look for this very text. */
  PersistedQueryNotFound: failure(400, () => 'PersistedQueryNotFound'),
  PersistedQueryMismatch: failure(
    400,
    () => 'The sha256Hash is not the SHA-256 of the query that came with it.',
  ),
  DocumentNotTrusted: failure(
    400,
    () =>
      'Only the documents of the manifest are answered here, and this is none of them. Add it to the manifest first.',
  ),
  /** A malformed representation of an entity, which may be anything in the schema of federation. */
  BadUserInput: failure(
    400,
    (problem) =>
      `${problem} Send only __typename (the name of a type that has a key) and id (a string or a number).`,
  ),
  MalformedQuery: failure(
    400,
    () => 'The query string is not valid: broken percent-encoding, invalid UTF-8, or a NUL character.',
  ),
  MalformedHost: failure(400, () => 'The Host header is missing, repeated, or not a valid host[:port].'),
  /** The old service's own text. */
  NothingFound: failure(404, (text = '') => text),
  NotFound: failure(
    404,
    (paths) => `There is no such path. Lookups are at ${paths}, GraphQL is at /graphql.`,
  ),
  MethodNotAllowed: failure(405, (allowed) => `This method is not allowed here. Allowed: ${allowed}.`),
  TooLargeBody: failure(413, (limit) => `The request body is too large: more than ${limit} bytes.`),
  TooManyChunks: failure(
    413,
    (limit) => `The request body comes in more than ${limit} chunks. Send it with a Content-Length.`,
  ),
  CompressedBody: failure(
    415,
    () => 'The Content-Encoding header says that the request body is compressed. Send it uncompressed.',
  ),
  TooLongTarget: failure(
    414,
    (limit) => `The request target is longer than ${limit} bytes. Ask for fewer values at a time.`,
  ),
  TooManyRequests: failure(
    429,
    (seconds, limit) =>
      `More than ${limit} values a minute were asked for from your address. Try again in ${seconds} ${seconds === '1' ? 'second' : 'seconds'}.`,
    (seconds) => Number(seconds),
  ),
  Internal: failure(
    500,
    () => 'Internal error. The server log has the reason, under the X-Request-Id of this response.',
  ),
  CallerLeft: failure(499, () => 'The client closed the connection before the response was ready.'),
  Overloaded: failure(
    503,
    () => 'The service is overloaded. Try again in 1 second.',
    () => 1,
  ),
  Unavailable: failure(
    503,
    () => 'The database is unavailable. Try again in 2 seconds.',
    () => 2,
  ),
}

export type FailureCode = keyof typeof table

const ourFaults: ReadonlySet<string> = new Set(
  Object.entries(table).flatMap(([code, { status }]) => (status >= 500 ? [code] : [])),
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

  constructor(code: FailureCode, details: Details = [], cause?: unknown) {
    const { status, text, retryAfter } = table[code]
    super(text(...details), { cause })
    this.name = 'LookupError'
    this.code = code
    this.status = status
    this.retryAfter = retryAfter?.(...details)
    const graphqlCode = code.replace(/(?<=[a-z])[A-Z]/g, '_$&').toUpperCase()
    this.extensions = { code: graphqlCode }
    if (this.retryAfter !== undefined) {
      const headers = { 'retry-after': String(this.retryAfter) }
      this.extensions = { code: graphqlCode, http: { status, headers } }
    }
  }
}
