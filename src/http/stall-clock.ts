/** Milliseconds between two ticks of the clock, and by which a tick is late after a stall of the process. */
const TICK_MS = 50
const STALL_MS = 100

/**
 * A request that is read after the process was stopped has waited in the kernel. Node cannot tell for how
 * long. A late tick gives the upper bound.
 */
export function createStallClock() {
  let tickAt = performance.now()
  /** Since when requests may have waited that are read in this turn of the event loop or the next one. */
  let stalledAt: number | null = null

  function tick(): void {
    const now = performance.now()
    const dueAt = tickAt + TICK_MS
    tickAt = now
    if (now - dueAt < STALL_MS) return
    stalledAt = dueAt
    // A turn reads kept connections and accepts a new one, which the next turn reads.
    setImmediate(setImmediate, () => {
      stalledAt = null
    })
  }

  const ticking = setInterval(tick, TICK_MS).unref()
  return {
    /** When a request came that Node has just read, by performance.now(). */
    arrival: () => stalledAt ?? Math.min(performance.now(), tickAt + TICK_MS + STALL_MS),
    close: () => clearInterval(ticking),
  }
}
