// The clients of a log, each with its activity, in memory that does not grow with the log.

import { copyOf } from '../../text.ts'
import { Activity } from './activity.ts'
import type { RequestKind } from './request-kinds.ts'
import type { Agent } from './user-agent.ts'

/** Clients that are listed: one that makes up a name for each request must not fill the memory. */
export const MAX_CLIENTS = 20_000
/** Names under which the requests of all other clients are counted. */
const MAX_FAMILIES = 1_000
const OTHER_FAMILY = '(other names)'
/**
 * Milliseconds that the clock of a server may be ahead. A wrong year would push out the days that are right.
 */
const MAX_AHEAD_MS = 24 * 3_600_000

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
  // By family, origin and address. Nested, because joining three texts takes time for each request.
  readonly #known = new Map<string, Map<string, Map<string, Activity>>>()

  add(address: string, { family, version }: Agent, origin: string, kind: RequestKind, time: number | null) {
    const isKnown = time !== null && time <= this.#latest
    if (!isKnown) this.withoutTime++
    this.#activityOf(address, family, origin).add(kind, version, isKnown ? time : null)
  }

  #activityOf(given: string, family: string, origin: string): Activity {
    const known = this.#known.get(family)?.get(origin)?.get(given)
    if (known !== undefined) return known
    if (this.list.length >= MAX_CLIENTS) {
      const isNew = !this.others.has(family) && this.others.size >= MAX_FAMILIES
      return entryOf(this.others, isNew ? OTHER_FAMILY : family, () => new Activity())
    }
    const address = copyOf(given)
    const origins = entryOf(this.#known, family, () => new Map<string, Map<string, Activity>>())
    const addresses = entryOf(origins, origin, () => new Map<string, Activity>())
    const activity = entryOf(addresses, address, () => new Activity())
    this.list.push({ address, family, origin, activity })
    return activity
  }
}

/** The value of a key, which is made if the map lacks it. */
export function entryOf<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const value = make()
  map.set(key, value)
  return value
}
