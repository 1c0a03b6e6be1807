// A clock that a test sets.

import type { Clock, Timer } from '../../src/clock.ts'

interface Entry {
  due: number
  readonly every: number | null
  readonly callback: () => void
}

export function createClock(start = 0) {
  let time = start
  const entries = new Set<Entry>()
  const add = (callback: () => void, milliseconds: number, every: number | null): Timer => {
    const entry = { due: time + milliseconds, every, callback }
    entries.add(entry)
    const timer: Timer = { unref: () => timer, close: () => entries.delete(entry) }
    return timer
  }
  /** Lets code that awaits resolved promises run. */
  const settle = () => new Promise((resolve) => setImmediate(resolve))

  /** Runs the timers that are due until then, in the order of time, and those that they start. */
  async function advance(milliseconds: number): Promise<void> {
    const end = time + milliseconds
    await settle()
    for (;;) {
      const [next] = [...entries].toSorted((one, other) => one.due - other.due)
      if (next === undefined || next.due > end) break
      time = Math.max(time, next.due)
      if (next.every === null) entries.delete(next)
      else next.due += next.every
      next.callback()
      await settle()
    }
    time = end
  }

  const clock: Clock = {
    now: () => time,
    setTimeout: (callback, milliseconds) => add(callback, milliseconds, null),
    setInterval: (callback, milliseconds) => add(callback, milliseconds, milliseconds),
  }
  return {
    ...clock,
    advance,
    /** How many timers wait. */
    waiting: () => entries.size,
  }
}

/** A clock whose timers are due at once: what waits goes on, and its time goes by. */
export function createEagerClock(): Clock & { readonly waited: readonly number[] } {
  let time = 0
  const waited: number[] = []
  return {
    waited,
    now: () => time,
    setTimeout: (callback, milliseconds) => {
      const due = time + milliseconds
      waited.push(milliseconds)
      const handle = setImmediate(() => {
        time = Math.max(time, due)
        callback()
      })
      const timer: Timer = { unref: () => timer, close: () => clearImmediate(handle) }
      return timer
    },
    setInterval: () => {
      throw new Error('an interval would never end')
    },
  }
}
