// Sends requests to the two services. The response of a service that is overloaded or fails is not compared.

import { type Clock, systemClock } from '../../clock.ts'
import {
  type Call,
  isTemporaryFailure,
  NoResponse,
  type OldServiceResponse,
} from '../../stores/old-service/call.ts'
import { retryAfterOf } from '../pace.ts'
import type { ResponsePair } from './results.ts'

/** Milliseconds of Retry-After that a replay waits at most. */
const MAX_WAIT_MS = 60_000

/** Why a request was not compared. */
export class ReplayFailure {
  readonly reason: string
  /** Milliseconds of Retry-After; 0 without it. */
  readonly wait: number
  /** A retry would be redirected, too. */
  readonly isRedirected: boolean
  /** The response, if there is one. */
  readonly response: OldServiceResponse | null
  /** Both services responded with the same error: perhaps they always do so to this request. */
  readonly sameError: ResponsePair | null

  constructor(
    reason: string,
    { wait = 0, isRedirected = false, response, sameError }: Partial<ReplayFailure> = {},
  ) {
    this.reason = reason
    this.wait = wait
    this.isRedirected = isRedirected
    this.response = response ?? null
    this.sameError = sameError ?? null
  }
}

export interface ReplayServices {
  readonly old: Call
  readonly new: Call
  readonly signal: AbortSignal
  readonly clock?: Clock | undefined
}

/** Sends a request to both at the same moment: the data has no time to change in between. */
export async function sendToBoth(
  query: string,
  services: ReplayServices,
): Promise<ResponsePair | ReplayFailure> {
  const { signal, clock = systemClock } = services
  const timed = async (side: 'old' | 'new') => {
    const start = clock.now()
    const response = await sendTo(side, services[side], query, signal)
    return { response, milliseconds: clock.now() - start }
  }
  const [old, fresh] = await Promise.all([timed('old'), timed('new')])
  const latency = { old: old.milliseconds, new: fresh.milliseconds }
  const [was, is] = [old.response, fresh.response]
  if (!(was instanceof ReplayFailure || is instanceof ReplayFailure)) return { old: was, fresh: is, latency }
  const failures = [was, is].filter((response) => response instanceof ReplayFailure)
  const [{ reason, isRedirected, response } = new ReplayFailure(''), second] = failures
  const other = second?.response ?? null
  const isSame = response !== null && other !== null && isSameError(response, other)
  return new ReplayFailure(reason, {
    wait: Math.max(...failures.map(({ wait }) => wait)),
    isRedirected,
    sameError: isSame ? { old: response, fresh: other, latency } : null,
  })
}

function isSameError(old: OldServiceResponse, fresh: OldServiceResponse): boolean {
  const isError = ({ status, headers }: OldServiceResponse) =>
    status >= 500 && headers['retry-after'] === undefined
  return isError(old) && isError(fresh) && old.status === fresh.status && old.body.equals(fresh.body)
}

export async function sendTo(
  side: 'old' | 'new',
  call: Call,
  query: string,
  signal: AbortSignal,
): Promise<OldServiceResponse | ReplayFailure> {
  try {
    const response = await call(query, { signal })
    if (!isTemporaryFailure(response)) return response
    const wait = Math.min(retryAfterOf(response), MAX_WAIT_MS)
    return new ReplayFailure(`the ${side} service: status ${response.status}`, { wait, response })
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error
    return new ReplayFailure(`the ${side} service: ${error.message}`, {
      isRedirected: error.kind === 'redirected',
    })
  }
}

/** A lookup that any client may send. */
export const anyLookup = 'Event=ProfileLookup&Users=1'

/**
 * Sends one request to both services before a replay reads its log, which may take long. A service that is
 * slow or fails now may work later. Two services that both require a login would seem alike.
 * @returns the problem: a service cannot be reached, redirects, or requires a login; null if there is none
 */
export async function findProblem({ old, new: fresh, signal }: ReplayServices): Promise<string | null> {
  const [was, is] = await Promise.all([problemOf('old', old, signal), problemOf('new', fresh, signal)])
  return [was, is].filter((problem) => problem !== null).join('; ') || null
}

async function problemOf(side: 'old' | 'new', call: Call, signal: AbortSignal): Promise<string | null> {
  try {
    const { status, headers } = await call(anyLookup, { signal })
    // RFC 9110 has this header with each 401. Some old services respond with 401 to an unknown user.
    if (status !== 401 || headers['www-authenticate'] === undefined) return null
    return `the ${side} service: it requires a login: add it to the address, https://USER:PASSWORD@…`
  } catch (error) {
    if (signal.aborted) return null
    if (!(error instanceof NoResponse)) throw error
    const isLasting = error.kind === 'unreachable' || error.kind === 'redirected'
    return isLasting ? `the ${side} service: ${error.message}` : null
  }
}
