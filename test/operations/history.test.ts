// Rates of the last minutes, from counters that only grow.

import { expect, test } from 'vitest'
import type { MetricValue } from '../../src/observe/counts.ts'
import {
  growthOf,
  type HistorySample,
  HistorySamples,
  percentile99,
  requestsPerSecond,
  sampleOf,
} from '../../src/operations/history.ts'

const bounds = [0.001, 0.005, 2.5]

/** @param durations seconds of each request so far */
function sample(at: number, durations: readonly number[], outcome = 'ok'): HistorySample {
  const labels = { event: 'AppLookup', format: 'JSON' }
  const upTo = (bound: number) => durations.filter((duration) => duration <= bound).length
  const metrics: Record<string, readonly MetricValue[]> = {
    lookup_requests_total: [{ labels: { ...labels, outcome }, value: durations.length }],
    lookup_request_duration_seconds: [
      ...bounds.map((le) => ({ labels: { ...labels, le: String(le) }, value: upTo(le) })),
      { labels: { ...labels, le: '+Inf' }, value: durations.length },
      { labels, value: durations.length },
    ],
  }
  return { ...sampleOf((name) => metrics[name] ?? []), at }
}

test('requests a second and the bound of the slowest, between two samples', () => {
  const older = sample(1_000, [0.001, 2])
  const newer = sample(6_000, [0.001, 2, ...Array(10).fill(0.004)])
  expect(requestsPerSecond(older, newer)).toBe(2)
  expect(percentile99(older, newer)).toBe(0.005)
  expect(growthOf(older.requests, newer.requests)).toEqual(new Map([['ok', 10]]))
  expect(percentile99(newer, newer)).toBe(0)
  // A process was killed, so a total shrinks.
  expect([requestsPerSecond(newer, older), percentile99(newer, older)].map(Math.abs)).toEqual([0, 0])
  expect(percentile99(older, sample(6_000, [0.001, 2, 60]))).toBe(Number.POSITIVE_INFINITY)
})

test('samples are kept for a quarter of an hour; the newest that is old enough is found', () => {
  const samples = new HistorySamples()
  expect(samples.before(60_000)?.at).toBe(0)
  const now = performance.now()
  for (let at = 1_000; at > 0; at--) samples.add(sample(now - at * 10_000, []))
  expect(samples.all).toHaveLength(91)
  expect(samples.before(65_000)?.at).toBe(now - 70_000)
})
