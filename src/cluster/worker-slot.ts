// A place for a worker that is never empty for long.

import { setTimeout as pause } from 'node:timers/promises'
import type { Observe } from '../observe/events.ts'
import type { WorkerProcess } from './worker-process.ts'

/** Milliseconds after which a worker has proved that it can run. */
const PROVEN_MS = 10_000
/**
 * Milliseconds before the second worker in a row that replaces one that died early; doubled for each after
 * it.
 */
const RESTART_DELAY_MS = 1_000
const MAX_RESTART_DELAY_MS = 30_000
/**
 * The same, in milliseconds, where no other worker is there: it is wanted at once, but may be unable to
 * start.
 */
const LAST_WORKER_DELAY_MS = 100
const MAX_LAST_WORKER_DELAY_MS = 1_000

export interface WorkerSlot {
  readonly current: () => WorkerProcess
  /** Gives the place to another worker; what becomes of the one before is no longer its business. */
  readonly put: (child: WorkerProcess) => void
}

interface WorkerSlotOptions {
  readonly start: () => WorkerProcess
  /** Whether there is a worker that takes connections, or will soon. */
  readonly isStaffed: () => boolean
  readonly observe: Observe
  /** Aborted when no worker is to be replaced any more. */
  readonly closing: AbortSignal
}

export function createWorkerSlot(
  first: WorkerProcess,
  { start, isStaffed, observe, closing }: WorkerSlotOptions,
): WorkerSlot {
  let current = first
  let earlyDeaths = 0
  let vainStarts = 0

  function put(child: WorkerProcess): void {
    current = child
    void child.ended.then((reason) => replace(child, reason))
  }

  async function replace(dead: WorkerProcess, reason: string): Promise<void> {
    const over = () => closing.aborted || current !== dead
    if (over()) return
    observe({ type: 'worker-lost', reason })
    if (dead.age() > PROVEN_MS) earlyDeaths = 0
    if (dead.hasListened()) vainStarts = 0
    const wait = isStaffed()
      ? pauseAfter(earlyDeaths, RESTART_DELAY_MS, MAX_RESTART_DELAY_MS)
      : pauseAfter(vainStarts, LAST_WORKER_DELAY_MS, MAX_LAST_WORKER_DELAY_MS)
    await pause(wait, undefined, { signal: closing }).catch(() => {})
    earlyDeaths += 1
    vainStarts += 1
    if (!over()) put(start())
  }

  put(first)
  return { current: () => current, put }
}

/**
 * The first is replaced at once. One that dies again and again must not keep the machine busy with starting
 * it.
 */
function pauseAfter(deaths: number, first: number, longest: number): number {
  return deaths === 0 ? 0 : Math.min(first * 2 ** (deaths - 1), longest)
}
