import type { IncomingMessage, ServerResponse } from 'node:http'
import type { LookupError } from '../errors.ts'
import { accepted } from '../gateway/accept.ts'
import { type Answer, openHeaders, toBytes } from '../gateway/answer.ts'

/** Bytes of the headers of a response, more or less. */
const HEADER_BYTES = 500

/** Characters of an If-None-Match header that are read. A tag of ours has 29. */
const MAX_IF_NONE_MATCH_LENGTH = 4096

/** What a response takes until the client has it, in bytes. */
export interface Sent {
  readonly size: number
  /** Memory that is taken for this response alone: a page that is kept anyway takes none. */
  readonly held: number
}

/** Sends an answer. A HEAD request gets the headers of GET and no body. */
export function send(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  requestId: string,
): Sent {
  if (answer.passed !== undefined) return sendPassed(request, response, answer, answer.passed.reason)
  const { body } = answer
  const headers = [...answer.headers, 'X-Request-Id', requestId]
  if (answer.etag !== null) {
    headers.push('ETag', answer.etag)
    // A precondition counts only if the response would be 200 (RFC 9110, 13.2.1): an old service may say 404.
    if (answer.status === 200 && matches(request.headers['if-none-match'], answer.etag)) {
      response.writeHead(304, headers).end()
      return { size: HEADER_BYTES, held: HEADER_BYTES }
    }
  }
  // One without content has no length either (RFC 9110, 8.6).
  if (answer.status !== 204) headers.push('Content-Length', String(body.length))
  response.writeHead(answer.status, headers)
  if (request.method === 'HEAD') response.end()
  else response.end(body, 'latin1')
  const size = HEADER_BYTES + body.length
  return { size, held: typeof body === 'string' && request.method !== 'HEAD' ? size : HEADER_BYTES }
}

/** Sends what another server answered, which has decided on caching, framing and all else. */
function sendPassed(
  { method }: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: Answer,
  reason: string,
): Sent {
  response.writeHead(status, reason, [...headers])
  if (method === 'HEAD') response.end()
  else response.end(body, 'latin1')
  const size = headers.reduce((sum, text) => sum + text.length, HEADER_BYTES) + body.length
  return { size, held: size }
}

/**
 * A refusal of a GraphQL request that never reaches GraphQL, in the media type that its Accept header names.
 */
export function graphqlRefusal(
  { code, message, status, extensions, retryAfter }: LookupError,
  accept: string | undefined,
): Answer {
  const body = toBytes(JSON.stringify({ errors: [{ message, extensions: { code: extensions.code } }] }))
  const { graphql } = accepted(accept)
  const type = graphql === 'application/graphql-response+json' ? graphql : 'application/json'
  const contentType = `${type}; charset=utf-8`
  const headers = [...openHeaders, 'Content-Type', contentType, 'Cache-Control', 'no-store']
  if (retryAfter !== undefined) headers.push('Retry-After', String(retryAfter))
  const about = { event: 'graphql', format: 'JSON', outcome: code, values: 0 } as const
  return { status, headers, body, etag: null, about }
}

/** An answer of nothing but its status. */
export function bare(status: number): Answer {
  const about = { event: 'none', format: 'JSON', outcome: 'MalformedRequest', values: 0 } as const
  return { status, headers: [...openHeaders, 'Cache-Control', 'no-store'], body: '', etag: null, about }
}

/** A refusal outside both interfaces: always JSON, always with its own status. */
export function refusal({ code, message, status, retryAfter }: LookupError): Answer {
  const body = toBytes(JSON.stringify({ Error: { Code: code, Message: message } }))
  const type = 'application/json; charset=utf-8'
  const headers = [...openHeaders, 'Cache-Control', 'no-store', 'Content-Type', type]
  if (retryAfter !== undefined) headers.push('Retry-After', String(retryAfter))
  const about = { event: 'none', format: 'JSON', outcome: code, values: 0 } as const
  return { status, headers, body, etag: null, about }
}

/** Headers with one more name in Vary, whatever is there already. */
export function withVary(headers: readonly string[], name: string): readonly string[] {
  const at = headers.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === 'vary')
  return at === -1 ? [...headers, 'Vary', name] : headers.with(at + 1, `${headers[at + 1]}, ${name}`)
}

// If-None-Match compares weakly (RFC 9110, 13.1.2): a proxy may have marked the tag it was given as weak.
export function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const known = ifNoneMatch
    .slice(0, MAX_IF_NONE_MATCH_LENGTH)
    .split(',')
    .map((tag) => tag.trim())
  return known.some((tag) => tag === '*' || tag === etag || tag === `W/${etag}`)
}
