// The client of a probe: sends a bounded number of requests, one at a time, at a gentle rate, and stops if
// the service is down.

import type { Clock } from '../../clock.ts'
import { type Call, NoResponse, type OldServiceResponse } from '../../stores/old-service/call.ts'
import { counted } from '../../text.ts'
import { createPace, retryAfterOf, wait } from '../pace.ts'

/** The default of --requests: 36 s at the default rate. Most probes take 110 to 140. */
export const MAX_REQUESTS = 180
/** Bytes of all responses together. The longest list of users has about 600 KB. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024
/** Failures in a row until the health check, and responses about the rate in all. */
const MAX_FAILURES = 8
/** Milliseconds before a failed request is repeated; Retry-After may raise it up to the maximum. */
const RETRY_DELAY_MS = 2_000
const MAX_RETRY_DELAY_MS = 60_000

/** The response, or the reason why there is none. */
export type ProbeOutcome = OldServiceResponse | NoResponse

/** Sends a query string; the same one only once. Rejects only with a ProbeError. */
export type SendQuery = (query: string) => Promise<ProbeOutcome>

/** The old service cannot be probed, or no longer. The message is for the operator. */
export class ProbeError extends Error {}

/** All requests of the budget are sent. */
export class BudgetError extends ProbeError {}

/** Returns the default if the budget ends: the probe goes on with what it has. */
export async function withinBudget<Result>(work: () => Promise<Result>, otherwise: Result): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof BudgetError) return otherwise
    throw error
  }
}

export interface ProbeClient {
  readonly send: SendQuery
  /** Sends a query string that was sent before. */
  readonly sendAgain: SendQuery
  /** Waits for the next request of the budget, for requests that are sent by other means. */
  readonly reserve: () => Promise<void>
  /** The outcome of each query string so far. */
  readonly outcomes: ReadonlyMap<string, ProbeOutcome>
  readonly costs: () => ProbeCosts
}

interface ProbeCosts {
  readonly sent: number
  /** Milliseconds of the slowest response. */
  readonly slowest: number
  /** Content-Encodings of responses: no request had an Accept-Encoding. */
  readonly codings: readonly string[]
}

export interface ClientOptions {
  /** Requests per second. */
  readonly rate: number
  /** Requests at most. */
  readonly requests?: number | undefined
  readonly signal: AbortSignal
  /** The clock of its pauses. */
  readonly clock?: Clock | undefined
  /** Gets the number of requests so far. */
  readonly onProgress: (sent: number) => void
}

/**
 * After a failure, the client repeats the first request that worked, as a health check. If that fails too,
 * the service is down, and the probe stops.
 */
export function createProbeClient(
  call: Call,
  { rate, requests: budget = MAX_REQUESTS, signal, clock, onProgress }: ClientOptions,
): ProbeClient {
  const pace = createPace(rate, clock)
  const outcomes = new Map<string, ProbeOutcome>()
  const codings = new Set<string>()
  /** Statuses of failures after which the service was healthy: some services have 500 for every error. */
  const harmless = new Set<number>()
  let failures = 0
  let limited = 0
  let healthCheck: string | null = null
  let [sent, received, slowest] = [0, 0, 0]

  async function reserve(): Promise<void> {
    if (sent >= budget) throw new BudgetError(`The limit of ${counted(budget, 'request')} is reached.`)
    await pace(signal)
    onProgress(++sent)
  }

  async function sendOnce(query: string): Promise<ProbeOutcome> {
    await reserve()
    const started = performance.now()
    const outcome = await call(query, { signal }).catch((error: unknown) => {
      if (error instanceof NoResponse && !signal.aborted) return error
      throw error
    })
    if (outcome instanceof NoResponse) return outcome
    slowest = Math.max(slowest, performance.now() - started)
    if (outcome.coding !== undefined) codings.add(outcome.coding)
    received += outcome.body.length
    if (received <= MAX_RESPONSE_BYTES) return outcome
    throw new ProbeError(
      `Its responses have more than ${MAX_RESPONSE_BYTES} bytes in all, after ${counted(sent, 'request')}. Check that this is the address of the lookup interface.`,
    )
  }

  async function sendAgain(query: string): Promise<ProbeOutcome> {
    const outcome = await sendOnce(query)
    const failure = failureIn(outcome)
    if (failure === null) {
      healthCheck ??= query
      failures = 0
      return outcome
    }
    const status = outcome instanceof NoResponse ? 0 : outcome.status
    if (harmless.has(status) && ++failures < MAX_FAILURES) return outcome
    if (healthCheck === null) throw stopped(failure)
    await wait(delayAfter(outcome), signal, clock)
    const problem = failureIn(await sendOnce(healthCheck))
    if (problem !== null) throw stopped(problem)
    failures = 0
    // The request is the reason of a rate limit or a lost connection only if that happens twice.
    if (status === 429 && ++limited > MAX_FAILURES) throw stopped(failure)
    const last = status === 429 || status === 0 ? await sendOnce(query) : outcome
    if (status !== 429 && failureIn(last) !== null) harmless.add(status)
    return last
  }

  const stopped = (reason: string) => new ProbeError(`${reason} Stopped after ${counted(sent, 'request')}.`)

  async function send(query: string): Promise<ProbeOutcome> {
    const outcome = outcomes.get(query) ?? (await sendAgain(query))
    outcomes.set(query, outcome)
    return outcome
  }

  const costs = () => ({ sent, slowest, codings: [...codings] })
  return { send, sendAgain, reserve, outcomes, costs }
}

function delayAfter(outcome: ProbeOutcome): number {
  const retryAfter = outcome instanceof NoResponse ? 0 : retryAfterOf(outcome)
  return Math.min(Math.max(RETRY_DELAY_MS, retryAfter), MAX_RETRY_DELAY_MS)
}

/** Returns a reason to check the health of the service, or null. */
function failureIn(outcome: ProbeOutcome): string | null {
  // A service may redirect some requests only.
  if (outcome instanceof NoResponse && outcome.kind === 'redirected') return null
  if (outcome instanceof NoResponse)
    return `No response: ${outcome.message}. Check the address, and that the service is running.`
  if (outcome.status === 429) return 'It limits the request rate (status 429). Lower --rate.'
  return outcome.status >= 500 ? `It fails with status ${outcome.status}. Probe again when it works.` : null
}
