// Who has answered how many requests, for operators who ask the admin port.

/** The side that a client belongs to. */
export type Side = 'old' | 'new'

/** Requests, by the side of the client and by what answered: the other one is a fallback. */
export interface Tally {
  readonly old: Answered
  readonly new: Answered
}

interface Answered {
  old: number
  new: number
  /** No side could. */
  none: number
  /** Times that this side was asked and could not answer. */
  failures: number
}

/** Milliseconds that counts wait, so that many requests are one message. */
const REPORT_INTERVAL_MS = 200

export function emptyTally(): Tally {
  return { old: emptySide(), new: emptySide() }
}

function emptySide(): Answered {
  return { old: 0, new: 0, none: 0, failures: 0 }
}

export function addTally(sum: Tally, more: Tally): void {
  for (const side of ['old', 'new'] as const)
    for (const what of ['old', 'new', 'none', 'failures'] as const) sum[side][what] += more[side][what]
}

export interface TallyKeeper {
  readonly count: (side: Side, what: keyof Answered) => void
  readonly flush: () => void
}

/** Counts, and reports what has been counted soon after. */
export function createTally(report: (tally: Tally) => void): TallyKeeper {
  let tally: Tally | null = null

  function flush(): void {
    if (tally === null) return
    report(tally)
    tally = null
  }

  function count(side: Side, what: keyof Answered): void {
    if (tally === null) {
      tally = emptyTally()
      setTimeout(flush, REPORT_INTERVAL_MS).unref()
    }
    tally[side][what]++
  }

  return { count, flush }
}
