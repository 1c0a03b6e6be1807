import { type Clock, systemClock } from '../clock.ts'
import type { Reply } from '../stores/old-service/call.ts'

/** What an old service, or a gateway, has for a call. */
export const CALL_TIMEOUT_MS = 10_000

/** Milliseconds until the time of `Retry-After`: a number of seconds, or a date (RFC 9110, 10.2.3). */
export function retryAfterOf({ headers }: Pick<Reply, 'headers'>): number {
  const text = headers['retry-after'] ?? ''
  // The clock of the service may be wrong: its own date is the start.
  const now = Date.parse(headers.date ?? '') || Date.now()
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isNaN(wait) ? 0 : Math.max(0, wait)
}

/** Resolves when the next call may begin. */
export type Pace = (signal?: AbortSignal) => Promise<void>

/**
 * Lets so many calls a second begin, one after the other and never a bunch at once: the service has other
 * clients to answer.
 */
export function createPace(perSecond: number, clock: Clock = systemClock): Pace {
  const interval = 1000 / perSecond
  let next = 0
  return async (signal) => {
    const now = clock.now()
    const turn = Math.max(now, next)
    next = turn + interval
    if (turn > now) await wait(turn - now, signal, clock)
  }
}

/** Resolves after so many milliseconds; rejects with the reason of the signal. */
export function wait(
  milliseconds: number,
  signal: AbortSignal | undefined,
  clock: Clock = systemClock,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      timer.close()
      reject(signal?.reason)
    }
    const timer = clock.setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
