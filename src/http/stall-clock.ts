/** Milliseconds between two ticks of the clock. */
const TICK_MS = 50

export interface StallClock {
  /** When a request came that Node has just read, by performance.now(). */
  readonly arrival: () => number
  readonly close: () => void
}

/**
 * A request that is read after the process was stopped has waited in the system. Node cannot tell since when, but a
 * tick that is overdue says how long that was at most.
 */
export function createStallClock(): StallClock {
  let tickAt = performance.now()
  const ticking = setInterval(() => {
    tickAt = performance.now()
  }, TICK_MS).unref()
  return {
    arrival: () => Math.min(performance.now(), tickAt + 2 * TICK_MS),
    close: () => clearInterval(ticking),
  }
}
