// A place for a worker that is never empty for long.

import { setTimeout as pause } from 'node:timers/promises'
import type { Observe } from '../observe/observation.ts'
import type { Running } from './running.ts'

/** Milliseconds after which a worker has proved that it can run. */
const PROVEN = 10_000
/** Milliseconds before the second worker in a row that replaces one that died early; doubled for each after it. */
const PAUSE = 1_000
const LONGEST_PAUSE = 30_000

export interface Place {
  readonly current: () => Running
  /** Gives the place to another worker; what becomes of the one before is no longer its business. */
  readonly put: (running: Running) => void
}

interface PlaceOptions {
  readonly start: () => Running
  readonly observe: Observe
  /** Aborted when nobody is to be replaced any more. */
  readonly closing: AbortSignal
}

export function createPlace(first: Running, { start, observe, closing }: PlaceOptions): Place {
  let current = first
  let earlyDeaths = 0

  function put(running: Running): void {
    current = running
    void running.ended.then((reason) => replace(running, reason))
  }

  async function replace(dead: Running, reason: string): Promise<void> {
    const over = () => closing.aborted || current !== dead
    if (over()) return
    observe({ type: 'worker-lost', reason })
    if (dead.age() > PROVEN) earlyDeaths = 0
    await pause(pauseAfter(earlyDeaths), undefined, { signal: closing }).catch(() => {})
    earlyDeaths += 1
    if (!over()) put(start())
  }

  put(first)
  return { current: () => current, put }
}

/** The first is replaced at once. One that dies again and again must not keep the machine busy with starting it. */
function pauseAfter(earlyDeaths: number): number {
  return earlyDeaths === 0 ? 0 : Math.min(PAUSE * 2 ** (earlyDeaths - 1), LONGEST_PAUSE)
}
