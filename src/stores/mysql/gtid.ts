// Which transactions a server has, by their global identifiers. MySQL has sets of ranges for each server that
// they began at, MariaDB the last number of each replication domain.

/** The ranges of numbers, both ends included, by where they come from. */
export type Transactions = ReadonlyMap<string, readonly (readonly [first: number, last: number])[]>

/** Reads `gtid_executed` of MySQL: `UUID:1-5:7,UUID:TAG:1-3`. */
export function readGtidSet(text: string): Transactions {
  const ranges = new Map<string, (readonly [number, number])[]>()
  for (const part of text.split(',')) {
    const [server = '', ...rest] = part.trim().split(':')
    let origin = server
    for (const word of rest) {
      const range = /^(\d+)(?:-(\d+))?$/.exec(word)
      if (range === null) {
        origin = `${server}:${word}`
        continue
      }
      const known = ranges.get(origin) ?? []
      known.push([Number(range[1]), Number(range[2] ?? range[1])])
      ranges.set(origin, known)
    }
  }
  return ranges
}

/** Reads a position of MariaDB: `DOMAIN-SERVER-NUMBER,…`. */
export function readGtidPosition(text: string): Transactions {
  const last = [...text.matchAll(/(\d+)-\d+-(\d+)/g)]
  return new Map(last.map(([, domain = '', number]) => [domain, [[1, Number(number)]]]))
}

export function countOf(transactions: Transactions): number {
  let count = 0
  for (const ranges of transactions.values()) for (const [first, last] of ranges) count += last - first + 1
  return count
}

/** Whether some of one are not among the other. @param ignored where they may come from */
export function hasOthers(one: Transactions, other: Transactions, ignored: string | null): boolean {
  return [...one].some(([origin, ranges]) => {
    if (ignored !== null && origin.split(':')[0] === ignored) return false
    const known = other.get(origin) ?? []
    return !ranges.every(([first, last]) => known.some(([from, to]) => from <= first && last <= to))
  })
}

/** Whether any come from the same place. */
export function areRelated(one: Transactions, other: Transactions): boolean {
  return one.size === 0 || other.size === 0 || [...one.keys()].some((origin) => other.has(origin))
}
