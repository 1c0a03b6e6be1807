// How fast calls to an old service may follow each other, and how long they may take.

import { type Clock, systemClock } from '../clock.ts'
import type { OldServiceResponse } from '../stores/old-service/call.ts'

/** The timeout of a call, in milliseconds. */
export const CALL_TIMEOUT_MS = 10_000

/** Milliseconds until the time of `Retry-After`: a number of seconds, or a date (RFC 9110, 10.2.3). */
export function retryAfterOf({ headers }: Pick<OldServiceResponse, 'headers'>): number {
  const text = headers['retry-after'] ?? ''
  // The clock of the service may be wrong: its own date is the start.
  const now = Date.parse(headers.date ?? '') || Date.now()
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isNaN(wait) ? 0 : Math.max(0, wait)
}

/** Resolves when the next call may begin. */
export type Pace = (signal?: AbortSignal) => Promise<void>

/** Spaces the starts of calls evenly, without bursts: the service has other clients. */
export function createPace(perSecond: number, clock: Clock = systemClock): Pace {
  const interval = 1000 / perSecond
  let next = 0
  return async (signal) => {
    const now = clock.now()
    const start = Math.max(now, next)
    next = start + interval
    if (start > now) await wait(start - now, signal, clock)
  }
}

/** Resolves after a time in milliseconds; rejects with the reason of the signal. */
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
