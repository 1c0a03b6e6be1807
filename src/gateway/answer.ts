import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Caller } from '../caller.ts'
import type { Subject } from '../observe/events.ts'

/** What a room hands to HTTP: an answer that is ready to be sent. */
export interface Answer {
  readonly status: number
  /** Names and values in turn, as node:http writes them. */
  readonly headers: readonly string[]
  /**
   * In a string, each character is a byte (Latin-1): it goes out together with the headers, at half the cost.
   * A Buffer is a page that is kept anyway: while it is sent, it takes no further memory.
   */
  readonly body: string | Buffer
  /**
   * A strong ETag: the answer becomes 304 for a client that has these very bytes already. `null` for none.
   */
  readonly etag: string | null
  readonly about: Subject
  /** Whether old clients get it, of which some cannot undo a compression. */
  readonly isLegacy?: true
  /** Of an answer that another server made: its headers go out as they are, and none of ours beside them. */
  readonly passed?: { readonly reason: string }
}

/** Answers a GraphQL request whose body has been read; `query` is the query string without its `?`. */
export type AnswerGraphql = (
  request: IncomingMessage,
  query: string,
  body: Buffer<ArrayBuffer>,
  caller: Caller,
) => Promise<Answer>

/** A text as bytes of UTF-8, a character for each. */
export function toBytes(text: string): string {
  return Buffer.from(text).toString('latin1')
}

/** The strong ETag of a body. */
export function etagOf(body: string | Buffer): string {
  return `"${hash('sha1', body, 'base64url')}"`
}

/** Headers of responses that any site may read; none may send its user's credentials. */
export const openHeaders: readonly string[] = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'ETag, Retry-After, X-Request-Id',
  'X-Content-Type-Options',
  'nosniff',
]
