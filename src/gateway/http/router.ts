// Who answers what. Routing is by the exact pathname and happens before any library sees the request.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Caller } from '../../caller.ts'
import { LookupError } from '../../errors.ts'
import type { Observe, Subject } from '../../observation.ts'
import { createThrottledCounter } from '../../throttled-counter.ts'
import type { Answer, AnswerGraphql } from '../answer.ts'
import { prefersHtml } from './accept.ts'
import type { Backpressure, Ticket } from './backpressure.ts'
import { createBodyReader, discardBody, hasBody } from './body.ts'
import { hasHost } from './host.ts'
import type { Admission } from './overload.ts'
import type { RateLimit } from './rate-limit.ts'
import { requestIdOf } from './request-id.ts'
import { bare, graphqlRefusal, refusal, type Sent, send } from './respond.ts'
import { MAX_HEADER_BYTES, MAX_TARGET_BYTES, parseTarget, type Target } from './target.ts'

/** The rooms a request may be sent to. */
export interface Rooms {
  readonly legacy: {
    /** Whether a query string asks for a lookup, rather than coming from a person with a browser. */
    readonly isLookup: (query: string) => boolean
    readonly answer: (query: string, caller: Caller) => Answer | Promise<Answer>
    readonly refuse: (error: LookupError, query: string) => Answer
  }
  readonly graphql: AnswerGraphql
  /** The pages for browsers; `null` where switched off. */
  readonly graphiql: (() => Promise<Answer>) | null
  readonly explorer: (() => Answer) | null
  /** What there is to read at the other addresses, by their exact path. */
  readonly others: ReadonlyMap<string, (query: string, caller: Caller) => Promise<Answer>>
}

interface RouterOptions {
  readonly rooms: Rooms
  readonly admission: Admission
  /** `null` where clients may ask for any number of values. */
  readonly rateLimit: RateLimit | null
  readonly backpressure: Backpressure
  /** Bytes of a request body. */
  readonly maxBody: number
  readonly observe: Observe
}

const nothing = Buffer.alloc(0)

/** Made once: what it costs to refuse is what is missing for answers. */
const overloaded = new LookupError('Overloaded')

const notFound = new LookupError('NotFound')
const malformedHost = new LookupError('MalformedHost')
const notAllowed = new LookupError('MethodNotAllowed', ['GET, HEAD'])

const callerLeft = new LookupError('CallerLeft')
const left: Subject = { event: 'none', format: 'JSON', outcome: callerLeft.code, values: 0 }

