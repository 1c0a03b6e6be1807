// How a probe asks: a bounded number of requests, one at a time, at a gentle rate.

import type { Clock } from '../../clock.ts'
import { type Call, type CallOptions, NoReply, type Reply } from '../../stores/old-service/call.ts'
import { counted } from '../../text.ts'
import { type Pace, retryAfterOf, wait } from '../pace.ts'

/**
 * Requests that a probe sends at most, unless told otherwise: 36 s at its default rate. Most take 110 to 140.
 */
export const MAX_REQUESTS = 180

/** Bytes of all responses together. The longest list of users that a probe asks for has some 600 KB. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024

/** The response, or the reason why there is none. */
export type Outcome = Reply | NoReply

/** Sends a query string, the same one only once. Never throws for what the service does. */
export type Ask = (query: string, options?: CallOptions) => Promise<Outcome>

/** The old service cannot be probed, or no longer. The message is for the operator. */
export class CannotProbe extends Error {}

/** The probe has sent all requests of its budget. */
export class BudgetSpent extends CannotProbe {}

/** A probe that reaches its limit of requests goes on with what it has. */
export async function unlessSpent<Result>(work: () => Promise<Result>, otherwise: Result): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof BudgetSpent) return otherwise
    throw error
  }
}

/** Failures in a row until the service is checked again, and responses about the rate in all. */
const MAX_FAILURES = 8

export interface Asking {
  readonly ask: Ask
  /** Sends a query string that was sent before. */
  readonly askAgain: (query: string) => Promise<Outcome>
  /** Waits for the next request of the budget, for requests that are sent by other means. */
  readonly reserve: () => Promise<void>
  /** The outcome of each GET so far, by query string. */
  readonly outcomes: ReadonlyMap<string, Outcome>
  readonly sent: () => number
}

interface AskingOptions {
  readonly pace: Pace
  readonly signal: AbortSignal
  /** Gets the number of requests so far. */
  readonly onSent: (sent: number) => void
  readonly budget?: number | undefined
  readonly clock?: Clock | undefined
}

/** Milliseconds before a service in trouble is asked again, and the most that its Retry-After may ask for. */
const RECOVERY_PAUSE_MS = 2_000
const MAX_RECOVERY_PAUSE_MS = 60_000

/**
 * Asks an old service. After a failure, asks the first question again, which is known to have a response: if
 * it fails too, the service is in trouble, and more requests do not help it.
 */
export function createAsking(
  call: Call,
  { pace, signal, onSent, budget = MAX_REQUESTS, clock }: AskingOptions,
): Asking {
  const outcomes = new Map<string, Outcome>()
  const others = new Map<string, Outcome>()
  /** Statuses of failures after which the service was well. Some services have them for every error. */
  const harmless = new Set<number>()
  let failures = 0
  let limited = 0
  let control: string | null = null
  let sent = 0
  let received = 0
  let last: Promise<unknown> = Promise.resolve()

  async function reserve(): Promise<void> {
    if (sent >= budget) throw new BudgetSpent(`The limit of ${counted(budget, 'request')} is reached.`)
    await pace(signal)
    onSent(++sent)
  }

  async function send(query: string, options: CallOptions): Promise<Outcome> {
    await reserve()
    try {
      const reply = await call(query, { ...options, signal })
      received += reply.body.length
      if (received <= MAX_RESPONSE_BYTES) return reply
    } catch (error) {
      if (error instanceof NoReply && !signal.aborted) return error
      throw error
    }
    throw new CannotProbe(
      `Its responses have more than ${MAX_RESPONSE_BYTES} bytes in all, after ${counted(sent, 'request')}. Check that this is the address of the lookup interface.`,
    )
  }

  async function sendAndCheck(query: string, options: CallOptions): Promise<Outcome> {
    const outcome = await send(query, options)
    const failure = failureIn(outcome)
    if (failure === null) {
      control ??= query
      failures = 0
      return outcome
    }
    const status = outcome instanceof NoReply ? 0 : outcome.status
    if (harmless.has(status) && ++failures < MAX_FAILURES) return outcome
    if (control !== null && !harmless.has(status)) await wait(pauseAfter(outcome), signal, clock)
    const again = control === null ? failure : failureIn(await send(control, {}))
    if (again !== null) throw stopped(again)
    failures = 0
    if (status !== 429 && status !== 0) {
      harmless.add(status)
      return outcome
    }
    // A limit of the rate and a lost connection have to do with the question only if they come twice.
    if (status === 429) await wait(pauseAfter(outcome), signal, clock)
    const second = await send(query, options)
    if (failureIn(second) !== null) {
      if (status === 0) harmless.add(0)
    } else if (status === 429 && ++limited > MAX_FAILURES) throw stopped(failure)
    return second
  }

  const stopped = (reason: string) => new CannotProbe(`${reason} Stopped after ${counted(sent, 'request')}.`)

  async function ask(query: string, options: CallOptions = {}): Promise<Outcome> {
    const { method = 'GET', path = '' } = options
    const isPlain = method === 'GET' && path === ''
    const [known, key] = isPlain ? [outcomes, query] : [others, `${method} ${path} ${query}`]
    const outcome = last.then(async () => known.get(key) ?? (await sendAndCheck(query, options)))
    last = outcome.catch(() => {})
    known.set(key, await outcome)
    return outcome
  }

  return { ask, askAgain: (query) => sendAndCheck(query, {}), reserve, outcomes, sent: () => sent }
}

function pauseAfter(outcome: Outcome): number {
  const asked = outcome instanceof NoReply ? 0 : retryAfterOf(outcome)
  return Math.min(Math.max(RECOVERY_PAUSE_MS, asked), MAX_RECOVERY_PAUSE_MS)
}

/** Null if the service responds, or refuses, as it likes. */
function failureIn(outcome: Outcome): string | null {
  // A service may redirect some requests only.
  if (outcome instanceof NoReply && outcome.kind === 'redirected') return null
  if (outcome instanceof NoReply)
    return `No response: ${outcome.message}. Check the address, and that the service is running.`
  if (outcome.status === 429) return 'It limits the request rate (status 429). Lower --rate.'
  return outcome.status >= 500 ? `It fails with status ${outcome.status}. Probe again when it works.` : null
}
