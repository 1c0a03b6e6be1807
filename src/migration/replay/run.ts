// Sends each distinct request to both services, and compares the responses.

import { systemClock } from '../../clock.ts'
import { compareResponses, compareWithBoth, LEARN_DELAY_MS } from '../compare/compare.ts'
import { headerNames } from '../compare/headers.ts'
import { type Pace, wait } from '../pace.ts'
import type { Ledger } from './ledger.ts'
import type { CountedRequest, ResponsePair } from './results.ts'
import { allowanceOf, type ReplayRules } from './rules.ts'
import {
  anyLookup,
  isFailure,
  type ReplayFailure,
  type ReplayServices,
  sendTo,
  sendToBoth,
} from './services.ts'

interface ReplayOptions extends ReplayServices {
  readonly rules: ReplayRules
  readonly pace: Pace
  /** Requests in flight to each of the two. */
  readonly connections: number
  /** Distinct requests that are sent at most in this run. */
  readonly most: number
  readonly onProgress: (compared: number) => void
}

/** How a replay ended; `failure` if a service failed at everything. */
export type ReplayEnd = 'sent' | 'interrupted' | { readonly failure: string }

/** Milliseconds before the first and the second retry of a request that failed. */
const RETRY_DELAYS_MS = [1_000, 4_000]
/** Failures in a row until both services must respond to a request that worked before. */
const MAX_FAILURES_IN_A_ROW = 20
/** Milliseconds for which a service counts as working after a response: not longer than the first delay. */
const HEALTHY_MS = 1_000
/** Requests are read from the disk in batches. */
const BATCH_REQUESTS = 100
/** Requests that may wait for a retry while others are sent. */
const MAX_WAITING = 100

export async function runReplay(ledger: Ledger, options: ReplayOptions): Promise<ReplayEnd> {
  const { rules, pace, connections, clock = systemClock, onProgress } = options
  const halt = new AbortController()
  const signal = AbortSignal.any([options.signal, halt.signal])
  const services = { ...options, signal }
  const withSlot = createSlots(connections)
  let batch: CountedRequest[] = []
  let allowed = options.most
  let compared = 0
  let failuresInARow = 0
  /** A request that both services respond to, and when they did so last. */
  let control = anyLookup
  let workedAt = Number.NEGATIVE_INFINITY
  let check: Promise<boolean> | null = null

  /** Compares requests, one after another. As many run at a time as may be in flight or wait for a retry. */
  async function compareAll(): Promise<void> {
    for (let request = next(); request !== undefined; request = next()) {
      await compare(request)
      onProgress(++compared)
    }
  }

  function next(): CountedRequest | undefined {
    if (batch.length === 0) batch = ledger.take(Math.min(BATCH_REQUESTS, allowed))
    const request = batch.shift()
    if (request !== undefined) allowed--
    return request
  }

  async function compare(request: CountedRequest): Promise<void> {
    const { query } = request
    const allow = allowanceOf(rules, query)
    let hadSameError = false
    const responses = await withRetries<ResponsePair>(async () => {
      const result = await sendToBoth(query, services)
      if (!isFailure(result)) {
        control = query
        workedAt = clock.now()
        return result
      }
      const { sameError } = result
      // The same error twice counts as a response, unless proxies send it because both services are down.
      if (sameError !== undefined && hadSameError && (await doBothWork())) return sameError
      hadSameError = sameError !== undefined
      return result
    })
    if (isFailure(responses)) return ledger.fail(request, responses.reason)
    const { old, fresh } = responses
    const comparison = compareResponses(old, fresh, allow, headerNames)
    if (!rules.learn || comparison.verdict !== 'different')
      return ledger.record(request, comparison, responses)
    await wait(LEARN_DELAY_MS, signal, clock)
    const again = await withRetries(() => sendTo('old', services, query))
    if (isFailure(again)) return ledger.fail(request, again.reason)
    ledger.record(request, compareWithBoth({ old, again, fresh }, allow, headerNames), responses)
  }

  async function withRetries<Result extends object>(
    send: () => Promise<Result | ReplayFailure>,
  ): Promise<Result | ReplayFailure> {
    for (let attempt = 0; ; attempt++) {
      const result = await withSlot(async () => {
        await check
        await pace(signal)
        return send()
      })
      signal.throwIfAborted()
      if (!isFailure(result)) {
        failuresInARow = 0
        return result
      }
      const delay = RETRY_DELAYS_MS[attempt]
      // Some requests may be too much for a service that works otherwise.
      if (++failuresInARow >= MAX_FAILURES_IN_A_ROW) {
        if (await doBothWork()) failuresInARow = 0
        else halt.abort(result.reason)
      }
      if (delay === undefined || result.isRedirected) return result
      await wait(Math.max(delay, result.wait), signal, clock)
    }
  }

  /** Whether both services respond to a request that they responded to before. Others wait for the result. */
  function doBothWork(): Promise<boolean> {
    if (clock.now() - workedAt < HEALTHY_MS) return Promise.resolve(true)
    check ??= sendControl().finally(() => {
      check = null
    })
    return check
  }

  async function sendControl(): Promise<boolean> {
    for (const delay of [0, ...RETRY_DELAYS_MS]) {
      if (delay > 0) await wait(delay, signal, clock)
      await pace(signal)
      if (isFailure(await sendToBoth(control, services))) continue
      workedAt = clock.now()
      return true
    }
    return false
  }

  const untilHalted = () =>
    compareAll().catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
  // `findProblem` may just have sent a request to both services.
  await pace(signal).catch(() => {})
  await Promise.all(Array.from({ length: connections + MAX_WAITING }, untilHalted))
  if (options.signal.aborted) return 'interrupted'
  return halt.signal.aborted ? { failure: String(halt.signal.reason) } : 'sent'
}

/** Limits how much work runs at a time. Other work waits, first come, first served. */
function createSlots(count: number) {
  let free = count
  const queue: (() => void)[] = []
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => queue.push(resolve))
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next === undefined) free++
      else next()
    }
  }
}
