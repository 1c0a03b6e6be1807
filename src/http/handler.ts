// From a request to its response: id, route, guards, body, turn, handle, send, observe.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Answer } from '../answer.ts'
import { LookupError } from '../errors.ts'
import type { Observe, Subject } from '../observe/events.ts'
import type { AccessLog } from './access-log.ts'
import { discardBody, hasBody } from './body.ts'
import type { Compress } from './compression.ts'
import type { Exchange } from './exchange.ts'
import { hasHost } from './host.ts'
import type { Overload } from './overload.ts'
import type { RateLimit } from './rate-limit.ts'
import { bare, refusal, send } from './respond.ts'
import type { RequestContext, Route } from './routes.ts'
import { createStallClock } from './stall-clock.ts'
import { MAX_HEADER_BYTES, MAX_TARGET_BYTES, parseTarget } from './target.ts'

interface HandlerOptions {
  readonly routeAt: (pathname: string) => Route
  readonly overload: Overload
  /** Requests in flight at a time: a bound on memory. */
  readonly maxInFlight: number
  /** `null` if clients may ask for any number of values. */
  readonly rateLimit: RateLimit | null
  readonly compress: Compress
  readonly accessLog: AccessLog | null
  readonly observe: Observe
}

export interface Handler {
  readonly handle: (exchange: Exchange) => void
  readonly inFlight: () => number
  readonly close: () => void
}

/** Bytes that a response is expected to take for each character of a list of values. */
const RESPONSE_BYTES_PER_CHARACTER = 32
/**
 * A lookup of one value is a unit of work. So are this many characters of a target or a body, or response
 * fields.
 */
const UNIT = { target: 40, body: 100, fields: 40 }
/** So a short GraphQL operation, such as an introspection, does not wait among lookups of few values. */
const LEAST_GRAPHQL_UNITS = 5
/** Units above which a request does not wait once more. */
const LONG_UNITS = 25

// Made once: what it costs to refuse is missing for other requests.
const headersTooLong = new Error('the headers are too long')
const overloaded = new LookupError('Overloaded')
const targetTooLong = new LookupError('TooLongTarget', [String(MAX_TARGET_BYTES)])
const malformedHost = new LookupError('MalformedHost')
const callerLeft = new LookupError('CallerLeft')
const left: Subject = { event: 'none', format: 'JSON', outcome: callerLeft.code, values: 0 }

export function createHandler(options: HandlerOptions): Handler {
  const { routeAt, overload, maxInFlight, rateLimit, compress, accessLog, observe } = options
  const clock = createStallClock()
  let inFlight = 0

  /** A short request may ask for a long response, which waits once more. */
  function waitForTurn(fields: number): Promise<void> | undefined {
    const units = fields / UNIT.fields
    return units > LONG_UNITS ? overload.enter(units) : undefined
  }

  async function handle(exchange: Exchange): Promise<void> {
    const { request, response, signal } = exchange
    const started = clock.arrival()
    const requestId = requestIdOf(request)
    const { pathname, query } = parseTarget(request.url ?? '/')
    const route = routeAt(pathname)
    const log = route.isLegacy ? accessLog?.begin(request) : undefined
    const account =
      rateLimit === null || route.isAlwaysAdmitted || request.method === 'OPTIONS' ? null : rateLimit(request)
    const context: { -readonly [Key in keyof RequestContext]: RequestContext[Key] } = {
      request,
      query,
      requestId,
      signal,
      body: null,
      charge: account?.charge,
      waitForTurn,
    }
    let isInFlight = false
    let isReading = false
    let answer: Answer | null = null
    try {
      guard(exchange, route)
      if (account !== null) await account.check()
      const reading = route.readBody !== undefined && hasBody(request) ? route.readBody(request) : null
      if (reading === null) discardBody(request, response)
      else {
        isReading = true
        context.body = await reading
        isReading = false
      }
      if (!route.isAlwaysAdmitted) {
        if (inFlight >= maxInFlight) throw overloaded
        inFlight++
        isInFlight = true
        const least = route.isLegacy ? 1 : LEAST_GRAPHQL_UNITS
        const units =
          least + (request.url?.length ?? 0) / UNIT.target + (context.body?.length ?? 0) / UNIT.body
        if (units > LONG_UNITS) context.waitForTurn = undefined
        const turn = overload.enter(units)
        if (turn !== undefined) await turn
        if (signal.aborted) throw callerLeft
      }
      const made = route.handle(context)
      // A cached response does not wait for a microtask.
      answer = made instanceof Promise ? await made : made
      if (account?.isCharged() === false) await account.charge(answer.about.values)
      const coded = compress(request, answer)
      answer = coded instanceof Promise ? await coded : coded
      if (typeof answer.body === 'string' && !exchange.hasRoom(answer.body.length)) throw overloaded
    } catch (error) {
      answer = answerTo(error, route, context)
      // The gateway does not wait for the rest of the body.
      if (isReading || (!request.complete && hasBody(request))) response.shouldKeepAlive = false
      discardBody(request, response)
    }
    if (isInFlight) inFlight--
    if (answer === null || !deliver(exchange, answer, requestId)) response.destroy()

    const finish = () => {
      const duration = performance.now() - started
      const sent = response.writableFinished ? answer : null
      const status = sent === null ? callerLeft.status : response.statusCode
      log?.(sent, status, duration)
      observe({ type: 'request', requestId, about: sent?.about ?? left, status, duration })
    }
    if (response.closed) finish()
    else exchange.onEnd = finish
  }

  function answerTo(error: unknown, route: Route, context: RequestContext): Answer | null {
    // A client that breaks off in the middle of its request needs no response.
    if (error === callerLeft || context.request.errored !== null) return null
    if (error === headersTooLong) return bare(431)
    if (error instanceof LookupError) return route.refuse(error, context)
    observe({ type: 'unexpected', requestId: context.requestId, error })
    const internal = new LookupError('Internal')
    try {
      return route.refuse(internal, context)
    } catch {
      return refusal(internal)
    }
  }

  /** @returns whether the response could be sent */
  function deliver(exchange: Exchange, answer: Answer, requestId: string): boolean {
    const { request, response } = exchange
    // After a request to speak another protocol, Node reads no further ones.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false
    try {
      send(exchange, answer, requestId)
      return true
    } catch (error) {
      observe({ type: 'unexpected', requestId, error })
      return false
    }
  }

  return { handle: (exchange) => void handle(exchange), inFlight: () => inFlight, close: clock.close }
}

/** @throws what is wrong with a request, whatever it is for */
function guard(exchange: Exchange, route: Route): void {
  const { request, headerBytes } = exchange
  const { url = '' } = request
  if (headerBytes > MAX_HEADER_BYTES) throw headersTooLong
  if (!route.isAlwaysAdmitted && !exchange.hasRoom(RESPONSE_BYTES_PER_CHARACTER * url.length))
    throw overloaded
  if (url.length > MAX_TARGET_BYTES) throw targetTooLong
  if (!hasHost(request)) throw malformedHost
}

/** Printable ASCII without blanks: safe in a header, and long enough for any proxy's ids. */
const readable = /^[\x21-\x7e]{1,128}$/

/** The id of a request: the one that it brings along (`X-Request-Id`), or a new one. */
function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && readable.test(given) ? given : randomUUID()
}
