/**
 * Values that are looked up in one turn of the event loop: some 40 ms of work. With a half of it, what is in
 * flight under overload took two turns, and 10 % less was answered.
 */
const MAX_MERGED_VALUES = 8192

/** Spreads the calls of a store that answers at once over turns of the event loop. */
export interface Turns {
  /** Asks for so many values. @returns resolves when it is their turn; `null` where that is now */
  readonly take: (values: number) => Promise<void> | null
}

interface Waiting {
  readonly values: number
  readonly start: () => void
}

/**
 * Between two turns, Node reads what has come and answers what is ready: without them, a burst of long lists
 * would keep all other clients waiting, and their rows in memory, until the last of them is looked up. A
 * longer list has a turn of its own.
 */
export function createTurns(): Turns {
  const line: Waiting[] = []
  let left = MAX_MERGED_VALUES
  let isRenewing = false

  function use(values: number): void {
    left -= values
    if (isRenewing) return
    isRenewing = true
    setImmediate(renew)
  }

  function renew(): void {
    isRenewing = false
    left = MAX_MERGED_VALUES
    for (let [next] = line; next !== undefined && fits(next.values); [next] = line) {
      line.shift()
      use(next.values)
      next.start()
    }
  }

  const fits = (values: number) => left === MAX_MERGED_VALUES || values <= left

  return {
    take: (values) => {
      if (line.length > 0 || !fits(values)) return new Promise((start) => line.push({ values, start }))
      use(values)
      return null
    },
  }
}
