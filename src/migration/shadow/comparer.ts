// Compares live responses of one side with those of the other side, after the clients have got them.
//
// - shadow: the new side has answered, and the old service gets the request as well
// - mirror: the old side has answered, and the new side makes its response in this process
//
// No client waits for a comparison. Requests that cannot be compared soon are dropped and counted.

import { setImmediate as afterResponse, setTimeout as pause } from 'node:timers/promises'
import type { Noise } from '../../config/noise.ts'
import type { Service } from '../../config/old-service.ts'
import { MAX_SHADOW_RATE } from '../../config/settings.ts'
import { isOurFault } from '../../errors.ts'
import { isReading, type Legacy, type RequestContext } from '../../http/routes.ts'
import { parseTarget } from '../../http/target.ts'
import type { Observe, ShadowResult } from '../../observe/events.ts'
import type { HttpResponse } from '../../response.ts'
import {
  createCall,
  isTemporaryFailure,
  NoReply,
  type Reply,
  readReply,
} from '../../stores/old-service/call.ts'
import type { RawReply } from '../../stores/old-service/exchange.ts'
import { compareReplies, compareWithBoth, LEARN_DELAY_MS } from '../compare/compare.ts'
import { allowanceFor, type Comparison } from '../compare/difference.ts'
import { createPace } from '../pace.ts'
import { createLabels, createNews, type EventNames } from './labels.ts'

/**
 * Limits of each process: comparisons at a time, milliseconds for a call, and bytes of a response that is
 * read.
 */
const callLimits = { connections: 2, timeout: 5_000, most: 256 * 1024 } as const
/** Requests of each event that wait: a frequent event must not crowd out a rare one. */
const MAX_WAITING = 50
/** Bytes of each of the two bodies: requests wait while the event loop compares them. */
const MAX_COMPARED_BYTES = 64 * 1024
/** Characters of a target that some servers refuse for its length, with 400. */
const LONG_TARGET = 2_000

type Side = 'old' | 'new'

/** How responses of one side are compared. */
export interface Direction {
  /** Share of the requests. */
  readonly sample: number
  /** The old service. */
  readonly service: Service
  /** Whether the path of a request is kept if the URL of the service has none, as a proxy does. */
  readonly keepsPath: boolean
}

/** A comparison that says something about the new side. */
export interface Verdict {
  readonly event: string
  readonly client: string
  readonly isBad: boolean
}

interface ComparerOptions {
  /** Null if no responses of that side are compared. */
  readonly shadow: Direction | null
  readonly mirror: Direction | null
  readonly noise: Noise
  /** Whether requests count that only the old service can answer. */
  readonly comparesFailures: boolean
  readonly clientOf: (request: RequestContext['request']) => string
  readonly legacy: Pick<Legacy, 'answer'>
  /** Names that may be in the log. All other names may be personal data. */
  readonly events: readonly EventNames[]
  readonly onCompared: (compared: Verdict) => void
  readonly observe: Observe
}

export interface Comparer {
  /** @param old the response of the old service, if there is one already */
  readonly shadow: (context: RequestContext, fresh: HttpResponse, old?: RawReply) => void
  /** @param passed the response of the old service, as the client gets it */
  readonly mirror: (context: RequestContext, passed: HttpResponse, old: RawReply) => void
  /** Requests that still wait are not counted. */
  readonly close: () => void
}

/** A request that waits to be compared. */
interface Job {
  readonly answeredBy: Side
  readonly ask: Ask
  readonly query: string
  readonly path: string
  readonly caller: Pick<RequestContext, 'requestId' | 'waitForTurn'>
  readonly client: string
  readonly old: RawReply | null
  readonly fresh: HttpResponse | null
}

