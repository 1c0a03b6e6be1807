import type { IncomingMessage } from 'node:http'
import type { Caller } from '../caller.ts'
import { LookupError } from '../errors.ts'
import type { Answer } from '../gateway/answer.ts'
import { refusal } from './respond.ts'

/** A request on its way to a route. */
export interface RequestContext extends Caller {
  readonly request: IncomingMessage
  /** The query string, without its `?`. */
  readonly query: string
  /** `null` if there is none, or the route does not read it. */
  readonly body: Buffer<ArrayBuffer> | null
}

/** What responds to the requests for an address. */
export interface Route {
  readonly handle: (context: RequestContext) => Answer | Promise<Answer>
  /** The response to a request that is refused. */
  readonly refuse: (error: LookupError, context: RequestContext) => Answer
  /** Reads the body of a request; `null` if the body is not wanted. Rejects with a LookupError. */
  readonly readBody?: (request: IncomingMessage) => Promise<Buffer<ArrayBuffer>> | null
  /** Its requests are not subject to overload control and RATE_LIMIT. */
  readonly isAlwaysAdmitted?: true
  /** Its requests are lookups, which ACCESS_LOG lists. */
  readonly isLegacy?: true
}

/** A route that takes GET and HEAD only. */
export function readingRoute(handle: (query: string, caller: Caller) => Answer | Promise<Answer>): Route {
  return {
    handle: (context) =>
      isReading(context.request) ? handle(context.query, context) : withAllow(refusal(notAllowed)),
    refuse: refusal,
  }
}

/**
 * HEALTH_PATH: readiness on the public port, for platforms that know one port only. It tells no details.
 * @param check rejects if lookups cannot be answered
 */
export function healthRoute(check: () => Promise<void> | void): Route {
  const handle = async () => {
    try {
      await check()
      return ready
    } catch {
      return unready
    }
  }
  return { ...readingRoute(handle), isAlwaysAdmitted: true }
}

const healthAnswer = (status: number, body: string): Answer => ({
  status,
  headers: ['Content-Type', 'text/plain; charset=utf-8', 'Cache-Control', 'no-store'],
  body,
  etag: null,
  about: { event: 'health', format: 'JSON', outcome: status === 200 ? 'ok' : 'Unavailable', values: 0 },
})
const ready = healthAnswer(200, 'ready\n')
const unready = healthAnswer(503, 'not ready\n')

export const notAllowed = new LookupError('MethodNotAllowed', ['GET, HEAD'])

export function isReading({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD'
}

export function withAllow(refused: Answer): Answer {
  return { ...refused, headers: [...refused.headers, 'Allow', 'GET, HEAD'] }
}
