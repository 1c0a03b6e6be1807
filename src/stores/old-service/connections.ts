// The connections to an old service: limits the number of concurrent calls, and says which call is next.

import { type Clock, systemClock } from '../../clock.ts'
import { LookupError } from '../../errors.ts'
import { halfOf } from './limits.ts'

/**
 * What a call is for: `first` sends values for the first time, `shared` repeats values of several clients,
 * `single` repeats values of one client.
 */
export type Round = 'first' | 'shared' | 'single'

export interface Connections {
  /** The number that one query may use, and that all repeated calls may use together. */
  readonly half: number
  readonly isFree: (round: Round) => boolean
  /**
   * Takes a connection, at once if one is free.
   * @param patience milliseconds to wait at most
   * @throws LookupError `Overloaded`
   */
  readonly take: (round: Round, patience: number) => Promise<void>
  readonly giveBack: (round: Round) => void
}

interface Waiting {
  readonly round: Round
  readonly start: () => void
}

/** Adds to a FIFO line. Calls that only settle failed values of one client are last. */
export function lineUp<Item extends { readonly round: Round }>(line: Item[], item: Item): void {
  const next = item.round === 'single' ? -1 : line.findIndex(({ round }) => round === 'single')
  line.splice(next < 0 ? line.length : next, 0, item)
}

export function createConnections(most: number, clock: Clock = systemClock): Connections {
  const half = halfOf(most)
  const line: Waiting[] = []
  let busy = 0
  let repeating = 0

  const isFree = (round: Round): boolean => busy < most && (round === 'first' || repeating < half)

  function count(round: Round, change: 1 | -1): void {
    busy += change
    if (round !== 'first') repeating += change
  }

  function take(round: Round, patience: number): Promise<void> {
    if (isFree(round)) {
      count(round, 1)
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const start = () => {
        timer.close()
        count(round, 1)
        resolve()
      }
      const waiting: Waiting = { round, start }
      const timer = clock.setTimeout(() => {
        line.splice(line.indexOf(waiting), 1)
        reject(new LookupError('Overloaded'))
      }, patience)
      lineUp(line, waiting)
    })
  }

  function giveBack(round: Round): void {
    count(round, -1)
    const next = line.find((waiting) => isFree(waiting.round))
    if (next === undefined) return
    line.splice(line.indexOf(next), 1)
    next.start()
  }

  return { half, isFree, take, giveBack }
}