export function createComparer(options: ComparerOptions): Comparer {
  const { noise, comparesFailures, clientOf, legacy, events, onCompared, observe } = options
  const directions = {
    new: options.shadow && { ...options.shadow, ask: askerOf(options.shadow) },
    old: options.mirror && { ...options.mirror, ask: askerOf(options.mirror) },
  }
  const closing = new AbortController()
  const { signal } = closing
  const pace = createPace(MAX_SHADOW_RATE)
  const isNews = createNews()
  const labels = createLabels(events)
  /** By event; the first event is the next one. */
  const waiting = new Map<string, Job[]>()
  let busy = 0

  const count = (answeredBy: Side, result: ShadowResult) =>
    observe({ type: 'shadow-compared', answeredBy, result, count: 1 })

  function take(
    answeredBy: Side,
    { request, query, requestId, waitForTurn }: RequestContext,
    { about: { event }, body }: HttpResponse,
    known: Pick<Job, 'old' | 'fresh'>,
  ): void {
    const direction = directions[answeredBy]
    if (direction === null || signal.aborted || Math.random() >= direction.sample) return
    const queue = waiting.get(event) ?? []
    if (body.length > MAX_COMPARED_BYTES || queue.length >= MAX_WAITING) {
      count(answeredBy, 'dropped')
      return
    }
    const { pathname: path } = parseTarget(request.url ?? '/')
    const caller = { requestId, waitForTurn }
    const { ask } = direction
    queue.push({ answeredBy, ask, query, path, caller, client: clientOf(request), ...known })
    waiting.set(event, queue)
    if (busy === callLimits.connections) return
    busy++
    void work()
  }

  async function work(): Promise<void> {
    await afterResponse()
    for (let next = takeNext(); next !== undefined; next = takeNext()) await handle(next)
    busy--
  }

  /** Each event in turn. */
  function takeNext(): Job | undefined {
    for (const [event, queue] of waiting) {
      const next = queue.shift()
      waiting.delete(event)
      if (queue.length > 0) waiting.set(event, queue)
      return next
    }
    return undefined
  }

  async function handle(one: Job): Promise<void> {
    const { answeredBy, client, caller } = one
    try {
      await pace(signal)
      const fresh = one.fresh ?? (await legacy.answer(one.query, { ...caller, signal }))
      signal.throwIfAborted()
      const result = await compare(one, fresh)
      count(answeredBy, result)
      const isBad = result === 'different' || result === 'gateway-failed'
      if (result !== 'dropped') onCompared({ event: fresh.about.event, client, isBad })
    } catch (error) {
      if (signal.aborted) return
      // An error in this process says nothing about the old service.
      count(answeredBy, error instanceof NoReply ? 'failed' : 'dropped')
      if (!(error instanceof NoReply)) observe({ type: 'unexpected', requestId: caller.requestId, error })
      else if (isNews(causeOf(error))) observe({ type: 'shadow-unanswered', reason: error.message })
    }
  }

  /** @throws NoReply if the old service has no response to compare with */
  async function compare(one: Job, fresh: HttpResponse): Promise<ShadowResult> {
    const { query, path } = one
    const { outcome } = fresh.about
    // Under load, the gateway refuses a comparison rather than a request of a client.
    if (one.fresh === null && outcome === 'Overloaded') return 'dropped'
    const old = one.old === null ? await one.ask(one, signal) : await readReply(one.old, callLimits.most)
    if (isTooLong(old.status, path.length + query.length)) {
      report('shadow-ignored', one, { field: 'answer', kind: 'refused', reason: 'too long' })
      return 'ignored'
    }
    if (isOurFault(outcome)) return 'gateway-failed'
    const comparison = await compareTexts(one, old, asReply(fresh))
    if (comparison === null) return 'dropped'
    for (const { field, kind, excusedBy } of comparison.differences)
      if (excusedBy === undefined) report('shadow-differs', one, { field, kind })
      else report('shadow-ignored', one, { field, kind, reason: excusedBy })
    return comparison.verdict
  }

  /**
   * With SHADOW_LEARN, the old service gets the request again before a difference counts.
   * @returns null if a response is too large
   */
  async function compareTexts(one: Job, old: Reply, fresh: Reply): Promise<Comparison | null> {
    const isTooLarge = ({ body }: Reply) => body.length > MAX_COMPARED_BYTES
    if (isTooLarge(old) || isTooLarge(fresh)) return null
    const allow = allowanceFor(noise, labels(one.query).event)
    const first = compareReplies(old, fresh, allow)
    if (!noise.learn || first.verdict !== 'different') return first
    await pause(LEARN_DELAY_MS, undefined, { signal })
    await pace(signal)
    const again = await one.ask(one, signal)
    return isTooLarge(again) ? null : compareWithBoth({ old, again, fresh }, allow)
  }

  /** Counts each difference, and logs each cause once a minute. */
  function report(
    type: 'shadow-differs' | 'shadow-ignored',
    { answeredBy, query, caller: { requestId } }: Job,
    { field, kind, reason = '' }: { readonly field: string; readonly kind: string; readonly reason?: string },
  ): void {
    const { method, ...cause } = { ...labels(query, field), kind, answeredBy }
    if (type === 'shadow-differs') observe({ type: 'shadow-difference', ...cause })
    if (!isNews(Object.values({ ...cause, method, reason }).join(' '))) return
    if (type === 'shadow-differs') observe({ type, requestId, method, ...cause })
    else observe({ type, requestId, method, ...cause, reason })
  }

  return {
    shadow: (context, fresh, old) => {
      if (!isReading(context.request) || (isOurFault(fresh.about.outcome) && !comparesFailures)) return
      take('new', context, fresh, { fresh, old: old ?? null })
    },
    mirror: (context, passed, old) => {
      // The body of any other response is not that of the whole lookup.
      if (context.request.method !== 'GET' || incomplete.has(passed.status)) return
      take('old', context, passed, { fresh: null, old })
    },
    close: () => {
      waiting.clear()
      closing.abort()
    },
  }
}

/** Statuses of responses without a body, or with a part of it. */
const incomplete: ReadonlySet<number> = new Set([204, 206, 304])

/** Sends a request to the old service. @throws NoReply */
type Ask = (request: Pick<Job, 'query' | 'path'>, signal: AbortSignal) => Promise<Reply>

function askerOf({ service, keepsPath }: Direction): Ask {
  const call = createCall(service, callLimits)
  const isPathKept = keepsPath && new URL(service.url).pathname === '/'
  return async ({ query, path }, signal) => {
    const reply = await call(query, isPathKept ? { path, signal } : { signal })
    if (isTemporaryFailure(reply)) throw new NoReply(`status ${reply.status}`)
    return reply
  }
}

function asReply({ status, headers, body }: HttpResponse): Reply {
  const contentType = headers[headers.indexOf('Content-Type') + 1] ?? ''
  return {
    status,
    headers: { 'content-type': contentType },
    body: typeof body === 'string' ? Buffer.from(body, 'latin1') : body,
  }
}

/**
 * Whether the old service refuses a target for its length. The gateway accepts longer ones than most servers.
 */
function isTooLong(status: number, length: number): boolean {
  return status === 414 || status === 431 || (status === 400 && length > LONG_TARGET)
}

/** Every request may be redirected to an address of its own. */
function causeOf(error: NoReply): string {
  return error.kind === 'redirected' ? error.kind : error.message
}
