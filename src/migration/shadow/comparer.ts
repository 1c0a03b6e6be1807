// Compares live responses of one side with those of the other side, after the clients have got them.
//
// - shadow: the client got the response of the new side, and the old service gets the same request
// - mirror: the client got the response of the old side, and this process makes the response of the new side
//
// No client waits for a comparison, and the old service gets only a sample. Requests that cannot be compared
// soon are dropped and counted. The guard of a cutover decides by the results.

import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../../config/config.ts'
import type { OldServiceTarget } from '../../config/old-service.ts'
import { isOurFault } from '../../errors.ts'
import { isReading, type LegacyResponder, type RequestContext } from '../../http/routes.ts'
import { parseTarget } from '../../http/target.ts'
import type { Observe, ShadowResult } from '../../observe/events.ts'
import type { HttpResponse } from '../../response.ts'
import {
  createCall,
  isTemporaryFailure,
  NoResponse,
  type OldServiceResponse,
  readResponse,
} from '../../stores/old-service/call.ts'
import type { RawResponse } from '../../stores/old-service/exchange.ts'
import { compareResponses, compareWithBoth, LEARN_DELAY_MS } from '../compare/compare.ts'
import { allowanceFor, type Comparison } from '../compare/difference.ts'
import type { Side } from '../cutover/side.ts'
import { createQueue, WIDTH } from './queue.ts'
import { createReports, type DifferenceLabels } from './reports.ts'

/** Limits of a call to the old service; `most` is the bytes of a response that are read. */
const callLimits = { connections: WIDTH, timeout: 5_000, most: 256 * 1024 } as const
/** Bytes of each of the two bodies: requests wait while the event loop compares them. */
const MAX_COMPARED_BYTES = 64 * 1024
/** Characters of a target that some servers refuse for its length, with 400. */
const LONG_TARGET = 2_000
/** Statuses of responses without a body, or with a part of it. */
const incomplete: ReadonlySet<number> = new Set([204, 206, 304])

/** The result of a comparison, for the guard. */
export interface ShadowVerdict {
  readonly event: string
  readonly client: string
  readonly isBad: boolean
  /** The generation of the dial when the comparison began. */
  readonly generation: number
}

/** The functions by which the guard of a cutover watches comparisons. */
export interface GuardWatch {
  readonly clientOf: (request: RequestContext['request']) => string
  readonly generation: () => number
  readonly compared: (verdict: ShadowVerdict) => void
}

export type Comparer = ReturnType<typeof createComparer>

/** A request that waits to be compared. */
interface ComparisonJob {
  readonly answeredBy: Side
  readonly callOld: CallOld
  readonly context: RequestContext
  readonly event: string
  readonly client: string | null
  readonly generation: number
  /** Null if the old service gets the request first. */
  readonly old: RawResponse | null
  /** Null if the gateway makes its response first. */
  readonly fresh: HttpResponse | null
}

