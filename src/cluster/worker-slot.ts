// A place for a worker that is never empty for long.

import { setTimeout as pause } from 'node:timers/promises'
import type { Observe } from '../observation.ts'
import type { Running } from './worker-process.ts'

/** Milliseconds after which a worker has proved that it can run. */
const PROVEN = 10_000
/** Milliseconds before the second worker in a row that replaces one that died early; doubled for each after it. */
const PAUSE = 1_000
const LONGEST_PAUSE = 30_000
/**
 * The same, in milliseconds, where no other worker is there: it is wanted at once, but may be unable to
 * start.
 */
const LONE_PAUSE = 100
const LONGEST_LONE_PAUSE = 1_000

export interface Place {
  readonly current: () => Running
  /** Gives the place to another worker; what becomes of the one before is no longer its business. */
  readonly put: (running: Running) => void
}

interface PlaceOptions {
  readonly start: () => Running
  /** Whether there is a worker that takes connections, or will soon. */
  readonly isStaffed: () => boolean
  readonly observe: Observe
  /** Aborted when nobody is to be replaced any more. */
  readonly closing: AbortSignal
}

export function createPlace(first: Running, { start, isStaffed, observe, closing }: PlaceOptions): Place {
  let current = first
  let earlyDeaths = 0
  let vainStarts = 0

  function put(running: Running): void {
    current = running
    void running.ended.then((reason) => replace(running, reason))
  }

  async function replace(dead: Running, reason: string): Promise<void> {
    const over = () => closing.aborted || current !== dead
    if (over()) return
    observe({ type: 'worker-lost', reason })
    if (dead.age() > PROVEN) earlyDeaths = 0
    if (dead.hasListened()) vainStarts = 0
    const wait = isStaffed()
      ? pauseAfter(earlyDeaths, PAUSE, LONGEST_PAUSE)
      : pauseAfter(vainStarts, LONE_PAUSE, LONGEST_LONE_PAUSE)
    await pause(wait, undefined, { signal: closing }).catch(() => {})
    earlyDeaths += 1
    vainStarts += 1
    if (!over()) put(start())
  }

  put(first)
  return { current: () => current, put }
}

/** The first is replaced at once. One that dies again and again must not keep the machine busy with starting it. */
function pauseAfter(deaths: number, first: number, longest: number): number {
  return deaths === 0 ? 0 : Math.min(first * 2 ** (deaths - 1), longest)
}