export function createRouter({
  rooms,
  admission,
  rateLimit,
  backpressure,
  maxBody,
  observe,
}: RouterOptions): RequestListener {
  const { legacy, graphql, graphiql, explorer, others } = rooms
  const readBody = createBodyReader(maxBody)
  const refusals = createThrottledCounter((count) => observe({ type: 'requests-refused', count }))
  const failures = createThrottledCounter((count) => observe({ type: 'requests-failed', count }))

  function answerRoot(request: IncomingMessage, query: string, caller: Caller): Answer | Promise<Answer> {
    if (!isReading(request)) return withAllow(legacy.refuse(notAllowed, query))
    if (explorer !== null && prefersHtml(request.headers.accept) && !legacy.isLookup(query)) return explorer()
    return legacy.answer(query, caller)
  }

  function answerGraphql(request: IncomingMessage, query: string, caller: Caller): Answer | Promise<Answer> {
    const { accept } = request.headers
    if (graphiql !== null && isReading(request) && prefersHtml(accept)) return graphiql()
    if (hasBody(request)) return answerWithBody(request, query, caller)
    return graphql(request, query, nothing, caller)
  }

  async function answerWithBody(request: IncomingMessage, query: string, caller: Caller): Promise<Answer> {
    const { accept } = request.headers
    let body: Buffer<ArrayBuffer>
    try {
      body = await readBody(request)
    } catch (error) {
      if (!(error instanceof LookupError)) throw error
      // What is left of the body is not read any more.
      const refused = graphqlRefusal(error, accept)
      return { ...refused, headers: [...refused.headers, 'Connection', 'close'] }
    }
    const entered = performance.now()
    const admitted = enter(entered)
    try {
      return admitted ? await graphql(request, query, body, caller) : graphqlRefusal(overloaded, accept)
    } finally {
      admission.leave(admitted, performance.now() - entered)
    }
  }

  function enter(now: number): boolean {
    return !backpressure.isFull() && admission.enter(now)
  }

  function refuse(request: IncomingMessage, { pathname, query }: Target, error: LookupError): Answer {
    if (pathname === '/graphql') return graphqlRefusal(error, request.headers.accept)
    return others.has(pathname) ? refusal(error) : legacy.refuse(error, query)
  }

  function route(request: IncomingMessage, target: Target, caller: Caller): Answer | Promise<Answer> {
    const { pathname, query } = target
    if (pathname === '/') return answerRoot(request, query, caller)
    if (pathname === '/graphql') return answerGraphql(request, query, caller)
    const other = others.get(pathname)
    if (other === undefined) return refusal(notFound)
    return isReading(request) ? other(query, caller) : withAllow(refusal(notAllowed))
  }

  async function routeWithin(
    limit: RateLimit,
    request: IncomingMessage,
    target: Target,
    caller: Caller,
  ): Promise<Answer> {
    // The preflight of a browser: refused, it would hide the refusal of the request itself.
    if (request.method === 'OPTIONS') return route(request, target, caller)
    const { check, charge, isCharged } = limit(request)
    try {
      await check()
      const answer = await route(request, target, { ...caller, charge })
      // What was kept, or refused, has looked nothing up.
      if (!isCharged()) await charge(answer.about.values)
      return answer
    } catch (error) {
      if (error instanceof LookupError) return refuse(request, target, error)
      throw error
    }
  }

  /**
   * Whether it has a body to be read, which takes as long as its client likes: it is only work when it is
   * there.
   */
  function comesLater(request: IncomingMessage, { pathname }: Target): boolean {
    return pathname === '/graphql' && hasBody(request)
  }

  /** What is wrong with a request, whatever it asks for. */
  function refusalAtTheDoor(request: IncomingMessage, admitted: boolean): LookupError | null {
    if (!admitted) return overloaded
    if ((request.url ?? '').length > MAX_TARGET_BYTES)
      return new LookupError('TooLongTarget', [String(MAX_TARGET_BYTES)])
    return hasHost(request) ? null : malformedHost
  }

  function answer(
    request: IncomingMessage,
    target: Target,
    admitted: boolean,
    caller: Caller,
  ): Answer | Promise<Answer> {
    const refused = refusalAtTheDoor(request, admitted)
    if (refused !== null) return refuse(request, target, refused)
    return rateLimit === null
      ? route(request, target, caller)
      : routeWithin(rateLimit, request, target, caller)
  }

  /** Answers an error that nothing foresaw. @returns the answer; `null` where no client waits for one */
  function failed(error: unknown, request: IncomingMessage, requestId: string): Answer | null {
    // A client that breaks off in the middle of its request needs no answer.
    if (request.errored !== null) return null
    observe({ type: 'unexpected', requestId, error })
    return refusal(new LookupError('Internal'))
  }

  async function handle(request: IncomingMessage, response: ServerResponse, ticket: Ticket): Promise<void> {
    const started = performance.now()
    const target = parseTarget(request.url ?? '/')
    const counts = !comesLater(request, target)
    const admitted = counts ? enter(started) : !backpressure.isFull()
    const requestId = requestIdOf(request)
    let made: Answer | null
    try {
      const making =
        ticket.headerBytes > MAX_HEADER_BYTES
          ? bare(431)
          : answer(request, target, admitted, { requestId, socket: request.socket })
      // What is there at once is sent at once: a cached answer waits for no turn.
      made = making instanceof Promise ? await making : making
    } catch (error) {
      made = failed(error, request, requestId)
    }
    const sent = made === null ? null : deliver(request, response, made, requestId)
    if (sent === null) {
      response.destroy()
      backpressure.dropped(ticket)
    } else backpressure.sent(ticket, response, sent)
    const duration = performance.now() - started
    if (counts) admission.leave(admitted, duration)
    const about = made?.about ?? left
    if (about.outcome === 'Overloaded') refusals.count()
    else if (about.outcome === 'Unavailable') failures.count()
    const status = made === null ? callerLeft.status : response.statusCode
    observe({ type: 'request', requestId, about, status, duration })
  }

  /** Sends an answer; `null` where that fails. */
  function deliver(
    request: IncomingMessage,
    response: ServerResponse,
    made: Answer,
    requestId: string,
  ): Sent | null {
    // What is left of a request that was refused for want of memory is not waited for; after a request to
    // speak another protocol, Node reads no further ones.
    const isLast = made.status === 431 || made.about.outcome === 'Overloaded'
    if (request.headers.upgrade !== undefined || (isLast && !request.complete && hasBody(request)))
      response.shouldKeepAlive = false
    try {
      const sent = send(request, response, made, requestId)
      discardBody(request, response)
      return sent
    } catch (error) {
      observe({ type: 'unexpected', requestId, error })
      return null
    }
  }

  return (request, response) => {
    backpressure.run(request, response, (ticket) => void handle(request, response, ticket))
  }
}

function isReading({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD'
}

function withAllow(refused: Answer): Answer {
  return { ...refused, headers: [...refused.headers, 'Allow', 'GET, HEAD'] }
}
