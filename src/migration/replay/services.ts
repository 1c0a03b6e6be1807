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
export interface ReplayFailure {
  readonly reason: string
  /** Milliseconds of Retry-After; 0 without it. */
  readonly wait: number
  /** A retry would be redirected, too. */
  readonly isRedirected: boolean
  /** The response, if it is an error without Retry-After: some services always respond with it. */
  readonly error: OldServiceResponse | null
  /** Both services responded with the same error. */
  readonly sameError?: ResponsePair
}

export function isFailure(result: object): result is ReplayFailure {
  return 'reason' in result
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
  const { clock = systemClock } = services
  const timed = async (side: 'old' | 'new') => {
    const start = clock.now()
    const result = await sendTo(side, services, query)
    return [result, clock.now() - start] as const
  }
  const [[old, oldTime], [fresh, newTime]] = await Promise.all([timed('old'), timed('new')])
  const latency = { old: oldTime, new: newTime }
  if (!isFailure(old)) return isFailure(fresh) ? fresh : { old, fresh, latency }
  if (!isFailure(fresh)) return old
  const [was, is] = [old.error, fresh.error]
  const isSame = was !== null && is !== null && was.status === is.status && was.body.equals(is.body)
  return {
    ...{ ...old, wait: Math.max(old.wait, fresh.wait) },
    ...(isSame ? { sameError: { old: was, fresh: is, latency } } : {}),
  }
}

export async function sendTo(
  side: 'old' | 'new',
  services: ReplayServices,
  query: string,
): Promise<OldServiceResponse | ReplayFailure> {
  const of = (problem: string) => `the ${side} service: ${problem}`
  try {
    const response = await services[side](query, { signal: services.signal })
    if (!isTemporaryFailure(response)) return response
    const isError = response.status >= 500 && response.headers['retry-after'] === undefined
    return {
      ...{ reason: of(`status ${response.status}`), isRedirected: false },
      ...{ wait: Math.min(retryAfterOf(response), MAX_WAIT_MS), error: isError ? response : null },
    }
  } catch (error) {
    services.signal.throwIfAborted()
    if (!(error instanceof NoResponse)) throw error
    return { reason: of(error.message), isRedirected: error.kind === 'redirected', wait: 0, error: null }
  }
}

/** A lookup that any client may send. */
export const anyLookup = 'Event=ProfileLookup&Users=1'

/**
 * Sends one request to both services before a replay reads its log, which may take long. A service that is
 * slow or fails now may work later. Two services that both require a login would seem alike.
 * @returns the problem: a service cannot be reached, redirects, or requires a login; null if there is none
 */
export async function findProblem(services: ReplayServices): Promise<string | null> {
  const problemOf = async (side: 'old' | 'new') => {
    try {
      const { status, headers } = await services[side](anyLookup, { signal: services.signal })
      // RFC 9110 has this header with each 401. Some old services respond with 401 to an unknown user.
      if (status !== 401 || headers['www-authenticate'] === undefined) return []
      return [`the ${side} service: it requires a login: add it to the address, https://USER:PASSWORD@…`]
    } catch (error) {
      services.signal.throwIfAborted()
      if (!(error instanceof NoResponse)) throw error
      const isLasting = error.kind === 'unreachable' || error.kind === 'redirected'
      return isLasting ? [`the ${side} service: ${error.message}`] : []
    }
  }
  return (await Promise.all([problemOf('old'), problemOf('new')])).flat().join('; ') || null
}
