// How a probe asks: a bounded number of requests, one after the other, at a gentle pace.

import type { Clock } from '../../clock.ts'
import { type Call, type CallOptions, NoReply, type Reply } from '../../stores/old-service/call.ts'
import { counted } from '../../text.ts'
import { type Pace, wait } from '../pace.ts'

/**
 * Requests that a probe sends at most: half a minute at its usual pace. Some ninety are sent to a service
 * without a list limit, a dozen more find a limit, twenty a word for the chat platform, and each habit asks
 * one or two.
 */
export const MAX_REQUESTS = 150

/**
 * Bytes of all answers together: the longest lists of users that a probe asks for are some 600 KB. What is
 * kept of answers, and the time that it takes to read them, grow with it.
 */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024

/** What came back, or why nothing did. */
export type Outcome = Reply | NoReply

/** Asks for a query string; the same question is sent once. Never throws for what the service does. */
export type Ask = (query: string, options?: CallOptions) => Promise<Outcome>

/** The old service cannot be probed, or not any more. The message is for the operator. */
export class CannotProbe extends Error {}

/** All requests that are allowed were sent. */
export class NoMoreRequests extends CannotProbe {}

/** What came of each question so far, by its text. */
export type Outcomes = ReadonlyMap<string, Outcome>

export interface Asking {
  readonly ask: Ask
  /** Sends a question that was sent before. */
  readonly askAgain: (query: string) => Promise<Outcome>
  readonly outcomes: Outcomes
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
  clock?: Clock,
): Asking {
  const known = new Map<string, Outcome>()
  let control: string | null = null
  let sent = 0
  let received = 0

  async function send(query: string, options: CallOptions): Promise<Outcome> {
    await pace(signal)
    if (sent === MAX_REQUESTS) throw new NoMoreRequests(`The limit of ${MAX_REQUESTS} requests is reached.`)
    onSent(++sent)
    try {
      const reply = await call(query, { ...options, signal })
      received += reply.body.length
      if (received <= MAX_ANSWER_BYTES) return reply
    } catch (error) {
      if (error instanceof NoReply && !signal.aborted) return error
      throw error
    }
    throw new CannotProbe(
      `Its responses have more than ${MAX_ANSWER_BYTES} bytes in all, after ${counted(sent, 'request')}. Check that this is the address of the lookup interface.`,
    )
  }

  async function sendAndCheck(query: string, options: CallOptions): Promise<Outcome> {
    const outcome = await send(query, options)
    const why = failureIn(outcome)
    if (why === null) control ??= query
    else {
      if (control !== null) await wait(RECOVERY_PAUSE_MS, signal, clock)
      const again = control === null ? why : failureIn(await send(control, {}))
      if (again !== null) throw new CannotProbe(`${again} Stopped after ${counted(sent, 'request')}.`)
    }
    return outcome
  }

  const askAgain = (query: string) => sendAndCheck(query, {})
  return { ...remember(known, sendAndCheck), askAgain, sent: () => sent }
}

/** Asks a service of our own: without a bound or a pace, and whatever it answers. */
export function createFreeAsk(call: Call): Pick<Asking, 'ask' | 'outcomes'> {
  return remember(new Map(), async (query, options) => {
    try {
      return await call(query, options)
    } catch (error) {
      if (error instanceof NoReply) return error
      throw error
    }
  })
}

/** What tells one question from another. */
export function questionOf(query: string, { method = 'GET', path = '' }: CallOptions = {}): string {
  return `${method} ${path === '' ? query : `${path}?${query}`}`
}

/** One question after the other, and none twice. */
function remember(
  outcomes: Map<string, Outcome>,
  send: (query: string, options: CallOptions) => Promise<Outcome>,
): Pick<Asking, 'ask' | 'outcomes'> {
  let last: Promise<unknown> = Promise.resolve()

  async function ask(query: string, options: CallOptions = {}): Promise<Outcome> {
    const question = questionOf(query, options)
    const turn = last.then(async () => outcomes.get(question) ?? (await send(query, options)))
    last = turn.catch(() => {})
    const outcome = await turn
    outcomes.set(question, outcome)
    return outcome
  }
  return { ask, outcomes }
}

/** `null` where a service answers, or refuses, as it likes. */
function failureIn(outcome: Outcome): string | null {
  // That other requests are redirected is how it answers them.
  if (outcome instanceof NoReply && outcome.kind === 'redirected') return null
  if (outcome instanceof NoReply)
    return `No response: ${outcome.message}. Check the address, and that the service is running.`
  if (outcome.status === 429) return 'It limits the request rate (status 429). Lower --rate.'
  return outcome.status >= 500 ? `It fails with status ${outcome.status}. Probe again when it works.` : null
}
