// More is asked than one process can answer: it says so at once to some, so that the others are answered in time.

import { eventLoopUtilization } from 'node:perf_hooks'

/** Milliseconds that what is in flight may take: who is let in waits for twice that at worst. */
const AHEAD = 40
/** So few at once are never refused, however dear each of them is. */
const FEW = 64
/** Milliseconds over which the load is measured: longer where there were few requests, which are no load. */
const WINDOW = 100
const LONG_WINDOW = 1000
/** How much of that time Node must have been busy. */
const SATURATED = 0.95
/** The share of the time that may go into refusing, */
const SHARE = 0.25
/** and what a refusal costs on the whole, times what of it can be measured: Node has read the request before. */
const WHOLE = 2
/** What it costs as long as it is not known, in milliseconds. */
const PRESUMED = 0.013

export interface Admission {
  /** Whether one more request is let in, at this time (`performance.now()`). */
  readonly enter: (now: number) => boolean
  /** Says that a request is answered, or refused if it was not let in, so many milliseconds after it came. */
  readonly leave: (wasLetIn: boolean, took: number) => void
  readonly inFlight: () => number
}

/**
 * Lets requests in.
 *
 * While Node has time to spare, all of them. When it has been busy without a pause, no more are in flight than it
 * answers in 40 ms at its present pace: Little's law. Where answering is hardly dearer than refusing, refusing would
 * only keep it from answering, so that no more than a quarter of the time goes into it; those who are let in wait longer.
 *
 * @param most in flight at any time, busy or not: a bound on memory
 */
export function createAdmission(most: number): Admission {
  let inFlight = 0
  let limit = most
  let refusal = PRESUMED
  let refusalsForEach = 0
  let credit = 0
  let answered = 0
  let start = 0
  let before = eventLoopUtilization()

  function measure(now: number): void {
    const elapsed = now - start
    const current = eventLoopUtilization()
    const { utilization } = eventLoopUtilization(current, before)
    const saturated = utilization >= SATURATED && answered >= FEW
    limit = saturated ? Math.min(most, Math.max(FEW, (AHEAD * answered) / elapsed)) : most
    refusalsForEach = saturated ? (SHARE * elapsed) / (refusal * answered) : 0
    start = now
    before = current
    answered = 0
    credit = 0
  }

  function enter(now: number): boolean {
    if (now - start >= (answered < FEW ? LONG_WINDOW : WINDOW)) measure(now)
    if (inFlight >= limit) {
      if (inFlight >= most) return false
      if (credit >= 1) {
        credit--
        return false
      }
    }
    inFlight++
    credit += refusalsForEach
    return true
  }

  function leave(wasLetIn: boolean, took: number): void {
    if (wasLetIn) {
      inFlight--
      answered++
    } else refusal += (WHOLE * took - refusal) / 64
  }

  return { enter, leave, inFlight: () => inFlight }
}
