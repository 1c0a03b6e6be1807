// Limits the number of concurrent calls to an old service. Calls wait in the order in which they came.

import { type Clock, systemClock } from '../../clock.ts'
import { LookupError } from '../../errors.ts'

export interface Connections {
  /** How many one query may use, and all repeated calls together. */
  readonly half: number
  /**
   * Takes a connection, at once if one is free.
   * @param patience milliseconds to wait at most
   * @param isRepeat whether the call repeats values: such calls leave half of the connections to others
   * @returns a function that gives the connection back
   * @throws LookupError `Overloaded`
   */
  readonly take: (patience: number, isRepeat?: boolean) => Promise<() => void>
}

export function createConnections(most: number, clock: Clock = systemClock): Connections {
  const half = Math.max(1, most >> 1)
  const line: { readonly isRepeat: boolean; readonly start: () => void }[] = []
  let busy = 0
  let repeats = 0

  function startNext(): void {
    const next = line.findIndex(({ isRepeat }) => busy < most && (!isRepeat || repeats < half))
    if (next >= 0) line.splice(next, 1)[0]?.start()
  }

  return {
    half,
    take: (patience, isRepeat = false) =>
      new Promise((resolve, reject) => {
        const start = () => {
          timer.close()
          busy++
          repeats += Number(isRepeat)
          resolve(() => {
            busy--
            repeats -= Number(isRepeat)
            startNext()
          })
        }
        const call = { isRepeat, start }
        const timer = clock.setTimeout(() => {
          line.splice(line.indexOf(call), 1)
          reject(new LookupError('Overloaded'))
        }, patience)
        line.push(call)
        startNext()
      }),
  }
}
