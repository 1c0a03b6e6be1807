// Asks the two services. A service that is overloaded or fails says nothing about how it behaves.

import { type Clock, systemClock } from '../../clock.ts'
import { type Call, isTemporaryFailure, NoReply, type Reply } from '../../stores/old-service/call.ts'
import { retryAfterOf } from '../pace.ts'
import type { Responses } from './settled.ts'

/** Milliseconds that a service may ask a replay to wait. */
const MAX_WAIT_MS = 60_000

/** Why a request was not compared. */
export class Failure {
  readonly reason: string
  /** Milliseconds of Retry-After; 0 without it. */
  readonly wait: number
  /** A retry would be redirected, too. */
  readonly isRedirected: boolean
  /** The response, if there is one. */
  readonly reply: Reply | null
  /** Both services responded with the same error: perhaps they always do so to this request. */
  readonly sameError: Responses | null

  constructor(reason: string, { wait = 0, isRedirected = false, reply, sameError }: Partial<Failure> = {}) {
    this.reason = reason
    this.wait = wait
    this.isRedirected = isRedirected
    this.reply = reply ?? null
    this.sameError = sameError ?? null
  }
}

export interface Services {
  readonly old: Call
  readonly new: Call
  readonly signal: AbortSignal
  readonly clock?: Clock | undefined
}

/** Asks both at the same moment: the data has no time to change in between. */
export async function askBoth(query: string, services: Services): Promise<Responses | Failure> {
  const { signal, clock = systemClock } = services
  const timed = async (name: 'old' | 'new') => {
    const start = clock.now()
    const response = await askOne(name, services[name], query, signal)
    return { response, milliseconds: clock.now() - start }
  }
  const [old, fresh] = await Promise.all([timed('old'), timed('new')])
  const latency = { old: old.milliseconds, new: fresh.milliseconds }
  const [was, is] = [old.response, fresh.response]
  if (!(was instanceof Failure || is instanceof Failure)) return { old: was, fresh: is, latency }
  const failures = [was, is].filter((response) => response instanceof Failure)
  const [{ reason, isRedirected } = new Failure('')] = failures
  const replies = failures.map(({ reply }) => reply).filter((reply) => reply !== null)
  const [one, other] = replies
  const isSame = one !== undefined && other !== undefined && isSameError(one, other)
  return new Failure(reason, {
    wait: Math.max(...failures.map(({ wait }) => wait)),
    isRedirected,
    sameError: isSame ? { old: one, fresh: other, latency } : null,
  })
}

function isSameError(old: Reply, fresh: Reply): boolean {
  const isError = ({ status, headers }: Reply) => status >= 500 && headers['retry-after'] === undefined
  return isError(old) && isError(fresh) && old.status === fresh.status && old.body.equals(fresh.body)
}

/** @param name of the service */
export async function askOne(
  name: 'old' | 'new',
  call: Call,
  query: string,
  signal: AbortSignal,
): Promise<Reply | Failure> {
  try {
    const reply = await call(query, { signal })
    if (!isTemporaryFailure(reply)) return reply
    const wait = Math.min(retryAfterOf(reply), MAX_WAIT_MS)
    return new Failure(`the ${name} service: status ${reply.status}`, { wait, reply })
  } catch (error) {
    if (!(error instanceof NoReply)) throw error
    return new Failure(`the ${name} service: ${error.message}`, { isRedirected: error.kind === 'redirected' })
  }
}

/** A lookup that any client may send. */
export const anyLookup = 'Event=ProfileLookup&Users=1'

/**
 * Asks both services once before a replay reads its log, which may take long. A service that is slow or fails
 * now may work later. Two services that both want a login would seem alike.
 * @returns the problem: a service cannot be reached, redirects, or asks for a login; null if there is none
 */
export async function findProblem({ old, new: fresh, signal }: Services): Promise<string | null> {
  const [was, is] = await Promise.all([problemOf(old, signal), problemOf(fresh, signal)])
  const problems = [
    ...(was === null ? [] : [`the old service: ${was}`]),
    ...(is === null ? [] : [`the new service: ${is}`]),
  ]
  return problems.length === 0 ? null : problems.join('; ')
}

async function problemOf(call: Call, signal: AbortSignal): Promise<string | null> {
  try {
    const { status, headers } = await call(anyLookup, { signal })
    // RFC 9110 has this header with each 401. Some old services respond with 401 to an unknown user.
    if (status !== 401 || headers['www-authenticate'] === undefined) return null
    return 'it requires a login: add it to the address, https://USER:PASSWORD@…'
  } catch (error) {
    if (signal.aborted) return null
    if (!(error instanceof NoReply)) throw error
    return error.kind === 'unreachable' || error.kind === 'redirected' ? error.message : null
  }
}
