// Sends each distinct request to both services, and settles what came of it.

import { setTimeout as sleep } from 'node:timers/promises'
import { type Call, isTemporaryFailure, NoReply, type Reply } from '../../stores/old-service/call.ts'
import { compareReplies } from '../answers/compare.ts'
import type { Comparison } from '../answers/difference.ts'
import type { Pace } from '../pace.ts'
import type { Ledger } from './ledger.ts'
import type { CountedRequest } from './settled.ts'

export interface ReplayOptions {
  readonly old: Call
  readonly new: Call
  readonly pace: Pace
  /** Requests under way at a time, to each of the two. */
  readonly connections: number
  /** Distinct requests that are sent at most in this run. */
  readonly most: number
  readonly signal: AbortSignal
  readonly onProgress: (sent: number) => void
}

/**
 * Requests in a row that fail, after which it is asked whether anything still works: otherwise more of them
 * are no use.
 */
const FAILURES_UNTIL_CHECK = 20

/** Requests are taken from the disk by so many. */
const BATCH_REQUESTS = 100

/**
 * How it ended: all is sent, it was interrupted, one of the two services is in trouble, or nothing was
 * answered, and one cannot be asked under its address.
 */
export type Ending = 'sent' | 'interrupted' | { readonly failure: string } | { readonly unusable: string }

export async function runReplay(ledger: Ledger, options: ReplayOptions): Promise<Ending> {
  const { pace, connections, signal, onProgress } = options
  let waiting: CountedRequest[] = []
  let allowed = options.most
  let sent = 0
  let failedInARow = 0
  let failure: string | null = null
  let redirected: string | null = null
  let control: string | null = null

  function next(): CountedRequest | undefined {
    if (signal.aborted || failure !== null) return undefined
    if (waiting.length === 0) waiting = ledger.take(Math.min(BATCH_REQUESTS, allowed))
    allowed -= waiting.length > 0 ? 1 : 0
    return waiting.shift()
  }

  async function work(): Promise<void> {
    for (let request = next(); request !== undefined; request = next()) {
      const result = await compareOnce(request, options)
      if (signal.aborted) return
      onProgress(++sent)
      if (result instanceof Failure) {
        ledger.settle(request, 'failed', [], result.reason)
        if (result.isRedirected) redirected ??= result.reason
        if (++failedInARow % FAILURES_UNTIL_CHECK === 0 && !(await isWell(options, control)))
          failure ??= result.reason
        continue
      }
      failedInARow = 0
      control = request.query
      const verdict =
        result.bytes === 'same' ? 'bytes' : result.differences.length === 0 ? 'meaning' : 'different'
      ledger.settle(request, verdict, result.differences, null)
    }
  }

  const ask = async () => {
    try {
      await work()
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }
  await pace(signal).catch(() => {})
  await Promise.all(Array.from({ length: connections }, ask))
  if (signal.aborted) return 'interrupted'
  if (redirected !== null && control === null) return { unusable: redirected }
  return failure === null ? 'sent' : { failure }
}

/** Milliseconds before a request that failed is sent again. */
const PAUSES = [1_000, 4_000]

/**
 * Whether both answer a request that they have answered before: some requests may be too much for one of
 * them.
 */
async function isWell(
  { old, new: fresh, pace, signal }: ReplayOptions,
  control: string | null,
): Promise<boolean> {
  if (control === null) return false
  await pace(signal)
  const answers = await Promise.all([answerOf(old, control, signal), answerOf(fresh, control, signal)])
  return answers.every((answer) => !(answer instanceof NoAnswer))
}

/** Why a request was not compared. */
class Failure {
  readonly reason: string
  readonly isRedirected: boolean
  constructor(reason: string, isRedirected: boolean) {
    this.reason = reason
    this.isRedirected = isRedirected
  }
}

/** Why there is no answer, and how long one was asked to wait for it. */
class NoAnswer {
  readonly reason: string
  /** Milliseconds; 0 where the service did not say. */
  readonly wait: number
  /** It is no use to ask again. */
  readonly isRedirected: boolean
  constructor(reason: string, wait = 0, isRedirected = false) {
    this.reason = reason
    this.wait = wait
    this.isRedirected = isRedirected
  }
}

/** Milliseconds that a service may ask a replay to wait. */
const MAX_WAIT_MS = 60_000

/** @returns the comparison, or why there is none */
async function compareOnce(
  { query }: CountedRequest,
  { old, new: fresh, pace, signal }: ReplayOptions,
): Promise<Comparison | Failure> {
  for (let attempt = 0; ; attempt++) {
    await pace(signal)
    // At the same moment, so that the data has no time to change in between.
    const [was, is] = await Promise.all([answerOf(old, query, signal), answerOf(fresh, query, signal)])
    if (!(was instanceof NoAnswer || is instanceof NoAnswer)) return compareReplies(was, is)
    const failed = failureOf(was, is)
    const pause = PAUSES[attempt]
    if (pause === undefined || failed.isRedirected) return failed
    const waits = [was, is].map((answer) => (answer instanceof NoAnswer ? answer.wait : 0))
    await sleep(Math.max(pause, ...waits), undefined, { signal })
  }
}

function failureOf(was: Reply | NoAnswer, is: Reply | NoAnswer): Failure {
  if (was instanceof NoAnswer) return new Failure(`the old service: ${was.reason}`, was.isRedirected)
  const { reason, isRedirected } = is instanceof NoAnswer ? is : new NoAnswer('')
  return new Failure(`the new service: ${reason}`, isRedirected)
}

/**
 * An answer, or why it is none: a service that is overloaded or in trouble says nothing of how it behaves.
 */
async function answerOf(call: Call, query: string, signal: AbortSignal): Promise<Reply | NoAnswer> {
  try {
    const reply = await call(query, { signal })
    if (!isTemporaryFailure(reply)) return reply
    const wait = Number(reply.headers['retry-after'] ?? 0) * 1000
    return new NoAnswer(`status ${reply.status}`, wait > 0 ? Math.min(wait, MAX_WAIT_MS) : 0)
  } catch (error) {
    if (error instanceof NoReply) return new NoAnswer(error.message, 0, error.kind === 'redirected')
    throw error
  }
}
