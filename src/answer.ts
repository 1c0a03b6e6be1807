import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** What a room hands to HTTP: an answer that is ready to be sent. */
export interface Answer {
  readonly status: number
  /** Names and values in turn, as node:http writes them. */
  readonly headers: readonly string[]
  /** In a string, each character is a byte (Latin-1): it goes out together with the headers, at half the cost. */
  readonly body: string | Buffer
  /** A strong ETag: the answer becomes 304 for a client that has these very bytes already. `null` for none. */
  readonly etag: string | null
}

/** Answers a GraphQL request whose body has been read; `query` is the query string without its `?`. */
export type AnswerGraphql = (
  request: IncomingMessage,
  query: string,
  body: Buffer<ArrayBuffer>,
) => Promise<Answer>

/** The strong ETag of a body. */
export function etagOf(body: string | Buffer): string {
  return `"${hash('sha1', body, 'base64url')}"`
}
