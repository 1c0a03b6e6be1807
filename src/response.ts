// A response that is ready to be sent, which each interface returns to http/handler.ts.

import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Caller } from './caller.ts'
import type { RequestSubject } from './observe/events.ts'

export interface HttpResponse {
  readonly status: number
  /** Alternating names and values, as node:http takes them. */
  readonly headers: readonly string[]
  /**
   * In a string, each character is a byte (Latin-1): Node sends it together with the headers, at half the
   * cost. A Buffer is a page that stays in memory, so that sending it takes no further memory.
   */
  readonly body: string | Buffer
  /** A strong ETag, which allows a 304; `null` for none. */
  readonly etag: string | null
  readonly about: RequestSubject
  /** A response for old clients, some of which cannot decompress. */
  readonly isLegacy?: true
  /** The response of another server: its headers are sent unchanged, and the gateway adds none. */
  readonly passed?: { readonly reason: string }
}

/** Responds to a GraphQL request whose body has been read; `query` is the query string without its `?`. */
export type GraphqlResponder = (
  request: IncomingMessage,
  query: string,
  body: Buffer<ArrayBuffer>,
  caller: Caller,
) => Promise<HttpResponse>

/** Encodes a text as UTF-8, one character for each byte. */
export function toBytes(text: string): string {
  return Buffer.from(text).toString('latin1')
}

/** The strong ETag of a body. */
export function etagOf(body: string | Buffer): string {
  return `"${hash('sha1', body, 'base64url')}"`
}

/** Headers of responses that pages of any site may read, without credentials. */
export const openHeaders: readonly string[] = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'ETag, Retry-After, X-Request-Id',
  'X-Content-Type-Options',
  'nosniff',
]
