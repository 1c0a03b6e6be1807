// How a probe asks: a bounded number of requests, one after the other, at a gentle pace.

import { setTimeout as sleep } from 'node:timers/promises'
import { type Call, type CallOptions, NoReply, type Reply } from '../../stores/old-service/call.ts'
import type { Pace } from '../pace.ts'

/** Requests that a probe sends at most. */
export const MAX_REQUESTS = 100

/** What came back, or why nothing did. */
export type Outcome = Reply | NoReply

/** Asks for a query string; the same question is sent once. Never throws for what the service does. */
export type Ask = (query: string, options?: CallOptions) => Promise<Outcome>

/** The old service cannot be probed, or not any more. The message is for the operator. */
export class CannotProbe extends Error {}

export interface Asking {
  readonly ask: Ask
  /** Requests that were sent so far. */
  readonly sent: () => number
}

/** Milliseconds before it is asked whether a service in trouble has recovered. */
const RECOVERY_PAUSE_MS = 2_000

/**
 * The first question is one that has an answer: it is asked again where another one has none, since of a
 * service in trouble nothing can be told, and more requests do not help it. Where that works, only that
 * question is to blame.
 * @param onSent is told how many have been sent so far
 */
export function createAsk(
  call: Call,
  pace: Pace,
  signal: AbortSignal,
  onSent: (sent: number) => void,
): Asking {
  const known = new Map<string, Outcome>()
  let control: string | null = null
  let sent = 0

  async function send(query: string, options: CallOptions): Promise<Outcome> {
    await pace(signal)
    if (sent === MAX_REQUESTS)
      throw new CannotProbe(`${MAX_REQUESTS} requests were not enough, and no more are sent.`)
    onSent(++sent)
    try {
      return await call(query, { ...options, signal })
    } catch (error) {
      if (error instanceof NoReply && !signal.aborted) return error
      throw error
    }
  }

  async function sendAndCheck(query: string, options: CallOptions): Promise<Outcome> {
    const outcome = await send(query, options)
    const why = failureIn(outcome)
    if (why === null) control ??= query
    else {
      if (control !== null) await sleep(RECOVERY_PAUSE_MS, undefined, { signal })
      const again = control === null ? why : failureIn(await send(control, {}))
      if (again !== null) throw new CannotProbe(`${again} After ${sent} requests, no more were sent.`)
    }
    return outcome
  }

  async function ask(query: string, options: CallOptions = {}): Promise<Outcome> {
    const question = JSON.stringify([query, options])
    const outcome = known.get(question) ?? (await sendAndCheck(query, options))
    known.set(question, outcome)
    return outcome
  }
  return { ask, sent: () => sent }
}

/** `null` where a service answers, or refuses, as it likes. */
function failureIn(outcome: Outcome): string | null {
  // That other requests are redirected is how it answers them.
  if (outcome instanceof NoReply && outcome.kind === 'redirected') return null
  if (outcome instanceof NoReply) return `It does not answer: ${outcome.message}.`
  if (outcome.status === 429) return 'It limits how often it may be asked (status 429): lower --rate.'
  return outcome.status >= 500 ? `It seems to be in trouble: it fails, status ${outcome.status}.` : null
}
