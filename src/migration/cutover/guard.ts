// Whether the answers of the new side are as good as those of the old one.

import { type Clock, systemClock } from '../../clock.ts'

/** Fewer comparisons count as so many: the first difference alone says little of a share. */
const LEAST_COMPARISONS = 100

/** Comparisons within the window. */
export interface Compared {
  readonly compared: number
  /** Of these, answers that differ, and those that only the old service could give. */
  readonly bad: number
}

interface Guard {
  /** @returns whether more than what is allowed has been bad lately */
  readonly note: (isBad: boolean, count: number) => boolean
  readonly now: () => Compared
  readonly forget: () => void
}

interface Second {
  readonly at: number
  compared: number
  bad: number
}

/**
 * @param allowed share of the comparisons that may be bad
 * @param windowSeconds how long a comparison counts
 */
export function createGuard(allowed: number, windowSeconds: number, clock: Clock = systemClock): Guard {
  /** Of each second in which there were any, the oldest first. */
  const seconds: Second[] = []
  let compared = 0
  let bad = 0

  function count({ compared: all, bad: some }: Omit<Second, 'at'>, sign: 1 | -1): void {
    compared += sign * all
    bad += sign * some
  }

  function dropOld(): number {
    const now = Math.floor(clock.now() / 1000)
    for (let [oldest] = seconds; oldest && oldest.at <= now - windowSeconds; [oldest] = seconds) {
      count(oldest, -1)
      seconds.shift()
    }
    return now
  }

  function note(isBad: boolean, times: number): boolean {
    const at = dropOld()
    let last = seconds.at(-1)
    if (last?.at !== at) {
      last = { at, compared: 0, bad: 0 }
      seconds.push(last)
    }
    const more = { compared: times, bad: isBad ? times : 0 }
    last.compared += more.compared
    last.bad += more.bad
    count(more, 1)
    return bad > allowed * Math.max(compared, LEAST_COMPARISONS)
  }

  return {
    note,
    now: () => {
      dropOld()
      return { compared, bad }
    },
    forget: () => {
      seconds.length = 0
      compared = 0
      bad = 0
    },
  }
}
