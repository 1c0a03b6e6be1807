// More is asked than one process can answer: it says so at once to some, so that the others are answered in time.

import { eventLoopUtilization } from 'node:perf_hooks'

/** Milliseconds of work that may be in flight: who is let in waits for some three times that at worst. */
const AHEAD = 10
/** So few at once are never refused, however dear each of them is. */
const FEW = 32
/** Milliseconds over which the load is measured: longer where there were few requests, which are no load. */
const WINDOW = 100
const LONG_WINDOW = 1000
/** How much of that time Node must have been busy. */
const SATURATED = 0.95
/** An answer that costs as much as so many refusals is worth half of the time to refuse others. */
const DEAR = 8
/** What a refusal costs on the whole, times what of it can be measured: Node has read the request before. */
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
 * answers in 10 ms at its present pace: Little's law. Where answering is hardly dearer than refusing, refusing would
 * only keep it from answering, so that little time goes into it, and those who are let in wait longer.
 *
 * @param most in flight at any time, busy or not: a bound on memory
 */
export function createAdmission(most: number): Admission {
  let inFlight = 0
  let limit = most
  let refusal = PRESUMED
  /** Milliseconds that may still go into refusing until the load is measured again. */
  let spare = 0
  let answered = 0
  let refused = 0
  let start = 0
  let before = eventLoopUtilization()

  function measure(now: number): void {
    const elapsed = now - start
    const current = eventLoopUtilization()
    const { utilization } = eventLoopUtilization(current, before)
    limit = most
    if (utilization >= SATURATED && answered >= FEW) {
      limit = Math.min(most, Math.max(FEW, (AHEAD * answered) / elapsed))
      const answer = Math.max(0, elapsed - refused * refusal) / answered
      spare = (elapsed * answer) / (answer + DEAR * refusal)
    }
    start = now
    before = current
    answered = 0
    refused = 0
  }

  function enter(now: number): boolean {
    if (now - start >= (answered < FEW ? LONG_WINDOW : WINDOW)) measure(now)
    if (inFlight >= limit && (inFlight >= most || spare > 0)) return false
    inFlight++
    return true
  }

  function leave(wasLetIn: boolean, took: number): void {
    if (wasLetIn) {
      inFlight--
      answered++
    } else {
      refused++
      spare -= refusal
      // One that was interrupted, to collect garbage say, tells little of what the others cost.
      refusal += (Math.min(WHOLE * took, 4 * refusal) - refusal) / 64
    }
  }

  return { enter, leave, inFlight: () => inFlight }
}
