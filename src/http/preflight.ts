// The preflight of a browser (OPTIONS): whether a page of another site may send a request. It may send any
// header, since there are no credentials that a header could abuse.

import type { IncomingMessage } from 'node:http'
import { type Answer, openHeaders } from '../gateway/answer.ts'

/** Characters of Access-Control-Request-Headers that are repeated. Some ten headers have 200. */
const MAX_HEADER_LIST_LENGTH = 1000

/** Names of headers (RFC 9110, 5.6.2: tokens), with commas between them. */
const headerList = /^[\w!#$%&'*+.^`|~-]+(?:[\t ]*,[\t ]*[\w!#$%&'*+.^`|~-]+)*$/

/**
 * What is allowed where the list cannot be repeated: all the same. Browsers do not count Authorization among
 * all.
 */
const ALL_HEADERS = '*, authorization'

/**
 * @param methods that are allowed, such as `GET, POST, OPTIONS`
 * @param event that its metrics name
 */
export function preflight(methods: string, event: string): (request: IncomingMessage) => Answer {
  const headers = [
    ...openHeaders,
    ...['Vary', 'Access-Control-Request-Headers', 'Access-Control-Allow-Methods', methods],
    ...['Access-Control-Max-Age', '86400', 'Access-Control-Allow-Headers'],
  ]
  const about = { event, format: 'JSON', outcome: 'ok', values: 0 } as const
  return (request) => {
    const asked = allowedHeaders(request.headers['access-control-request-headers'])
    return { status: 204, headers: [...headers, asked], body: '', etag: null, about }
  }
}

function allowedHeaders(asked: string | undefined): string {
  if (asked === undefined || asked.length > MAX_HEADER_LIST_LENGTH) return ALL_HEADERS
  return headerList.test(asked) ? asked : ALL_HEADERS
}
