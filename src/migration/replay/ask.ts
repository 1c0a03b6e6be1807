// Asks services for answers that can be compared: again, after a pause, where there is none.

import type { Clock } from '../../clock.ts'
import { type Call, isTemporaryFailure, NoReply, type Reply } from '../../stores/old-service/call.ts'
import { type Pace, retryAfterOf, wait } from '../pace.ts'

/** Milliseconds before a request that failed is sent again. */
const PAUSES = [1_000, 4_000]

/** Milliseconds that a service may ask a replay to wait. */
const MAX_WAIT_MS = 60_000

/** Why a request was not compared, and how long one was asked to wait before it is sent again. */
export class Failure {
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

interface Asking {
  readonly pace: Pace
  readonly signal: AbortSignal
  readonly clock?: Clock | undefined
}

/** Asks until there are answers, three times at most. */
export async function untilAnswered<Answers>(
  ask: () => Promise<Answers | Failure>,
  { pace, signal, clock }: Asking,
): Promise<Answers | Failure> {
  for (let attempt = 0; ; attempt++) {
    await pace(signal)
    const answers = await ask()
    if (!(answers instanceof Failure)) return answers
    const pause = PAUSES[attempt]
    if (pause === undefined || answers.isRedirected) return answers
    await wait(Math.max(pause, answers.wait), signal, clock)
  }
}

/**
 * An answer, or why it is none: a service that is overloaded or in trouble says nothing of how it behaves.
 * @param name of the service
 */
export async function answerOf(
  name: 'old' | 'new',
  call: Call,
  query: string,
  signal: AbortSignal,
): Promise<Reply | Failure> {
  const failure = (reason: string, wait = 0, isRedirected = false) =>
    new Failure(`the ${name} service: ${reason}`, wait, isRedirected)
  try {
    const reply = await call(query, { signal })
    if (!isTemporaryFailure(reply)) return reply
    return failure(`status ${reply.status}`, Math.min(retryAfterOf(reply), MAX_WAIT_MS))
  } catch (error) {
    if (error instanceof NoReply) return failure(error.message, 0, error.kind === 'redirected')
    throw error
  }
}

/** A lookup as any client sends it. */
const QUESTION = 'Event=ProfileLookup&Users=1'

/**
 * Asks both services once before a replay reads its log, which may take long. Any answer will do, except one
 * that asks for a login: two services that refuse every client would seem alike. A service that is slow or in
 * trouble at this moment is no reason to give up.
 * @returns what is wrong: one cannot be reached, redirects, or asks for a login; `null` if nothing is
 */
export async function lookAtBoth(old: Call, fresh: Call, signal: AbortSignal): Promise<string | null> {
  const [was, is] = await Promise.all([problemOf(old, signal), problemOf(fresh, signal)])
  const problems = [
    ...(was === null ? [] : [`the old service: ${was}`]),
    ...(is === null ? [] : [`the new service: ${is}`]),
  ]
  return problems.length === 0 ? null : problems.join('; ')
}

async function problemOf(call: Call, signal: AbortSignal): Promise<string | null> {
  try {
    const { status, headers } = await call(QUESTION, { signal })
    // RFC 9110 has this header with each 401. Some old services say 401 and mean that nobody was found.
    if (status !== 401 || headers['www-authenticate'] === undefined) return null
    return 'it requires a login: add it to the address, https://USER:PASSWORD@…'
  } catch (error) {
    if (signal.aborted) return null
    if (!(error instanceof NoReply)) throw error
    return error.kind === 'unreachable' || error.kind === 'redirected' ? error.message : null
  }
}
