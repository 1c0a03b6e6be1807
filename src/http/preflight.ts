// The preflight of a browser (OPTIONS): whether a page of another site may send a request. Any header is
// allowed, since there are no credentials that a header could abuse.

import type { IncomingMessage } from 'node:http'
import { type Answer, openHeaders } from '../answer.ts'

/** Characters of Access-Control-Request-Headers that are repeated. Some ten headers have 200. */
const MAX_HEADER_LIST_LENGTH = 1000

/** Names of headers (RFC 9110, 5.6.2: tokens), with commas between them. */
const headerList = /^[\w!#$%&'*+.^`|~-]+(?:[\t ]*,[\t ]*[\w!#$%&'*+.^`|~-]+)*$/

/** Allowed if the list cannot be repeated. Browsers do not count Authorization among `*`. */
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
    const { 'access-control-request-headers': names = '' } = request.headers
    const isRepeated = names.length <= MAX_HEADER_LIST_LENGTH && headerList.test(names)
    const allowed = isRepeated ? names : ALL_HEADERS
    return { status: 204, headers: [...headers, allowed], body: '', etag: null, about }
  }
}
