// Decides whether the responses of the new side are too bad, so that the dial resets itself to 0. Each client
// counts the same, however many requests it sends: one client must not reset the dial for all.

import { type Clock, systemClock } from '../../clock.ts'
import type { ShadowVerdict } from '../shadow/comparer.ts'

/** Below this number of clients with bad responses, the guard does not act. */
export const MIN_CLIENTS = 3
/** If so many comparisons of an event in a row are bad, earlier ones do not count. */
const LATEST = 20
/** At least so many of the latest comparisons are of other clients than the most frequent one. */
const MIN_LATEST_OF_OTHERS = 4
/** Comparisons in the memory of each event. */
const MAX_COMPARISONS = 2_000

export interface Findings {
  readonly compared: number
  /** Responses that differ, and responses that only the old service could give. */
  readonly bad: number
  readonly clients: number
  readonly badClients: number
}

type GuardComparison = Pick<ShadowVerdict, 'event' | 'client' | 'isBad'>
type RecentComparison = GuardComparison & { readonly at: number }

/**
 * @param allowed share of the comparisons of a client that may be bad, as the mean of all clients
 * @param windowSeconds how long a comparison counts
 */
export function createGuard(allowed: number, windowSeconds: number, clock: Clock = systemClock) {
  /** By event, the oldest first: a rare event must not drown in a frequent one. */
  const events = new Map<string, RecentComparison[]>()

  function recentOf(event: string): RecentComparison[] {
    const entries = events.get(event) ?? []
    const start = clock.now() - windowSeconds * 1_000
    const first = entries.findIndex(({ at }) => at > start)
    entries.splice(0, Math.max(first === -1 ? entries.length : first, entries.length - MAX_COMPARISONS))
    return entries
  }

  function isTooBad(entries: readonly RecentComparison[]): boolean {
    const rates = countByClient(entries).map(({ compared, bad }) => bad / compared)
    // Without the worst client: whatever one client does, the others decide.
    const [, ...others] = rates.filter((rate) => rate > 0).toSorted((one, other) => other - one)
    if (others.length + 1 < MIN_CLIENTS) return false
    const mean = others.reduce((sum, rate) => sum + rate, 0) / (rates.length - 1)
    return mean > allowed
  }

  function isTotalFailure(latest: readonly RecentComparison[]): boolean {
    if (!latest.every(({ isBad }) => isBad)) return false
    const mostOfOne = Math.max(...countByClient(latest).map(({ compared }) => compared))
    return latest.length - mostOfOne >= MIN_LATEST_OF_OTHERS && isTooBad(latest)
  }

  /** @returns the findings about the event if more of it is bad than allowed */
  function record(comparison: GuardComparison): Findings | null {
    const entries = recentOf(comparison.event)
    entries.push({ ...comparison, at: clock.now() })
    events.set(comparison.event, entries)
    if (!comparison.isBad) return null
    return isTooBad(entries) || isTotalFailure(entries.slice(-LATEST)) ? findingsOf(entries) : null
  }

  return {
    record,
    /** The findings about all events. */
    findings: () => findingsOf([...events.keys()].flatMap(recentOf)),
    reset: () => events.clear(),
  }
}

function countByClient(entries: readonly RecentComparison[]) {
  const clients = new Map<string, { compared: number; bad: number }>()
  for (const { client, isBad } of entries) {
    const counts = clients.get(client) ?? { compared: 0, bad: 0 }
    counts.compared++
    if (isBad) counts.bad++
    clients.set(client, counts)
  }
  return [...clients.values()]
}

function findingsOf(entries: readonly RecentComparison[]): Findings {
  const clients = countByClient(entries)
  return {
    compared: entries.length,
    bad: clients.reduce((sum, { bad }) => sum + bad, 0),
    clients: clients.length,
    badClients: clients.filter(({ bad }) => bad > 0).length,
  }
}
