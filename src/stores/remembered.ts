// What is told of a store to people who look: read now and then, and never waited for.

import { pause } from '../pauses.ts'

/** Milliseconds for which what was read is good. */
const CACHE_MS = 5_000
/** Milliseconds that a request waits for it; a later request is told. */
export const TIMEOUT_MS = 250

/**
 * @param read is called again when what it said is old, and one call at a time
 * @param unknown is told before anything was read, and after a reading that failed
 * @returns what is known; never throws
 */
export function remembered<Value>(read: () => Promise<Value>, unknown: Value): () => Promise<Value> {
  let known = unknown
  let until = 0
  let reading: Promise<void> | null = null

  async function readAgain(): Promise<void> {
    try {
      known = await read()
      until = performance.now() + CACHE_MS
    } catch {
      known = unknown // the caller of the store has observed why
    }
    reading = null
  }

  return async () => {
    if (performance.now() >= until) reading ??= readAgain()
    await Promise.race([reading, pause(TIMEOUT_MS)])
    return known
  }
}
