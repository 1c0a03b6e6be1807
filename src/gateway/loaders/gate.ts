import { type Clock, systemClock, type Timer } from '../../clock.ts'

/** How long something waits for the store before it is refused, in milliseconds. */
const WAIT_TIMEOUT_MS = 200

/**
 * Lets as much through to the store as it can work on; the rest waits in one line, first come, first served.
 */
export interface Gate {
  /**
   * Runs it in a later turn: with `true` as soon as there is room, with `false` when there was none for too
   * long.
   */
  readonly schedule: (run: (admitted: boolean) => void) => void
  /** Says that what was admitted is done. */
  readonly leave: () => void
}

interface Waiting {
  readonly run: (admitted: boolean) => void
  readonly timer: Timer
}

/** @param capacity how many may be inside, as things are now */
export function createGate(capacity: () => number, clock: Clock = systemClock): Gate {
  const line: Waiting[] = []
  let inside = 0

  // A store of which nothing can be asked says so quickly.
  const hasRoom = () => inside < Math.max(1, capacity())

  function admit(run: Waiting['run']): void {
    inside++
    setImmediate(run, true)
  }

  function schedule(run: Waiting['run']): void {
    if (line.length === 0 && hasRoom()) {
      admit(run)
      return
    }
    const timer = clock.setTimeout(() => {
      line.splice(line.indexOf(waiting), 1)
      run(false)
    }, WAIT_TIMEOUT_MS)
    const waiting = { run, timer }
    line.push(waiting)
  }

  function leave(): void {
    inside--
    while (line.length > 0 && hasRoom()) {
      const next = line.shift()
      if (next === undefined) return
      next.timer.close()
      admit(next.run)
    }
  }

  return { schedule, leave }
}
