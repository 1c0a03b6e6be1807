// Every failure a client can be told about: its code, HTTP status and text, in one table.

import { shorten } from './text.ts'

/** Characters of a client's value that an error repeats: 64 KiB of it would be no help. */
const MAX_QUOTED_LENGTH = 60
const quoted = (value = '') => shorten(value, MAX_QUOTED_LENGTH)

interface Failure {
  readonly status: number
  /** Seconds for `Retry-After`, from the details of the text. */
  readonly retryAfter?: (...details: string[]) => number
  readonly text: (...details: string[]) => string
}

const table = {
  MissingParameter: {
    status: 400,
    text: (name, hint) => `The parameter ${name} is missing or empty. ${hint}`,
  },
  RepeatedParameter: {
    status: 400,
    text: (name) => `The parameter ${name} is given more than once. Give it once.`,
  },
  UnknownEvent: {
    status: 400,
    text: (value, allowed, hint) => `There is no Event "${quoted(value)}"${hint}. Events: ${allowed}.`,
  },
  UnknownMethod: {
    status: 400,
    text: (name, value, allowed) => `${name} cannot be "${quoted(value)}". Allowed: ${allowed}.`,
  },
  UnknownFormat: {
    status: 400,
    text: (value, allowed) => `There is no Format "${quoted(value)}". Allowed: ${allowed}.`,
  },
  MalformedIdentifier: {
    status: 400,
    text: (value, form, hint) => `"${quoted(value)}" is not a numeric identifier (${form})${hint}.`,
  },
  TooManyValues: {
    status: 400,
    text: (limit) => `More than ${limit} values in one request. Ask for them in several requests.`,
  },
  TooManyFields: {
    status: 400,
    text: (limit) => `The response would have more than ${limit} fields. Ask for fewer values or fields.`,
  },
  ResponseTooLarge: {
    status: 400,
    text: (limit) =>
      `The texts of the response would have more than ${limit} bytes. Ask for fewer values or fields.`,
  },
  /** Clients look for this very text. */
  PersistedQueryNotFound: {
    status: 400,
    text: () => 'PersistedQueryNotFound',
  },
  PersistedQueryMismatch: {
    status: 400,
    text: () => 'The sha256Hash is not the SHA-256 of the query that came with it.',
  },
  DocumentNotTrusted: {
    status: 400,
    text: () =>
      'Only the documents of the manifest are answered here, and this is none of them. Add it to the manifest first.',
  },
  /** GraphQL's name for it: of an entity's representation, which its schema lets be anything. */
  BadUserInput: {
    status: 400,
    text: (problem) =>
      `${problem} Send only __typename (the name of a type that has a key) and id (a string or a number).`,
  },
  MalformedQuery: {
    status: 400,
    text: () => 'The query string is not valid: broken percent-encoding, invalid UTF-8, or a NUL character.',
  },
  MalformedHost: {
    status: 400,
    text: () => 'The Host header is missing, repeated, or not a valid host[:port].',
  },
  /** The old service's own text. */
  NothingFound: {
    status: 404,
    text: (text = '') => text,
  },
  NotFound: {
    status: 404,
    text: (paths) => `There is no such path. Lookups are at ${paths}, GraphQL is at /graphql.`,
  },
  MethodNotAllowed: {
    status: 405,
    text: (allowed) => `This method is not allowed here. Allowed: ${allowed}.`,
  },
  TooLargeBody: {
    status: 413,
    text: (limit) => `The request body is too large: more than ${limit} bytes.`,
  },
  TooManyChunks: {
    status: 413,
    text: (limit) => `The request body comes in more than ${limit} chunks. Send it with a Content-Length.`,
  },
  CompressedBody: {
    status: 415,
    text: () => 'The Content-Encoding header says that the request body is compressed. Send it uncompressed.',
  },
  TooLongTarget: {
    status: 414,
    text: (limit) => `The request target is longer than ${limit} bytes. Ask for fewer values at a time.`,
  },
  TooManyRequests: {
    status: 429,
    retryAfter: (seconds) => Number(seconds),
    text: (seconds, limit) =>
      `More than ${limit} values a minute were asked for from your address. Try again in ${seconds} ${seconds === '1' ? 'second' : 'seconds'}.`,
  },
  Internal: {
    status: 500,
    text: () => 'Internal error. The server log has the reason, under the X-Request-Id of this response.',
  },
  CallerLeft: {
    status: 499,
    text: () => 'The client closed the connection before the response was ready.',
  },
  Overloaded: {
    status: 503,
    retryAfter: () => 1,
    text: () => 'The service is overloaded. Try again in 1 second.',
  },
  Unavailable: {
    status: 503,
    retryAfter: () => 2,
    text: () => 'The database is unavailable. Try again in 2 seconds.',
  },
} satisfies Record<string, Failure>

export type FailureCode = keyof typeof table

const notOfLegacy: ReadonlySet<string> = new Set([
  'NothingFound',
  'NotFound',
  'TooLargeBody',
  'TooManyChunks',
  'CompressedBody',
  'TooManyFields',
  'PersistedQueryNotFound',
  'PersistedQueryMismatch',
  'DocumentNotTrusted',
  'BadUserInput',
  'CallerLeft',
])

/**
 * What the legacy interface may answer by default: all of the table but what can only happen at other
 * addresses, or where the old service had an error for what it did not find.
 */
export const legacyFailureCodes: readonly string[] = Object.keys(table).filter(
  (code) => !notOfLegacy.has(code),
)

/** Whether the client could not have avoided a failure, by its code. */
export function isOurFault(code: string): boolean {
  return ourFaults.has(code)
}

const ourFaults: ReadonlySet<string> = new Set(
  Object.entries<Failure>(table).flatMap(([code, { status }]) => (status >= 500 ? [code] : [])),
)

/** A failure whose text may reach the client. Anything else that is thrown is shown as `Internal`. */
export class LookupError extends Error {
  readonly code: FailureCode
  readonly status: number
  /** Seconds, or `undefined` where trying again would not help. */
  readonly retryAfter: number | undefined
  /**
   * What GraphQL shows beside the message: the code in GraphQL's spelling, and the HTTP status of an outage.
   */
  readonly extensions: { readonly code: string; readonly http?: GraphQLHttp }

  constructor(code: FailureCode, details: readonly string[] = [], cause?: unknown) {
    const failure: Failure = table[code]
    super(failure.text(...details), { cause })
    this.name = 'LookupError'
    this.code = code
    this.status = failure.status
    this.retryAfter = failure.retryAfter?.(...details)
    const graphqlCode = code.replace(/(?<=[a-z])[A-Z]/g, '_$&').toUpperCase()
    this.extensions =
      this.retryAfter === undefined
        ? { code: graphqlCode }
        : {
            code: graphqlCode,
            http: { status: failure.status, headers: { 'retry-after': String(this.retryAfter) } },
          }
  }
}

interface GraphQLHttp {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}
