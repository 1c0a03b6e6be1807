// Sends responses, and makes those to requests that never reach an interface.

import { accepted } from '../accept.ts'
import { type Answer, openHeaders, toBytes } from '../answer.ts'
import type { LookupError } from '../errors.ts'
import type { Exchange } from './exchange.ts'

/** Characters of an If-None-Match header that are read. A tag of the gateway has 29. */
const MAX_IF_NONE_MATCH_LENGTH = 4096

/** Sends a response. A HEAD request gets the headers of GET and no body. */
export function send(exchange: Exchange, answer: Answer, requestId: string): void {
  const { request, response } = exchange
  const { status, body, etag, passed } = answer
  if (passed !== undefined) {
    // Another server has decided on caching, framing and all else.
    response.writeHead(status, passed.reason, [...answer.headers])
  } else {
    const headers = [...answer.headers, 'X-Request-Id', requestId]
    if (etag !== null) {
      headers.push('ETag', etag)
      // A precondition counts only if the response would be 200 (RFC 9110, 13.2.1): an old service may send
      // 404.
      if (status === 200 && matches(request.headers['if-none-match'], etag)) {
        response.writeHead(304, headers).end()
        return
      }
    }
    // A 204 has no Content-Length (RFC 9110, 8.6).
    if (status !== 204) headers.push('Content-Length', String(body.length))
    response.writeHead(status, headers)
  }
  if (request.method === 'HEAD') response.end()
  else exchange.end(body)
}

/**
 * The refusal of a GraphQL request that never reaches GraphQL, in the media type that its Accept header
 * names.
 */
export function graphqlRefusal(error: LookupError, accept: string | undefined): Answer {
  const { message, extensions } = error
  const { graphql } = accepted(accept)
  const type = graphql === 'application/graphql-response+json' ? graphql : 'application/json'
  return refused(error, 'graphql', type, { errors: [{ message, extensions: { code: extensions.code } }] })
}

/** A refusal outside both interfaces: always JSON, always with its own status. */
export function refusal(error: LookupError): Answer {
  const { code, message } = error
  return refused(error, 'none', 'application/json', { Error: { Code: code, Message: message } })
}

function refused(
  { code, status, retryAfter }: LookupError,
  event: string,
  type: string,
  body: object,
): Answer {
  const headers = [...uncached, 'Content-Type', `${type}; charset=utf-8`]
  if (retryAfter !== undefined) headers.push('Retry-After', String(retryAfter))
  const about = { event, format: 'JSON', outcome: code, values: 0 } as const
  return { status, headers, body: toBytes(JSON.stringify(body)), etag: null, about }
}

/** A response with a status and no body. */
export function bare(status: number): Answer {
  const about = { event: 'none', format: 'JSON', outcome: 'MalformedRequest', values: 0 } as const
  return { status, headers: uncached, body: '', etag: null, about }
}

const uncached = [...openHeaders, 'Cache-Control', 'no-store']

/** If-None-Match compares weakly (RFC 9110, 13.1.2): a proxy may have marked the tag as weak. */
export function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const known = ifNoneMatch
    .slice(0, MAX_IF_NONE_MATCH_LENGTH)
    .split(',')
    .map((tag) => tag.trim())
  return known.some((tag) => tag === '*' || tag === etag || tag === `W/${etag}`)
}
