// Requests by day, in UTC, in memory that is bounded: of the newest days.

const DAY_MS = 86_400_000
/** Days that are told apart; older ones are forgotten. */
export const MAX_DAYS = 400
/** The first of January 1970 was a Thursday; weeks begin on Mondays. */
const DAYS_BEFORE_MONDAY = 3

/** Days since 1970. */
export const dayOf = (time: number) => Math.floor(time / DAY_MS)
/** The Monday of a day's week. */
export const mondayOf = (day: number) => day - ((day + DAYS_BEFORE_MONDAY) % 7)
/** `2026-11-22` */
export const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** Counts by day, from a first day on, none left out. */
export class Days {
  from = 0
  // A typed array would have to be made anew for each day that comes.
  readonly counts: number[] = []

  add(day: number, requests: number): void {
    if (this.counts.length === 0) this.from = day
    if (day >= this.end) this.#extendTo(day)
    else if (day < this.from && !this.#extendBack(day)) return
    this.counts[day - this.from] = (this.counts[day - this.from] ?? 0) + requests
  }

  addAll({ from, counts }: Days): void {
    // The newest first: what is too old then is not let in at all.
    for (let at = counts.length - 1; at >= 0; at--) {
      const requests = counts[at] ?? 0
      if (requests > 0) this.add(from + at, requests)
    }
  }

  /** How many requests there were from a day on, up to another one. */
  sum(from: number, end: number): number {
    let sum = 0
    for (let day = Math.max(from, this.from); day < Math.min(end, this.end); day++)
      sum += this.counts[day - this.from] ?? 0
    return sum
  }

  /** The day after the last one. */
  get end(): number {
    return this.from + this.counts.length
  }

  #extendTo(day: number): void {
    const from = day + 1 - MAX_DAYS
    if (from >= this.end) {
      this.counts.length = 0
      this.from = day
    } else if (from > this.from) {
      this.counts.splice(0, from - this.from)
      this.from = from
    }
    while (this.end <= day) this.counts.push(0)
  }

  /** @returns `false` for a day that is too old */
  #extendBack(day: number): boolean {
    if (day < this.end - MAX_DAYS) return false
    this.counts.unshift(...Array<number>(this.from - day).fill(0))
    this.from = day
    return true
  }
}
