// Adds up who asked for what and when, in memory that does not grow with what is counted.

import { copyOf } from '../../text.ts'
import { type Asked, OTHER_ASKED } from './asked.ts'
import { Days, dayOf } from './days.ts'
import type { Agent } from './user-agent.ts'

/** Clients that are told apart. One that makes up a name for each request must not fill the memory. */
export const MAX_CLIENTS = 20_000
/** Families that are told apart of those clients that are not. */
const MAX_FAMILIES = 1_000
const OTHER_FAMILY = '(other names)'
/** Milliseconds that the clock of a server may be ahead of this one. */
const MAX_AHEAD_MS = 24 * 3_600_000
/** What one client asks for that is told apart, and how many versions it may have. */
const MAX_ASKED = 30
const MAX_VERSIONS = 10

/** What someone did. */
export class Activity {
  requests = 0
  /** Milliseconds since 1970; infinite where that is not known. */
  first = Number.POSITIVE_INFINITY
  last = Number.NEGATIVE_INFINITY
  readonly days = new Days()
  readonly asked = new Map<Asked, { requests: number }>()
  readonly versions: string[] = []

  count(asked: Asked, requests: number, most = MAX_ASKED): void {
    this.requests += requests
    const known = this.asked.get(asked)
    if (known !== undefined) known.requests += requests
    else if (this.asked.size < most || asked === OTHER_ASKED) this.asked.set(asked, { requests })
    else {
      const others = this.asked.get(OTHER_ASKED)
      if (others === undefined) this.asked.set(OTHER_ASKED, { requests })
      else others.requests += requests
    }
  }

  see(time: number): void {
    this.first = Math.min(this.first, time)
    this.last = Math.max(this.last, time)
  }

  addVersion(version: string): void {
    if (version === '' || this.versions.length >= MAX_VERSIONS || this.versions.includes(version)) return
    this.versions.push(version)
  }

  addAll(other: Activity): void {
    for (const [asked, { requests }] of other.asked) this.count(asked, requests, Number.POSITIVE_INFINITY)
    this.first = Math.min(this.first, other.first)
    this.last = Math.max(this.last, other.last)
    this.days.addAll(other.days)
    for (const version of other.versions) this.addVersion(version)
  }
}

/** Activities by the addresses that they are told apart by, for each site. */
type Sites = Map<string, Map<string, Activity>>

/** A client, by all that a log tells of it. */
export interface Client {
  /** As the log has it. */
  readonly address: string
  readonly family: string
  /** The site that its requests come from; empty where that is not known. */
  readonly origin: string
  readonly activity: Activity
}

export class Tally {
  /** In the order in which they came. */
  readonly clients: Client[] = []
  /** What the clients did that are not told apart, by their family. */
  readonly rest = new Map<string, Activity>()
  /** Requests of logs that do not say when, or not in a way that is known. */
  untimed = 0
  /** Times after this one are those of a clock that is wrong. */
  readonly #latest = Date.now() + MAX_AHEAD_MS
  // Nested: a text of all three would have to be made for each request.
  readonly #families = new Map<string, Sites>()

  /** @returns where to count what a client does */
  #of(given: string, family: string, origin: string): Activity {
    const known = this.#families.get(family)?.get(origin)?.get(given)
    if (known !== undefined) return known
    if (this.clients.length >= MAX_CLIENTS) return this.#restOf(family)
    const address = copyOf(given)
    const activity = new Activity()
    this.clients.push({ address, family, origin, activity })
    const sites: Sites = this.#families.get(family) ?? new Map()
    const addresses = sites.get(origin) ?? new Map<string, Activity>()
    this.#families.set(family, sites.set(origin, addresses.set(address, activity)))
    return activity
  }

  #restOf(family: string): Activity {
    const known = this.rest.get(family)
    if (known !== undefined) return known
    if (this.rest.size >= MAX_FAMILIES && family !== OTHER_FAMILY) return this.#restOf(OTHER_FAMILY)
    const activity = new Activity()
    this.rest.set(family, activity)
    return activity
  }

  /** Counts a request of a log. @param time `null` where the log does not say */
  add(address: string, { family, version }: Agent, origin: string, asked: Asked, time: number | null): void {
    const activity = this.#of(address, family, origin)
    activity.count(asked, 1)
    if (version !== '') activity.addVersion(version)
    // A wrong year would leave no room for the days that are right.
    if (time === null || time > this.#latest) {
      this.untimed++
      return
    }
    activity.see(time)
    activity.days.add(dayOf(time), 1)
  }
}
