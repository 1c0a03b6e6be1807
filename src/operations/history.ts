// Keeps the history that the page for operators shows and no metric has: samples of the request counters of
// the last 15 minutes, and since when the store and each database server are in their current state.

import { type CountsOf, sumOf } from '../observe/counts.ts'
import type { Observation } from '../observe/events.ts'

/** Milliseconds between two samples. */
export const SAMPLE_INTERVAL_MS = 10_000
const MAX_SAMPLES = (15 * 60_000) / SAMPLE_INTERVAL_MS

type Counters = ReadonlyMap<string, number>

export interface HistorySample {
  /** Milliseconds since 1970, and on a clock that never goes back. */
  readonly time: number
  readonly at: number
  /** Requests since the start by outcome. */
  readonly requests: Counters
  /** Requests that took no longer than a bound in seconds: `0.005`, `+Inf`. Ascending. */
  readonly durations: Counters
}

export function sampleOf(counts: CountsOf): HistorySample {
  const sumsBy = (label: string, metric: string) => {
    const labelled = counts(metric).filter(({ labels }) => label in labels)
    const groups = Map.groupBy(labelled, ({ labels }) => String(labels[label]))
    return new Map([...groups].map(([value, group]) => [value, sumOf(group)]))
  }
  const requests = sumsBy('outcome', 'lookup_requests_total')
  const durations = sumsBy('le', 'lookup_request_duration_seconds')
  return { time: Date.now(), at: performance.now(), requests, durations }
}

/** Oldest first. The first sample is the start of the process. */
export class HistorySamples {
  readonly all: HistorySample[] = [
    { time: performance.timeOrigin, at: 0, requests: new Map(), durations: new Map() },
  ]

  add(sample: HistorySample): void {
    this.all.push(sample)
    if (this.all.length > MAX_SAMPLES + 1) this.all.shift()
  }

  /** The newest sample that is at least this old, or else the oldest. */
  before(milliseconds: number): HistorySample | undefined {
    const until = performance.now() - milliseconds
    return this.all.findLast(({ at }) => at <= until) ?? this.all[0]
  }
}

/**
 * The counts of a killed worker since its last report are lost, so a total may fall: that counts as no
 * growth.
 */
export function growthOf(older: Counters | undefined, newer: Counters): Counters {
  return new Map([...newer].map(([key, value]) => [key, Math.max(value - (older?.get(key) ?? 0), 0)]))
}

export function requestsPerSecond(older: HistorySample, newer: HistorySample): number {
  let requests = 0
  for (const growth of growthOf(older.requests, newer.requests).values()) requests += growth
  return requests / ((newer.at - older.at) / 1000)
}

/** Seconds that 99 of 100 requests took at most: Infinity beyond the last bound, 0 without requests. */
export function percentile99(older: HistorySample, newer: HistorySample): number {
  const durations = growthOf(older.durations, newer.durations)
  const all = durations.get('+Inf') ?? 0
  const [bound = '0'] = [...durations].find(([, upTo]) => all > 0 && upTo >= 0.99 * all) ?? []
  return bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound)
}

export interface Readiness {
  /** Why lookups fail; null if they succeed. */
  readonly reason: string | null
  /** The time (ISO 8601) of the first check that had this result, like all checks since. */
  readonly since: string
}

export function watchReadiness(check: () => Promise<string | null>): () => Promise<Readiness> {
  let wasReady: boolean | null = null
  let since = ''
  return async () => {
    const reason = await check()
    if (wasReady !== (reason === null)) since = new Date().toISOString()
    wasReady = reason === null
    return { reason, since }
  }
}

export class ServerTimes {
  readonly #times = new Map<string, { readonly isUp: boolean; readonly since: string }>()

  note(observation: Observation): void {
    const { type } = observation
    if (type === 'reloaded') this.#times.clear()
    if (type === 'server-known' || type === 'server-back' || type === 'server-out')
      this.#times.set(observation.server, { isUp: type !== 'server-out', since: new Date().toISOString() })
  }

  of(server: string) {
    return this.#times.get(server)
  }
}
