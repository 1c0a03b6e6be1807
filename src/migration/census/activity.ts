// The activity of one client, or of several: how many requests, for what, and on which days.

import { OTHER_KIND, type RequestKind } from './request-kinds.ts'

const DAY_MS = 86_400_000
/** Days of an activity; older ones are dropped. */
export const MAX_DAYS = 400
/** The first of January 1970 was a Thursday; weeks begin on Mondays. */
const DAYS_BEFORE_MONDAY = 3
/** Kinds of requests, and versions, of one client. */
const MAX_KINDS = 30
const MAX_VERSIONS = 10

/** Days since 1970, in UTC. */
export const dayOf = (time: number) => Math.floor(time / DAY_MS)
/** The Monday of the week of a day. */
export const mondayOf = (day: number) => day - ((day + DAYS_BEFORE_MONDAY) % 7)
/** `2026-11-22` */
export const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10)

export class Activity {
  requests = 0
  /** Milliseconds since 1970; infinite if no request has a time. */
  first = Number.POSITIVE_INFINITY
  last = Number.NEGATIVE_INFINITY
  readonly days = new DayCounts()
  readonly kinds = new Map<RequestKind, number>()
  readonly versions: string[] = []

  /** @param time null if it is not known */
  add(kind: RequestKind, version: string, time: number | null): void {
    this.#count(this.kinds.size < MAX_KINDS || this.kinds.has(kind) ? kind : OTHER_KIND, 1)
    this.#addVersion(version)
    if (time === null) return
    this.#see(time, time)
    this.days.add(dayOf(time), 1)
  }

  addAll({ first, last, days, kinds, versions }: Activity): void {
    for (const [kind, requests] of kinds) this.#count(kind, requests)
    for (const version of versions) this.#addVersion(version)
    this.#see(first, last)
    // The newest first: older days are dropped at once.
    for (let at = days.counts.length - 1; at >= 0; at--) {
      const requests = days.counts[at] ?? 0
      if (requests > 0) this.days.add(days.from + at, requests)
    }
  }

  #count(kind: RequestKind, requests: number): void {
    this.requests += requests
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + requests)
  }

  #see(first: number, last: number): void {
    this.first = Math.min(this.first, first)
    this.last = Math.max(this.last, last)
  }

  #addVersion(version: string): void {
    if (version !== '' && this.versions.length < MAX_VERSIONS && !this.versions.includes(version))
      this.versions.push(version)
  }
}

/** Requests of each day from the first to the last, of the newest days. */
export class DayCounts {
  from = 0
  // A typed array would have to be copied for each new day.
  readonly counts: number[] = []

  /** The day after the last one. */
  get end(): number {
    return this.from + this.counts.length
  }

  add(day: number, requests: number): void {
    // All days so far are too old.
    if (day - MAX_DAYS >= this.end - 1) this.counts.length = 0
    if (this.counts.length === 0) this.from = day
    const end = Math.max(this.end, day + 1)
    const from = Math.max(Math.min(this.from, day), end - MAX_DAYS)
    if (day < from) return
    if (from > this.from) this.counts.splice(0, from - this.from)
    else if (from < this.from) this.counts.unshift(...Array<number>(this.from - from).fill(0))
    this.from = from
    while (this.end < end) this.counts.push(0)
    this.counts[day - from] = (this.counts[day - from] ?? 0) + requests
  }
}
