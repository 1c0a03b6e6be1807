import { expect, test } from 'vitest'
import { createMetrics } from '../../src/observe/metrics.ts'
import { parsePrometheus } from './prometheus.ts'

const request = (surface: 'legacy' | 'graphql' | 'other', status: number, duration: number) =>
  ({ type: 'request', surface, status, duration }) as const

test('before anything has happened, the text is complete', () => {
  const samples = parsePrometheus(createMetrics().print())
  expect(Object.fromEntries(samples)).toEqual({
    lookup_store_failures_total: 0,
    lookup_unexpected_errors_total: 0,
    process_resident_memory_bytes: expect.closeTo(process.memoryUsage.rss(), -8),
  })
})

test('requests are counted by surface and status', () => {
  const { observe, print } = createMetrics()
  for (const status of [200, 200, 304, 503]) observe(request('legacy', status, 1))
  observe(request('graphql', 200, 1))
  const samples = parsePrometheus(print())
  const counted = [...samples].filter(([name]) => name.startsWith('lookup_requests_total'))
  expect(Object.fromEntries(counted)).toEqual({
    'lookup_requests_total{surface="legacy",status="200"}': 2,
    'lookup_requests_total{surface="legacy",status="304"}': 1,
    'lookup_requests_total{surface="legacy",status="503"}': 1,
    'lookup_requests_total{surface="graphql",status="200"}': 1,
  })
})

test('durations are a histogram in seconds, a bound belonging to its bucket', () => {
  const { observe, print } = createMetrics()
  for (const milliseconds of [0, 0.25, 0.3, 5, 999, 1000, 1001]) observe(request('legacy', 200, milliseconds))
  const samples = parsePrometheus(print())
  const name = 'lookup_request_duration_seconds'
  const below = (le: string) => samples.get(`${name}_bucket{surface="legacy",le="${le}"}`)
  expect([
    below('0.00025'),
    below('0.0005'),
    below('0.005'),
    below('0.25'),
    below('1'),
    below('+Inf'),
  ]).toEqual([2, 3, 4, 4, 6, 7])
  expect(samples.get(`${name}_count{surface="legacy"}`)).toBe(7)
  expect(samples.get(`${name}_sum{surface="legacy"}`)).toBeCloseTo(3.00555, 6)
})

test('queries, their values and failures are counted', () => {
  const { observe, print } = createMetrics()
  observe({ type: 'store-query', lookup: 'users-by-id', values: 3 })
  observe({ type: 'store-query', lookup: 'users-by-id', values: 1000 })
  observe({ type: 'store-query', lookup: 'apps-by-id', values: 1 })
  observe({ type: 'store-failed', error: new Error('gone') })
  observe({ type: 'unexpected', requestId: 'r', error: new Error('secret') })
  const text = print()
  const samples = parsePrometheus(text)
  expect(samples.get('lookup_store_queries_total{lookup="users-by-id"}')).toBe(2)
  expect(samples.get('lookup_store_values_total{lookup="users-by-id"}')).toBe(1003)
  expect(samples.get('lookup_store_values_total{lookup="apps-by-id"}')).toBe(1)
  expect(samples.get('lookup_store_failures_total')).toBe(1)
  expect(samples.get('lookup_unexpected_errors_total')).toBe(1)
  expect(text).not.toContain('secret')
})
