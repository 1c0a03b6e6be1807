// The clients of a log, each with its activity, in memory that does not grow with the log.

import { copyOf } from '../../text.ts'
import { OTHER_KIND, type RequestKind } from './request-kinds.ts'
import type { Agent } from './user-agent.ts'

/** Clients that are listed: one that makes up a name for each request must not fill the memory. */
export const MAX_CLIENTS = 20_000
/** Names under which the requests of all other clients are counted. */
const MAX_FAMILIES = 1_000
const OTHER_FAMILY = '(other names)'
/** Days, kinds of requests, and versions of one client. */
const MAX_DAYS = 400
const MAX_KINDS = 30
const MAX_VERSIONS = 10
export const DAY_MS = 86_400_000
/** How far the clock of a server may be ahead. A wrong year would push out the days that are right. */
const MAX_AHEAD_MS = DAY_MS

/** The activity of one client, or of several: how many requests, for what, and on which days. */
export class Activity {
  requests = 0
  /** Milliseconds since 1970; infinite if no request has a time. */
  first = Number.POSITIVE_INFINITY
  last = Number.NEGATIVE_INFINITY
  /** Requests by day since 1970, in UTC: of the newest days. */
  readonly days = new Map<number, number>()
  readonly kinds = new Map<RequestKind, number>()
  readonly versions = new Set<string>()

  /** @param time null if it is not known */
  add(kind: RequestKind, version: string, time: number | null): void {
    this.#count(this.kinds.size < MAX_KINDS || this.kinds.has(kind) ? kind : OTHER_KIND, 1)
    this.#addVersion(version)
    if (time === null) return
    this.first = Math.min(this.first, time)
    this.last = Math.max(this.last, time)
    this.#addDay(Math.floor(time / DAY_MS), 1)
  }

  addAll({ first, last, days, kinds, versions }: Activity): void {
    for (const [kind, requests] of kinds) this.#count(kind, requests)
    for (const version of versions) this.#addVersion(version)
    this.first = Math.min(this.first, first)
    this.last = Math.max(this.last, last)
    for (const [day, requests] of days) this.#addDay(day, requests)
  }

  /** Requests of each day from the first to the last one. */
  daily(): { readonly from: number; readonly counts: readonly number[] } {
    if (this.days.size === 0) return { from: 0, counts: [] }
    const last = Math.max(...this.days.keys())
    const from = Math.max(Math.min(...this.days.keys()), last - MAX_DAYS + 1)
    const counts = Array.from({ length: last - from + 1 }, (_, at) => this.days.get(from + at) ?? 0)
    return { from, counts }
  }

  #count(kind: RequestKind, requests: number): void {
    this.requests += requests
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + requests)
  }

  #addVersion(version: string): void {
    if (version !== '' && this.versions.size < MAX_VERSIONS) this.versions.add(version)
  }

  #addDay(day: number, requests: number): void {
    this.days.set(day, (this.days.get(day) ?? 0) + requests)
    if (this.days.size > MAX_DAYS) this.days.delete(Math.min(...this.days.keys()))
  }
}

interface CensusClient {
  readonly address: string
  readonly family: string
  /** The site of its requests; empty if that is not known. */
  readonly origin: string
  readonly activity: Activity
}

export class CensusClients {
  /** In the order of their first requests. */
  readonly list: CensusClient[] = []
  /** The activity of all other clients, by their names. */
  readonly others = new Map<string, Activity>()
  /** Requests without a time, or with one in the future. */
  withoutTime = 0
  readonly #latest = Date.now() + MAX_AHEAD_MS
  readonly #known = new Map<string, Activity>()

  add(address: string, { family, version }: Agent, origin: string, kind: RequestKind, time: number | null) {
    const isKnown = time !== null && time <= this.#latest
    if (!isKnown) this.withoutTime++
    this.#activityOf(address, family, origin).add(kind, version, isKnown ? time : null)
  }

  #activityOf(address: string, family: string, origin: string): Activity {
    const key = `${address}\0${family}\0${origin}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    if (this.list.length < MAX_CLIENTS) {
      const activity = new Activity()
      this.#known.set(copyOf(key), activity)
      this.list.push({ address: copyOf(address), family, origin, activity })
      return activity
    }
    const name = this.others.has(family) || this.others.size < MAX_FAMILIES ? family : OTHER_FAMILY
    const activity = this.others.get(name) ?? new Activity()
    this.others.set(name, activity)
    return activity
  }
}
