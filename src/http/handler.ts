// The steps from a request to its response: id, route, checks, body, queue, handler of the route, sending,
// log and metrics. A change here changes every request of the public port, and its order decides which error
// a client gets.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { LookupError } from '../errors.ts'
import type { Observe, RequestSubject } from '../observe/events.ts'
import type { HttpResponse } from '../response.ts'
import type { AccessLog } from './access-log.ts'
import { discardBody, hasBody } from './body.ts'
import type { Compress } from './compression.ts'
import type { Exchange } from './exchange.ts'
import { hasHost } from './host.ts'
import type { Overload } from './overload.ts'
import type { RateLimit } from './rate-limit.ts'
import { bare, refusal, send } from './respond.ts'
import type { RequestContext, Route } from './routes.ts'
import { MAX_HEADER_BYTES, MAX_TARGET_BYTES, parseTarget } from './target.ts'

interface HttpHandlerOptions {
  readonly routeAt: (pathname: string) => Route
  readonly overload: Overload
  /** Requests in flight: a bound on memory while they wait for a database. */
  readonly maxInFlight: number
  /** `null` without RATE_LIMIT. */
  readonly rateLimit: RateLimit | null
  readonly compress: Compress
  readonly accessLog: AccessLog | null
  readonly observe: Observe
}

/** The context while the handler still fills it. */
type OwnContext = { -readonly [Key in keyof RequestContext]: RequestContext[Key] }

interface Handler {
  readonly handle: (exchange: Exchange) => void
  readonly inFlight: () => number
}

/** Bytes of a response that are expected for each character of a list of values. */
const RESPONSE_BYTES_PER_CHARACTER = 32
/** Characters, or fields of a response, that take as much work as a lookup of one value: one unit. */
const UNIT = { target: 40, body: 100, fields: 40 }
/** Keeps a short GraphQL operation, such as an introspection, out of the queue for few values. */
const LEAST_GRAPHQL_UNITS = 5
/** A response of more units waits in the queue, unless its request had as many and has waited already. */
const LONG_UNITS = 25

// Created once: the cost of a refusal is missing for other requests.
const headersTooLong = new Error('the headers are too long')
const overloaded = new LookupError('Overloaded')
const targetTooLong = new LookupError('TooLongTarget', [String(MAX_TARGET_BYTES)])
const malformedHost = new LookupError('MalformedHost')
const callerLeft = new LookupError('CallerLeft')
const left: RequestSubject = { event: 'none', format: 'JSON', outcome: callerLeft.code, values: 0 }

export function createHandler(options: HttpHandlerOptions): Handler {
  const { routeAt, overload, maxInFlight, rateLimit, compress, accessLog, observe } = options
  let inFlight = 0

  /** A long response to a short request waits in the queue, too. */
  function enterQueue(fields: number): Promise<void> | undefined {
    const units = fields / UNIT.fields
    return units > LONG_UNITS ? overload.enter(units) : undefined
  }

  async function handle(exchange: Exchange): Promise<void> {
    const { request, response, signal } = exchange
    const started = performance.now()
    const requestId = requestIdOf(request)
    const { pathname, query } = parseTarget(request.url ?? '/')
    const route = routeAt(pathname)
    const logResponse = route.isLegacy ? accessLog?.begin(request) : undefined
    const isFree = rateLimit === null || route.isHealthCheck || request.method === 'OPTIONS'
    const account = isFree ? null : rateLimit(request)
    const charge = account?.charge
    const context: OwnContext = { request, query, requestId, signal, body: null, enterQueue, charge }
    let isInFlight = false
    let isReading = false
    let result: HttpResponse | null
    try {
      check(exchange, route)
      if (account !== null) await account.check()
      const reading = route.readBody !== undefined && hasBody(request) ? route.readBody(request) : null
      if (reading === null) discardBody(request, response)
      else {
        isReading = true
        context.body = await reading
        isReading = false
      }
      if (!route.isHealthCheck) {
        if (inFlight >= maxInFlight) throw overloaded
        inFlight++
        isInFlight = true
        const units = unitsOf(route, context)
        if (units > LONG_UNITS) context.enterQueue = undefined
        const queued = overload.enter(units)
        if (queued !== undefined) await queued
        if (signal.aborted) throw callerLeft
      }
      // `await` on a value would cost a microtask: a cached response is no promise.
      const handled = route.handle(context)
      result = handled instanceof Promise ? await handled : handled
      if (account?.isCharged() === false) await account.charge(result.about.values)
      const encoded = compress(request, result)
      result = encoded instanceof Promise ? await encoded : encoded
      if (typeof result.body === 'string' && !exchange.hasRoom(result.body.length)) throw overloaded
    } catch (error) {
      result = refuse(error, route, context)
      // The rest of the body is not read, so the connection cannot carry another request.
      if (isReading || (!request.complete && hasBody(request))) response.shouldKeepAlive = false
      discardBody(request, response)
    }
    if (isInFlight) inFlight--
    if (result === null || !trySend(exchange, result, requestId)) response.destroy()

    const finish = () => {
      const duration = performance.now() - started
      const sent = response.writableFinished ? result : null
      const status = sent === null ? callerLeft.status : response.statusCode
      logResponse?.(sent, status, duration)
      observe({ type: 'request', requestId, about: sent?.about ?? left, status, duration })
    }
    if (response.closed) finish()
    else exchange.onEnd = finish
  }

  /** @returns `null` if the client has left in the middle of its request */
  function refuse(error: unknown, route: Route, context: RequestContext): HttpResponse | null {
    const { request, requestId } = context
    if (error === callerLeft || request.errored !== null) return null
    if (error === headersTooLong) return bare(431)
    if (error instanceof LookupError) return route.refuse(error, context)
    observe({ type: 'unexpected', requestId, error })
    const internal = new LookupError('Internal')
    try {
      return route.refuse(internal, context)
    } catch {
      return refusal(internal)
    }
  }

  /** @returns whether the response could be sent: a header may be invalid, for example */
  function trySend(exchange: Exchange, result: HttpResponse, requestId: string): boolean {
    const { request, response } = exchange
    // After a request for another protocol, Node reads no further requests.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false
    try {
      send(exchange, result, requestId)
      return true
    } catch (error) {
      observe({ type: 'unexpected', requestId, error })
      return false
    }
  }

  return { handle: (exchange) => void handle(exchange), inFlight: () => inFlight }
}

/** Estimates the work of a request before its values or its operation are read. */
function unitsOf({ isLegacy }: Route, { request, body }: RequestContext): number {
  const least = isLegacy ? 1 : LEAST_GRAPHQL_UNITS
  return least + (request.url?.length ?? 0) / UNIT.target + (body?.length ?? 0) / UNIT.body
}

/** The checks of all routes, in the order in which clients see the errors. */
function check(exchange: Exchange, route: Route): void {
  const { request, headerBytes } = exchange
  const { url = '' } = request
  if (headerBytes > MAX_HEADER_BYTES) throw headersTooLong
  if (!route.isHealthCheck && !exchange.hasRoom(RESPONSE_BYTES_PER_CHARACTER * url.length)) throw overloaded
  if (url.length > MAX_TARGET_BYTES) throw targetTooLong
  if (!hasHost(request)) throw malformedHost
}

/** Printable ASCII without blanks: safe in a header, and long enough for the ids of proxies. */
const validId = /^[\x21-\x7e]{1,128}$/

/** The client's `X-Request-Id`, or a new id. */
function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && validId.test(given) ? given : randomUUID()
}
