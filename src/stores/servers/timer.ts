export interface Timer {
  readonly stop: () => void
}

/**
 * A timer that does not take our own business for another's silence: after Node was busy, answers that have
 * come are read before it is up.
 */
export function startTimer(milliseconds: number, onEnd: () => unknown): Timer {
  let stopped = false
  const timer = setTimeout(() => setImmediate(() => stopped || onEnd()), milliseconds)
  return {
    stop: () => {
      stopped = true
      clearTimeout(timer)
    },
  }
}
