// What the tests of promises measure: small figures in `npm run test:faults`, the full ones in
// `npm run test:nightly`, which writes them into docs/promises.md.

import type { TestContext } from 'vitest'

/** One line of the report. */
export interface Figure {
  /** The number of the promise in docs/promises.md. */
  readonly promise: number
  readonly what: string
  /** What is promised, such as `≤ 50 ms`. */
  readonly bound: string
  readonly measured: string
}

declare module 'vitest' {
  interface TaskMeta {
    figures?: Figure[]
  }
}

const full = process.env.NIGHTLY !== undefined

/** How much to do: a little in `npm run test:faults`, all of it in `npm run test:nightly`. */
export function figure<Value>(small: Value, whole: Value): Value {
  return full ? whole : small
}

/** Notes what a test has measured, for the report. */
export function note({ task }: Pick<TestContext, 'task'>, ...figures: readonly Figure[]): void {
  task.meta.figures = [...(task.meta.figures ?? []), ...figures]
}
