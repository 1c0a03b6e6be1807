// Limits the number of concurrent calls to an old service. Calls wait in the order in which they came.

import { type Clock, systemClock } from '../../clock.ts'
import { LookupError } from '../../errors.ts'

export interface OldServiceConnections {
  /** The most connections of one query, and of all repeated calls together. */
  readonly half: number
  /**
   * Takes a connection, at once if one is free.
   * @param patience milliseconds to wait at most
   * @param isRepeat whether the call repeats values
   * @returns a function that gives the connection back
   * @throws LookupError `Overloaded`
   */
  readonly take: (patience: number, isRepeat?: boolean) => Promise<() => void>
}

export function createConnections(most: number, clock: Clock = systemClock): OldServiceConnections {
  const half = Math.max(1, most >> 1)
  const waiting: { readonly isRepeat: boolean; readonly start: () => void }[] = []
  let busy = 0
  let busyRepeats = 0

  function startNext(): void {
    const isFree = (isRepeat: boolean) => busy < most && (!isRepeat || busyRepeats < half)
    const next = waiting.findIndex(({ isRepeat }) => isFree(isRepeat))
    if (next !== -1) waiting.splice(next, 1)[0]?.start()
  }

  function take(patience: number, isRepeat = false): Promise<() => void> {
    const { promise, resolve, reject } = Promise.withResolvers<() => void>()
    const start = () => {
      timer.close()
      busy++
      busyRepeats += Number(isRepeat)
      resolve(() => {
        busy--
        busyRepeats -= Number(isRepeat)
        startNext()
      })
    }
    const call = { isRepeat, start }
    const timer = clock.setTimeout(() => {
      waiting.splice(waiting.indexOf(call), 1)
      reject(new LookupError('Overloaded'))
    }, patience)
    waiting.push(call)
    startNext()
    return promise
  }

  return { half, take }
}
