// The clock as a parameter: tests pass a clock that they set, and need not wait.

/** Node's Timeout is one. */
export interface Timer {
  /** Lets the process end before the timer. */
  readonly unref: () => Timer
  readonly close: () => void
}

export interface Clock {
  /** Milliseconds since some moment; never goes back. */
  readonly now: () => number
  readonly setTimeout: (callback: () => void, milliseconds: number) => Timer
  readonly setInterval: (callback: () => void, milliseconds: number) => Timer
}

export const systemClock: Clock = { now: () => performance.now(), setTimeout, setInterval }

/** Resolves after so many milliseconds, unless the process ends before. */
export function pause(milliseconds: number, clock: Clock = systemClock): Promise<void> {
  return new Promise((resolve) => {
    clock.setTimeout(resolve, milliseconds).unref()
  })
}

/** Blocks the event loop. */
export function sleep(milliseconds: number): void {
  if (milliseconds > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
