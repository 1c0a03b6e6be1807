// What was counted in the last minutes, so that totals become rates: a sample each ten seconds, in memory that
// does not grow.

import type { Counted } from '../gateway/observe/metrics.ts'

/** Milliseconds between two samples, and how many are kept: a quarter of an hour. */
export const SAMPLE_INTERVAL_MS = 10_000
export const MAX_SAMPLES = 90

/** The metrics that a sample is made of. */
export const sampled = /^(?:lookup_requests_total|lookup_request_duration_seconds|process_cpu_seconds_total)$/

export interface Sample {
  /** Milliseconds since 1970, and on a clock that never goes back. */
  readonly time: number
  readonly at: number
  /** Requests since the start, by `event format outcome`. */
  readonly requests: ReadonlyMap<string, number>
  /** Of `event format`, requests that took up to each bound. */
  readonly durations: ReadonlyMap<string, readonly number[]>
  /** Seconds of processor time. */
  readonly cpu: number
}

/** The start of the process: nothing has been counted. */
const start: Sample = {
  ...{ time: performance.timeOrigin, at: 0, cpu: 0 },
  requests: new Map<string, number>(),
  durations: new Map<string, readonly number[]>(),
}

/** @param counted by all processes together */
export function sampleOf(counted: Counted): Sample {
  const requests = new Map<string, number>()
  const durations = new Map<string, number[]>()
  let cpu = 0
  for (const { name, values } of counted)
    for (const { labels, value, ...rest } of values) {
      const { event, format, outcome } = labels
      if (name === 'lookup_requests_total') requests.set(`${event} ${format} ${outcome}`, value)
      else if (name === 'process_cpu_seconds_total') cpu = value
      // The buckets come in the order of their bounds.
      else if (
        name === 'lookup_request_duration_seconds' &&
        'metricName' in rest &&
        rest.metricName === `${name}_bucket`
      ) {
        const key = `${event} ${format}`
        durations.set(key, [...(durations.get(key) ?? []), value])
      }
    }
  return { time: Date.now(), at: performance.now(), requests, durations, cpu }
}

/** The newest samples, the oldest first. */
export class Samples {
  #kept: Sample[] = [start]

  add(sample: Sample): void {
    this.#kept.push(sample)
    if (this.#kept.length > MAX_SAMPLES + 1) this.#kept.shift()
  }

  get all(): readonly Sample[] {
    return this.#kept
  }

  /** The newest sample that is at least so old, or else the oldest. */
  before(milliseconds: number): Sample {
    const until = performance.now() - milliseconds
    return this.#kept.findLast(({ at }) => at <= until) ?? this.#kept[0] ?? start
  }
}
