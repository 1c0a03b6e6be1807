import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Printable ASCII without blanks: safe in a header, and long enough for any proxy's ids. */
const readable = /^[\x21-\x7e]{1,128}$/

/** The id of a request: the one that it brings along (`X-Request-Id`), or a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && readable.test(given) ? given : randomUUID()
}
