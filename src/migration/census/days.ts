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

/** Counts by day, from a first day on. */
export class Days {
  from = 0
  counts: Uint32Array = new Uint32Array(0)

  add(day: number, requests: number): void {
    const at = day - this.from
    if (at >= 0 && at < this.counts.length) this.counts[at] = (this.counts[at] ?? 0) + requests
    else if (this.#makeRoom(day)) this.add(day, requests)
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

  /** @returns `false` for a day that is too old */
  #makeRoom(day: number): boolean {
    const isEmpty = this.counts.length === 0
    const end = isEmpty ? day + 1 : Math.max(this.end, day + 1)
    const from = Math.max(isEmpty ? day : Math.min(this.from, day), end - MAX_DAYS)
    if (day < from) return false
    const wider = new Uint32Array(end - from)
    const kept = this.counts.subarray(Math.max(0, from - this.from))
    wider.set(kept, Math.max(0, this.from - from))
    this.from = from
    this.counts = wider
    return true
  }
}
