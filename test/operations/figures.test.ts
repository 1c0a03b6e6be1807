// What the page makes of counters: rates of the last minutes, and latencies that claim no more than buckets
// tell.

import { describe, expect, test } from 'vitest'
import { addUp, createMetrics } from '../../src/gateway/observe/metrics.ts'
import { latencyText } from '../../src/operations/latency.ts'
import { durationsBetween, requestsBetween, secondsBetween } from '../../src/operations/rates.ts'
import { MAX_SAMPLES, type Sample, Samples, sampled, sampleOf } from '../../src/operations/samples.ts'
import { age, rate } from '../../src/operations/words.ts'

function request(outcome: string, duration: number, event = 'AppLookup') {
  const about = { event, format: 'JSON', outcome, values: 1 } as const
  return { type: 'request', requestId: 'r', about, status: 200, duration } as const
}

async function sampleOfAll(...all: readonly ReturnType<typeof createMetrics>[]): Promise<Sample> {
  const counted = await Promise.all(all.map(({ read }) => read({ inFlight: 0, storeReady: null })))
  return sampleOf(await addUp(counted, sampled))
}

test('what happened between two samples, of all processes', async () => {
  const [one, other] = [createMetrics(), createMetrics()]
  for (const duration of [1, 1, 1, 400]) one.observe(request('ok', duration))
  const older = await sampleOfAll(one, other)
  one.observe(request('Overloaded', 3))
  for (const duration of [4, 4, 4]) other.observe(request('ok', duration))
  other.observe(request('ok', 80, 'ProfileLookup'))
  const newer = await sampleOfAll(one, other)
  expect(requestsBetween(older, newer)).toBe(5)
  expect(requestsBetween(older, newer, (outcome) => outcome === 'Overloaded')).toBe(1)
  expect(requestsBetween(older, newer, (_, event) => event === 'ProfileLookup')).toBe(1)
  const all = durationsBetween(older, newer)
  expect([0.5, 0.8, 0.99].map((share) => latencyText(all, share))).toEqual(['≤ 5 ms', '≤ 5 ms', '≤ 100 ms'])
  expect(latencyText(durationsBetween(older, newer, 'ProfileLookup JSON'), 0.5)).toBe('≤ 100 ms')
  expect(latencyText(durationsBetween(newer, newer), 0.5)).toBe('–')
})

test('beyond the last bucket, nothing is claimed', async () => {
  const metrics = createMetrics()
  metrics.observe(request('ok', 60_000))
  const sample = await sampleOfAll(metrics)
  expect(latencyText(durationsBetween({ ...sample, durations: new Map() }, sample), 0.99)).toBe('> 2.5 s')
})

test('a total that goes back, since a process was killed, is no negative rate', async () => {
  const [one, other] = [createMetrics(), createMetrics()]
  one.observe(request('ok', 1))
  other.observe(request('ok', 1))
  const both = await sampleOfAll(one, other)
  const alone = await sampleOfAll(one)
  expect(requestsBetween(both, alone)).toBe(0)
  expect(durationsBetween(both, alone).every((upTo) => upTo === 0)).toBe(true)
  expect(secondsBetween(alone, both)).toBeGreaterThan(0)
})

describe('samples', () => {
  const sample = (at: number): Sample => ({ time: 0, at, requests: new Map(), durations: new Map(), cpu: 0 })

  test('are kept for a quarter of an hour, however many come', () => {
    const samples = new Samples()
    for (let at = 0; at < 10 * MAX_SAMPLES; at++) samples.add(sample(at))
    expect(samples.all).toHaveLength(MAX_SAMPLES + 1)
    expect(samples.all.at(-1)?.at).toBe(10 * MAX_SAMPLES - 1)
  })

  test('the newest that is old enough, or else the oldest', () => {
    const samples = new Samples()
    const now = performance.now()
    for (const ago of [70_000, 61_000, 59_000, 1_000]) samples.add(sample(now - ago))
    expect(samples.before(60_000).at).toBe(now - 61_000)
    expect(new Samples().before(60_000).at).toBe(0)
  })
})

test('a look neither waits for the store nor changes what a scrape says', async () => {
  const metrics = createMetrics()
  await metrics.read({ inFlight: 0, storeReady: false })
  const looked = await metrics.read({ inFlight: 3, storeReady: null })
  const read = (name: string) => looked.find((metric) => metric.name === name)?.values[0]?.value
  expect(read('lookup_requests_in_flight')).toBe(3)
  expect(read('lookup_store_ready')).toBe(0)
  expect(read('process_cpu_seconds_total')).toBeGreaterThan(0)
  // Files are listed for a scrape only.
  expect(looked.map(({ name }) => name)).not.toContain('process_open_fds')
})

test('numbers and times are short', () => {
  expect([0, 0.0456, 3.21, 45.6, 1234.5].map(rate)).toEqual(['0', '0.046', '3.2', '46', '1,235'])
  expect([999, 61_000, 3_600_000, 90_000_000, 10 * 86_400_000].map(age)).toEqual([
    ...['0 s', '1 min 1 s', '1 h 0 min', '1 d 1 h', '10 d 0 h'],
  ])
})
