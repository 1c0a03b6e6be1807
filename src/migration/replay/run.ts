// Sends each distinct request to both services, and compares the responses.

import { systemClock } from '../../clock.ts'
import { compareResponses, compareWithBoth, LEARN_DELAY_MS } from '../compare/compare.ts'
import type { Comparison } from '../compare/difference.ts'
import { headerNames } from '../compare/headers.ts'
import { type Pace, wait } from '../pace.ts'
import type { Ledger } from './ledger.ts'
import type { CountedRequest, ResponsePair } from './results.ts'
import { allowanceOf, type ReplayRules } from './rules.ts'
import { anyLookup, ReplayFailure, type ReplayServices, sendTo, sendToBoth } from './services.ts'

interface ReplayOptions extends ReplayServices {
  readonly rules: ReplayRules
  readonly pace: Pace
  /** Requests in flight to each of the two. */
  readonly connections: number
  /** Distinct requests that are sent at most in this run. */
  readonly most: number
  readonly onProgress: (sent: number) => void
}

/** How a replay ended; `unusable` if a service redirects, and nothing was compared. */
export type ReplayEnd = 'sent' | 'interrupted' | { readonly failure: string } | { readonly unusable: string }

/** Milliseconds before the first and the second retry of a request that failed. */
const PAUSES = [1_000, 4_000]

/** Failures in a row until no other requests are sent: both services must work first. */
const MAX_FAILURES_IN_A_ROW = 20

/** Milliseconds for which a service counts as working after a response: not longer than the first pause. */
const HEALTHY_MS = 1_000

/** Requests are read from the disk in batches. */
const BATCH_REQUESTS = 100

/**
 * Requests that wait to be sent again, and bytes of their responses: until then, no other requests are sent.
 */
const MAX_WAITING = 256
const MAX_WAITING_BYTES = 32 * 1024 * 1024

interface ReplayTask {
  readonly request: CountedRequest
  /** Failures of this request so far. */
  readonly failures: number
  /** Both services responded with the same error the last time. */
  readonly hadSameError?: boolean
  /** When it may be sent, by the clock. */
  readonly due: number
  /** They differ, and the old service gets the request again (--learn). */
  readonly responses?: ResponsePair
}

export async function runReplay(ledger: Ledger, options: ReplayOptions): Promise<ReplayEnd> {
  const { rules, pace, connections, signal, clock = systemClock, onProgress } = options
  /** From the disk. */
  let batch: CountedRequest[] = []
  /** To be sent again, in the order in which they are due. */
  const waiting: ReplayTask[] = []
  let allowed = options.most
  let sent = 0
  let failuresInARow = 0
  let failure: string | null = null
  let redirected: string | null = null
  let hasCompared = false
  /** A request that both services respond to, and when they did so last. */
  let control = anyLookup
  let workedAt = Number.NEGATIVE_INFINITY

  async function work(): Promise<void> {
    for (let task = nextTask(); task !== undefined && failure === null; task = nextTask()) {
      if (task.due > clock.now()) await wait(task.due - clock.now(), signal, clock)
      await pace(signal)
      await send(task)
      if (signal.aborted) return
    }
  }

  function nextTask(): ReplayTask | undefined {
    const [first] = waiting
    if (first !== undefined && (first.due <= clock.now() || isFull())) return waiting.shift()
    const request = nextRequest()
    return request === undefined ? waiting.shift() : { request, failures: 0, due: 0 }
  }

  function isFull(): boolean {
    const bytes = waiting.reduce((sum, { responses }) => sum + sizeOf(responses), 0)
    const isFailing = failuresInARow >= MAX_FAILURES_IN_A_ROW
    return isFailing || waiting.length >= MAX_WAITING || bytes >= MAX_WAITING_BYTES
  }

  function nextRequest(): CountedRequest | undefined {
    if (batch.length === 0) batch = ledger.take(Math.min(BATCH_REQUESTS, allowed))
    const request = batch.shift()
    if (request !== undefined) allowed--
    return request
  }

  function sendLater(task: ReplayTask): void {
    const at = waiting.findIndex(({ due }) => due > task.due)
    waiting.splice(at === -1 ? waiting.length : at, 0, task)
  }

  async function send(task: ReplayTask): Promise<void> {
    const { request } = task
    const { query } = request
    const allow = allowanceOf(rules, query)
    if (task.responses !== undefined) {
      const again = await sendTo('old', options.old, query, signal)
      if (again instanceof ReplayFailure) return retry(task, again)
      const comparison = compareWithBoth({ ...task.responses, again }, allow, headerNames)
      return record(request, comparison, task.responses)
    }
    const responses = await sendToBoth(query, options)
    if (responses instanceof ReplayFailure) {
      // Twice the same error is a response, unless it is that of a proxy before services that are down.
      const { sameError } = responses
      if (sameError === null || !task.hadSameError || !(await doBothWork())) return retry(task, responses)
      return record(request, compareResponses(sameError.old, sameError.fresh, allow, headerNames), sameError)
    }
    control = query
    workedAt = clock.now()
    const comparison = compareResponses(responses.old, responses.fresh, allow, headerNames)
    if (!rules.learn || comparison.verdict !== 'different') return record(request, comparison, responses)
    sendLater({ request, failures: 0, due: clock.now() + LEARN_DELAY_MS, responses })
  }

  function record(request: CountedRequest, comparison: Comparison, responses: ResponsePair): void {
    if (signal.aborted) return
    onProgress(++sent)
    failuresInARow = 0
    hasCompared = true
    ledger.record(request, comparison, responses)
  }

  async function retry(
    task: ReplayTask,
    { reason, wait: least, isRedirected, sameError }: ReplayFailure,
  ): Promise<void> {
    if (signal.aborted) return
    failuresInARow++
    const pause = PAUSES[task.failures]
    if (pause !== undefined && !isRedirected)
      sendLater({
        ...task,
        failures: task.failures + 1,
        hadSameError: sameError !== null,
        due: clock.now() + Math.max(pause, least),
      })
    else {
      onProgress(++sent)
      ledger.fail(task.request, reason)
      if (isRedirected) redirected ??= reason
    }
    if (failuresInARow < MAX_FAILURES_IN_A_ROW) return
    // Some requests may be too much for a service that works otherwise.
    if (await doBothWork()) failuresInARow = 0
    else if (pause === undefined || isRedirected) failure ??= reason
  }

  /** Whether both services respond to a request that they responded to before. */
  async function doBothWork(): Promise<boolean> {
    if (clock.now() - workedAt < HEALTHY_MS) return true
    await pace(signal)
    if ((await sendToBoth(control, options)) instanceof ReplayFailure) return false
    workedAt = clock.now()
    return true
  }

  const workUntilAborted = () =>
    work().catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
  // The services have just got a first request.
  await pace(signal).catch(() => {})
  await Promise.all(Array.from({ length: connections }, workUntilAborted))
  if (signal.aborted) return 'interrupted'
  if (redirected !== null && !hasCompared) return { unusable: redirected }
  return failure === null ? 'sent' : { failure }
}

function sizeOf(responses: ResponsePair | undefined): number {
  return responses === undefined ? 0 : responses.old.body.length + responses.fresh.body.length
}
