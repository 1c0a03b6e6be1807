// More is asked than one process can answer: it says so at once to some, so that the others are answered in
// time.

import { eventLoopUtilization } from 'node:perf_hooks'

/** Milliseconds of work that may be in flight before requests are refused: clients wait for each other. */
const TOLERATED_WORK_MS = 50
/** No more requests than that, or what the other limit allows: the next ones may be dearer than the last. */
const TOLERATED_REQUESTS = 256
/** The same while requests are refused: an admitted request waits at most some three times that. */
const IN_FLIGHT_WORK_MS = 10
/**
 * Milliseconds until more is tolerated again, to see whether it is enough by now: twice as many each time,
 * and as few as at first after so many without a refusal.
 */
const FIRST_RETRY_MS = 2_000
const MAX_RETRY_MS = 10_000
const CALM_MS = 1_000
/** So few at once are never refused, however dear each of them is. */
const ALWAYS_ADMITTED = 32
/** Milliseconds over which the load is measured: longer where there were few requests, which are no load. */
const WINDOW_MS = 100
const LONG_WINDOW_MS = 1000
/** How much of that time Node must have been busy. */
const SATURATED_UTILIZATION = 0.95
/** An answer that costs as much as so many refusals is worth half of the time to refuse others. */
const COSTLY_ANSWER_RATIO = 8
/** What a refusal costs on the whole, times what of it can be measured: Node has read the request before. */
const REFUSAL_COST_FACTOR = 2
/** What it costs as long as it is not known, in milliseconds. */
const PRESUMED_REFUSAL_MS = 0.013

export interface Admission {
  /** Whether one more request is let in, at this time (`performance.now()`). */
  readonly enter: (now: number) => boolean
  /** Says that a request is answered, or refused if it was not let in, so many milliseconds after it came. */
  readonly leave: (wasLetIn: boolean, took: number) => void
  readonly inFlight: () => number
  /**
   * Runs what waits for another service. Meanwhile its request holds memory, but takes no processor time: it
   * must not keep others out.
   */
  readonly elsewhere: <Value>(wait: () => Promise<Value>) => Promise<Value>
}

/**
 * Lets requests in.
 *
 * While Node has time to spare, all of them: also where it catches up after an interruption, by the system or
 * by garbage, which takes less than two windows. When it has been busy for longer without a pause, no more
 * are in flight than it answers in 50 ms at its present pace: Little's law. Clients of which each waits for
 * its answer, and which are no more than that, are all answered. Where there are more, so many would be in
 * flight all the time: as long as requests are refused, it is 10 ms, but for a moment now and then. Where
 * answering is hardly dearer than refusing, refusing would only keep it from answering, so that little time
 * goes into it, and admitted requests wait longer.
 *
 * @param most in flight at any time, busy or not: a bound on memory
 * @param isFull whether there is no memory for the response to any further request
 */
export function createAdmission(most: number, isFull = () => false): Admission {
  let inFlight = 0
  /** Of these, the requests that wait for another service. */
  let waiting = 0
  let limit = most
  /** The limit from the next refusal on. */
  let limitWhileRefusing = most
  /** Requests answered in a millisecond. */
  let pace = 0
  /** When the limit was last exceeded. */
  let lastExceeded = 0
  /** When the larger amount of work was last tolerated, and milliseconds until it is again. */
  let lastTolerated = 0
  let retry = FIRST_RETRY_MS
  let refusal = PRESUMED_REFUSAL_MS
  /** Milliseconds that may still go into refusing until the load is measured again. */
  let spare = 0
  let answered = 0
  let refused = 0
  let start = 0
  /** Whether Node was saturated in the last of the windows, and in the one before. */
  let wasSaturated = [false, false]
  let before = eventLoopUtilization()

  function measure(now: number): void {
    const elapsed = now - start
    const current = eventLoopUtilization()
    const { utilization } = eventLoopUtilization(current, before)
    limit = most
    // An interruption makes one window's pace too low.
    const best = Math.max(pace, answered / elapsed)
    pace = answered / elapsed
    const isSaturated = utilization >= SATURATED_UTILIZATION && answered >= ALWAYS_ADMITTED
    if (isSaturated && wasSaturated.includes(true)) {
      limitWhileRefusing = Math.min(most, Math.max(ALWAYS_ADMITTED, IN_FLIGHT_WORK_MS * best))
      const tolerated = Math.min(most, TOLERATED_REQUESTS, TOLERATED_WORK_MS * best)
      limit = toleratesMore(now) ? Math.max(limitWhileRefusing, tolerated) : limitWhileRefusing
      const answer = Math.max(0, elapsed - refused * refusal) / answered
      spare = (elapsed * answer) / (answer + COSTLY_ANSWER_RATIO * refusal)
    }
    start = now
    // Where hours lie between them, two windows are two interruptions.
    wasSaturated = [isSaturated, elapsed < 2 * LONG_WINDOW_MS && wasSaturated[0] === true]
    before = current
    answered = 0
    refused = 0
  }

  function toleratesMore(now: number): boolean {
    if (lastExceeded >= start) {
      if (now - lastTolerated < retry) return false
      retry = Math.min(2 * retry, MAX_RETRY_MS)
    } else if (now - lastExceeded >= CALM_MS) retry = FIRST_RETRY_MS
    lastTolerated = now
    return true
  }

  function enter(now: number): boolean {
    if (isFull()) return false
    if (now - start >= (answered < ALWAYS_ADMITTED ? LONG_WINDOW_MS : WINDOW_MS)) measure(now)
    if (inFlight >= most) return false
    if (inFlight - waiting >= limit && spare > 0) {
      limit = limitWhileRefusing
      lastExceeded = now
      return false
    }
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
      refusal += (Math.min(REFUSAL_COST_FACTOR * took, 4 * refusal) - refusal) / 64
    }
  }

  async function elsewhere<Value>(wait: () => Promise<Value>): Promise<Value> {
    waiting++
    try {
      return await wait()
    } finally {
      waiting--
    }
  }

  return { enter, leave, inFlight: () => inFlight, elsewhere }
}
