// The time, as a parameter: a test sets a clock of its own, and waits for nothing.

/** Node's Timeout is one. */
export interface Timer {
  /** Lets the process end before. */
  readonly unref: () => Timer
  readonly close: () => void
}

export interface Clock {
  /** Milliseconds since some moment; never goes back. */
  readonly now: () => number
  readonly setTimeout: (callback: () => void, milliseconds: number) => Timer
  readonly setInterval: (callback: () => void, milliseconds: number) => Timer
  /** Returns after so many milliseconds. Nothing else runs meanwhile: the event loop does not turn. */
  readonly sleep: (milliseconds: number) => void
}

export const systemClock: Clock = { now: () => performance.now(), setTimeout, setInterval, sleep }

/** Resolves after so many milliseconds, for which the process does not wait. */
export function pause(milliseconds: number, clock: Clock = systemClock): Promise<void> {
  return new Promise((resolve) => {
    clock.setTimeout(resolve, milliseconds).unref()
  })
}

/** The `sleep` of the system's clock. */
export function sleep(milliseconds: number): void {
  if (milliseconds > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
