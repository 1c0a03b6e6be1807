import { type Clock, systemClock } from './clock.ts'

/** Milliseconds between two reports: a flood of events must be no flood of lines in the log. */
const REPORT_INTERVAL_MS = 1_000

export interface ThrottledCounter<First> {
  /** Counts so many more. What comes with the first of them stands for all. */
  readonly count: (first: First, more?: number) => void
  /** Reports at once what has been counted since the last report. */
  readonly flush: () => void
}

/** Counts, and reports the number and the first of them a second after that one. */
export function createThrottledCounter<First = void>(
  report: (count: number, first: First) => void,
  clock: Clock = systemClock,
): ThrottledCounter<First> {
  let counted: { readonly first: First; count: number } | null = null

  function flush(): void {
    if (counted === null) return
    const { count, first } = counted
    counted = null
    report(count, first)
  }

  function count(first: First, more = 1): void {
    if (counted === null) {
      counted = { first, count: 0 }
      clock.setTimeout(flush, REPORT_INTERVAL_MS).unref()
    }
    counted.count += more
  }

  return { count, flush }
}
