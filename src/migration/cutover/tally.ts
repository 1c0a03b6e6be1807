// How many requests each side answered, for operators who ask the admin port.

import type { Side } from './side.ts'

/** A request, by the side of its client and the side that answered; or a side that could not answer. */
export type Count = `${Side} ${Side | 'none' | 'failed'}`
export type Tally = Partial<Record<Count, number>>

/** Milliseconds that counts wait, so that many requests are one message. */
const REPORT_INTERVAL_MS = 200

export function addTally(sum: Tally, more: Tally): void {
  for (const side of ['old', 'new'] as const)
    for (const what of ['old', 'new', 'none', 'failed'] as const)
      sum[`${side} ${what}`] = (sum[`${side} ${what}`] ?? 0) + (more[`${side} ${what}`] ?? 0)
}

export function createTally(report: (tally: Tally) => void) {
  let tally: Tally | null = null

  function flush(): void {
    if (tally !== null) report(tally)
    tally = null
  }

  function count(what: Count): void {
    if (tally === null) {
      tally = {}
      setTimeout(flush, REPORT_INTERVAL_MS).unref()
    }
    tally[what] = (tally[what] ?? 0) + 1
  }

  return { count, flush }
}
