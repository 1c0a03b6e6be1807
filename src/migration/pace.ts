import { setTimeout as sleep } from 'node:timers/promises'

/** What an old service, or a gateway, has for a call. */
export const CALL_TIMEOUT_MS = 10_000

/** Resolves when the next call may begin. */
export type Pace = (signal?: AbortSignal) => Promise<void>

/**
 * Lets so many calls a second begin, one after the other and never a bunch at once: the service has other
 * clients to answer.
 */
export function createPace(perSecond: number): Pace {
  const interval = 1000 / perSecond
  let next = 0
  return async (signal) => {
    const now = performance.now()
    const turn = Math.max(now, next)
    next = turn + interval
    if (turn > now) await sleep(turn - now, undefined, signal === undefined ? {} : { signal })
  }
}