/** @param watch null without a cutover: then requests of which the new side fails are not compared */
export function createComparer(
  { shadow, cutover }: Config,
  legacy: Pick<LegacyResponder, 'handle'>,
  labels: DifferenceLabels,
  observe: Observe,
  watch: GuardWatch | null,
) {
  const { noise } = shadow
  const callShadow = shadow.url === null ? null : createCallOld({ ...shadow, url: shadow.url }, false)
  const callCutover = cutover.url === null ? null : createCallOld({ ...cutover, url: cutover.url }, true)
  /** By the side that answers the client: the old service to compare with, and the share of the requests. */
  const directions = {
    new:
      callShadow !== null && shadow.sample > 0
        ? { callOld: callShadow, sample: shadow.sample }
        : { callOld: callCutover, sample: cutover.guard === 'off' ? 0 : 1 },
    old: { callOld: callCutover, sample: cutover.mirror },
  }
  const closing = new AbortController()
  const { signal } = closing
  const reports = createReports(labels, observe)
  const queue = createQueue<ComparisonJob>(run)

  const count = (answeredBy: Side, result: ShadowResult) =>
    observe({ type: 'shadow-compared', answeredBy, result, count: 1 })

  function enqueue(
    answeredBy: Side,
    context: RequestContext,
    { about: { event }, body }: HttpResponse,
    responses: Pick<ComparisonJob, 'old' | 'fresh'>,
  ): void {
    const { callOld, sample } = directions[answeredBy]
    if (callOld === null || signal.aborted || Math.random() >= sample) return
    const isQueued =
      body.length <= MAX_COMPARED_BYTES &&
      queue.add({
        ...{ answeredBy, callOld, context, event, ...responses },
        client: watch?.clientOf(context.request) ?? null,
        generation: watch?.generation() ?? 0,
      })
    if (!isQueued) count(answeredBy, 'dropped')
  }

  async function run(job: ComparisonJob): Promise<void> {
    const { answeredBy, client, generation } = job
    const { query, requestId, enterQueue } = job.context
    try {
      await queue.pace(signal)
      const fresh = job.fresh ?? (await legacy.handle(query, { requestId, enterQueue, signal }))
      signal.throwIfAborted()
      const result = await compare(job, fresh)
      count(answeredBy, result)
      if (client === null || result === 'dropped') return
      const isBad = result === 'different' || result === 'gateway-failed'
      watch?.compared({ event: fresh.about.event, client, isBad, generation })
    } catch (error) {
      if (signal.aborted) return
      // Any other error is a fault of this process, not of the old service.
      count(answeredBy, error instanceof NoResponse ? 'failed' : 'dropped')
      if (!(error instanceof NoResponse)) observe({ type: 'unexpected', requestId, error })
      // Each request may be redirected to another address.
      else reports.noResponse(error.kind === 'redirected' ? error.kind : error.message, error.message)
    }
  }

  /** @throws NoResponse if the old service has no response to compare with */
  async function compare(job: ComparisonJob, fresh: HttpResponse): Promise<ShadowResult> {
    const { answeredBy, callOld, context } = job
    const { query, requestId, request } = context
    const { outcome } = fresh.about
    // Under load, the gateway refuses a comparison rather than a request of a client.
    if (job.fresh === null && outcome === 'Overloaded') return 'dropped'
    const old =
      job.old === null ? await callOld(context, signal) : await readResponse(job.old, callLimits.most)
    const compared = { answeredBy, query, requestId }
    if (isTooLong(old.status, request.url?.length ?? 0)) {
      reports.difference(compared, { field: 'answer', kind: 'refused' }, 'too long')
      return 'ignored'
    }
    if (isOurFault(outcome)) return 'gateway-failed'
    const comparison = await compareTexts(old, oldServiceResponseOf(fresh), job)
    if (comparison === null) return 'dropped'
    for (const one of comparison.differences) reports.difference(compared, one, one.excusedBy ?? null)
    return comparison.verdict
  }

  /**
   * With SHADOW_LEARN, the old service gets the request again before a difference counts.
   * @returns null if a response is too large
   */
  async function compareTexts(
    old: OldServiceResponse,
    fresh: OldServiceResponse,
    { callOld, context }: ComparisonJob,
  ): Promise<Comparison | null> {
    const isTooLarge = ({ body }: OldServiceResponse) => body.length > MAX_COMPARED_BYTES
    if (isTooLarge(old) || isTooLarge(fresh)) return null
    const allow = allowanceFor(noise, labels(context.query).event)
    const first = compareResponses(old, fresh, allow)
    if (!noise.learn || first.verdict !== 'different') return first
    await pause(LEARN_DELAY_MS, undefined, { signal })
    await queue.pace(signal)
    const again = await callOld(context, signal)
    return isTooLarge(again) ? null : compareWithBoth({ old, again, fresh }, allow)
  }

  return {
    /** @param old the response of the old service, if there is one already */
    shadow: (context: RequestContext, fresh: HttpResponse, old: RawResponse | null = null): void => {
      if (!isReading(context.request) || (isOurFault(fresh.about.outcome) && watch === null)) return
      enqueue('new', context, fresh, { fresh, old })
    },
    /** @param passed the response of the old service, as the client gets it */
    mirror: (context: RequestContext, passed: HttpResponse, old: RawResponse): void => {
      // The body of any other response is not that of the whole lookup.
      if (context.request.method !== 'GET' || incomplete.has(passed.status)) return
      enqueue('old', context, passed, { fresh: null, old })
    },
    /** Drops the requests that wait, and does not count them. */
    close: (): void => {
      queue.clear()
      closing.abort()
    },
  }
}

/** Sends the request of a client to the old service. @throws NoResponse */
type CallOld = (context: RequestContext, signal: AbortSignal) => Promise<OldServiceResponse>

/** @param hasRequestPath whether a service whose URL has no path gets that of the request, as from a proxy */
function createCallOld(service: OldServiceTarget, hasRequestPath: boolean): CallOld {
  const call = createCall(service, callLimits)
  const isPathSent = hasRequestPath && new URL(service.url).pathname === '/'
  return async ({ request, query }, signal) => {
    const path = isPathSent ? { path: parseTarget(request.url ?? '/').pathname } : {}
    const response = await call(query, { ...path, signal })
    if (isTemporaryFailure(response)) throw new NoResponse(`status ${response.status}`)
    return response
  }
}

function oldServiceResponseOf({ status, headers, body }: HttpResponse): OldServiceResponse {
  const contentType = headers[headers.indexOf('Content-Type') + 1] ?? ''
  return {
    status,
    headers: { 'content-type': contentType },
    body: typeof body === 'string' ? Buffer.from(body, 'latin1') : body,
  }
}

/** Whether the old service refuses a target for its length: the gateway accepts longer ones than most. */
function isTooLong(status: number, length: number): boolean {
  return status === 414 || status === 431 || (status === 400 && length > LONG_TARGET)
}
