// When the last server has gone out: servers that are restarted in turn are not all away, though none of them
// is known to be back. Queries wait for a moment while each is probed again and again.

import { setTimeout as pause } from 'node:timers/promises'
import type { Server } from './server.ts'

/** Milliseconds since a server was last used, in which queries wait for one. */
const REVIVAL_MS = 500
/**
 * Milliseconds between the first two probes of a server; then twice as long, and so on, up to the longest.
 */
const PROBE_PAUSE_MS = 10
const MAX_PROBE_PAUSE_MS = 50

interface Revival {
  /** Whether no server can be used, since so short a time that a query may wait for one. */
  readonly isUnderWay: () => boolean
  /**
   * Resolves when a server can be used, or there is no sense in waiting any more: in a lasting outage, at
   * once.
   */
  readonly wait: (deadline: number) => Promise<void>
}

export function createRevival(all: readonly Server[]): Revival {
  let reviving: Promise<void> | null = null

  /** Until when queries wait, on the clock of `performance`. */
  const end = () => REVIVAL_MS + Math.max(...all.map(({ lastUsed }) => lastUsed()))

  async function wait(deadline: number): Promise<void> {
    const left = Math.min(deadline, end()) - performance.now()
    if (left <= 0) return
    reviving ??= Promise.any(all.map((server) => untilUsed(server, end)))
      .catch(() => {})
      .finally(() => {
        reviving = null
      })
    await Promise.race([reviving, pause(left, undefined, { ref: false })])
  }

  return { isUnderWay: () => performance.now() < end(), wait }
}

/** @throws where it is out all the time */
async function untilUsed(server: Server, end: () => number): Promise<void> {
  for (let wait = PROBE_PAUSE_MS; ; wait = Math.min(2 * wait, MAX_PROBE_PAUSE_MS)) {
    try {
      await server.probe()
      return
    } catch (error) {
      // A faulty one is better than none.
      if (server.state() !== 'out') return
      if (performance.now() + wait > end()) throw error
    }
    await pause(wait, undefined, { ref: false })
  }
}
