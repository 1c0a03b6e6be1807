// Sends responses, and makes the responses that belong to no interface: refusals and preflights. All of them
// are open to pages of other sites.

import type { IncomingMessage } from 'node:http'
import { accepted, refusalTypeFor } from '../accept.ts'
import type { LookupError } from '../errors.ts'
import { type HttpResponse, openHeaders, toBytes } from '../response.ts'
import type { Exchange } from './exchange.ts'

/** Characters of an If-None-Match header that are read. An ETag of the gateway has 29. */
const MAX_IF_NONE_MATCH_LENGTH = 4096

/** Sends a response. A HEAD request gets the headers of GET and no body. */
export function send(exchange: Exchange, result: HttpResponse, requestId: string): void {
  const { request, response } = exchange
  const { status, body, etag, passed } = result
  if (passed !== undefined) {
    // The old service has decided on caching and framing.
    response.writeHead(status, passed.reason, [...result.headers])
  } else {
    const headers = [...result.headers, 'X-Request-Id', requestId]
    if (etag !== null) {
      headers.push('ETag', etag)
      // A precondition counts only if the response would be 200 (RFC 9110, 13.2.1). A dialect may have 404.
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

/** If-None-Match compares weakly (RFC 9110, 13.1.2): a proxy may have marked the ETag as weak. */
export function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const tags = ifNoneMatch.slice(0, MAX_IF_NONE_MATCH_LENGTH).split(',')
  return tags.map((tag) => tag.trim()).some((tag) => tag === '*' || tag === etag || tag === `W/${etag}`)
}

const uncached = [...openHeaders, 'Cache-Control', 'no-store']

/** A GraphQL refusal before GraphQL runs, in the media type that the Accept header names. */
export function graphqlRefusal(error: LookupError, accept: string | undefined): HttpResponse {
  const { message, extensions } = error
  const type = refusalTypeFor(accepted(accept).graphql)
  return refused(error, 'graphql', type, { errors: [{ message, extensions: { code: extensions.code } }] })
}

/** A refusal outside both interfaces: always JSON, always with its own status. */
export function refusal(error: LookupError): HttpResponse {
  const { code, message } = error
  return refused(error, 'none', 'application/json', { Error: { Code: code, Message: message } })
}

function refused(
  { code, status, retryAfter }: LookupError,
  event: string,
  type: string,
  body: object,
): HttpResponse {
  const headers = [...uncached, 'Content-Type', `${type}; charset=utf-8`]
  if (retryAfter !== undefined) headers.push('Retry-After', String(retryAfter))
  const about = { event, format: 'JSON', outcome: code, values: 0 } as const
  return { status, headers, body: toBytes(JSON.stringify(body)), etag: null, about }
}

/** A refusal without a body. */
export function bare(status: number): HttpResponse {
  const about = { event: 'none', format: 'JSON', outcome: 'MalformedRequest', values: 0 } as const
  return { status, headers: uncached, body: '', etag: null, about }
}

/** Characters of Access-Control-Request-Headers that are repeated. Ten names have some 200. */
const MAX_HEADER_LIST_LENGTH = 1000
/** Names of headers (RFC 9110, 5.6.2: tokens), with commas between them. */
const headerList = /^[\w!#$%&'*+.^`|~-]+(?:[\t ]*,[\t ]*[\w!#$%&'*+.^`|~-]+)*$/
/** Allowed if the list cannot be repeated. Browsers do not count Authorization among `*`. */
const ALL_HEADERS = '*, authorization'

/**
 * Responds to a browser that asks whether a page of another site may send a request (OPTIONS). Every header
 * is allowed, since there are no credentials that a header could abuse.
 * @param methods that are allowed, such as `GET, POST, OPTIONS`
 * @param event for the metrics
 */
export function preflight(methods: string, event: string): (request: IncomingMessage) => HttpResponse {
  const headers = [
    ...openHeaders,
    ...['Vary', 'Access-Control-Request-Headers', 'Access-Control-Allow-Methods', methods],
    ...['Access-Control-Max-Age', '86400', 'Access-Control-Allow-Headers'],
  ]
  const about = { event, format: 'JSON', outcome: 'ok', values: 0 } as const
  return (request) => {
    const { 'access-control-request-headers': names = '' } = request.headers
    const isRepeated = names.length <= MAX_HEADER_LIST_LENGTH && headerList.test(names)
    const allowed = isRepeated ? names : ALL_HEADERS
    return { status: 204, headers: [...headers, allowed], body: '', etag: null, about }
  }
}
