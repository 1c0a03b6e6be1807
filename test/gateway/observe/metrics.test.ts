import { expect, test } from 'vitest'
import about from '../../../package.json' with { type: 'json' }
import { createMetrics, type Metrics, printMetrics } from '../../../src/gateway/observe/metrics.ts'
import { parsePrometheus } from './prometheus.ts'

const idle = { inFlight: 0, storeReady: true }

async function samplesOf(...all: readonly Metrics[]): Promise<Map<string, number>> {
  return parsePrometheus(await printMetrics(await Promise.all(all.map(({ read }) => read(idle)))))
}

function request(event: string, outcome: string, duration = 1) {
  const about = { event, format: 'JSON', outcome, values: 1 } as const
  return { type: 'request', requestId: 'r', about, status: 200, duration } as const
}

function query(lookup: string, questions: number, values: number, duration = 1) {
  return { type: 'store-query', lookup, questions, values, duration } as const
}

test('before anything has happened, the text is complete', async () => {
  const samples = await samplesOf(createMetrics())
  const zeros = ['store_failures', 'workers_lost', 'unexpected_errors'].map((name) => `lookup_${name}_total`)
  for (const name of [...zeros, 'lookup_requests_in_flight']) expect(samples.get(name)).toBe(0)
  expect(samples.get('lookup_store_ready')).toBe(1)
  expect(samples.get(`lookup_info{version="${about.version}"}`)).toBe(1)
  expect(samples.get('lookup_event_loop_utilization')).toBeLessThanOrEqual(1)
  expect(samples.get('process_resident_memory_bytes')).toBeCloseTo(process.memoryUsage.rss(), -8)
})

test('requests are counted by event, format and outcome', async () => {
  const metrics = createMetrics()
  for (const outcome of ['ok', 'ok', 'Overloaded']) metrics.observe(request('AppLookup', outcome))
  metrics.observe(request('graphql', 'ok'))
  const counted = [...(await samplesOf(metrics))].filter(([name]) => name.startsWith('lookup_requests_total'))
  expect(Object.fromEntries(counted)).toEqual({
    'lookup_requests_total{event="AppLookup",format="JSON",outcome="ok"}': 2,
    'lookup_requests_total{event="AppLookup",format="JSON",outcome="Overloaded"}': 1,
    'lookup_requests_total{event="graphql",format="JSON",outcome="ok"}': 1,
  })
})

test('durations are a histogram in seconds, a bound belonging to its bucket', async () => {
  const metrics = createMetrics()
  for (const milliseconds of [0, 0.25, 0.3, 5, 999, 1000, 2501])
    metrics.observe(request('AppLookup', 'ok', milliseconds))
  const samples = await samplesOf(metrics)
  const name = 'lookup_request_duration_seconds'
  const labels = 'event="AppLookup",format="JSON"'
  const below = (le: string) => samples.get(`${name}_bucket{le="${le}",${labels}}`)
  expect(['0.00025', '0.0005', '0.005', '0.25', '1', '+Inf'].map(below)).toEqual([2, 3, 4, 4, 6, 7])
  expect(samples.get(`${name}_count{${labels}}`)).toBe(7)
  expect(samples.get(`${name}_sum{${labels}}`)).toBeCloseTo(4.50555, 6)
})

test('queries are measured by look-up: how long, for how many, and how many values', async () => {
  const metrics = createMetrics()
  metrics.observe(query('users-by-id', 3, 70, 4))
  metrics.observe(query('users-by-id', 1, 1000, 6))
  metrics.observe(query('apps-by-id', 1, 1))
  const samples = await samplesOf(metrics)
  const sum = (name: string) => samples.get(`lookup_${name}_sum{lookup="users-by-id"}`)
  expect(sum('batch_lookups')).toBe(4)
  expect(sum('batch_values')).toBe(1070)
  expect(sum('store_query_duration_seconds')).toBeCloseTo(0.01)
  expect(samples.get('lookup_batch_values_bucket{le="100",lookup="users-by-id"}')).toBe(1)
  expect(samples.get('lookup_batch_values_count{lookup="apps-by-id"}')).toBe(1)
})

test('failures are counted, and say nothing of themselves', async () => {
  const metrics = createMetrics()
  metrics.observe({ type: 'store-failed', error: new Error('secret'), count: 1 })
  metrics.observe({ type: 'store-retried', server: 'db:5432/x', reason: 'secret' })
  metrics.observe({ type: 'unexpected', requestId: 'r', error: new Error('secret') })
  metrics.observe({ type: 'worker-lost', reason: 'SIGKILL' })
  const samples = await samplesOf(metrics)
  for (const name of ['store_failures', 'unexpected_errors', 'workers_lost'])
    expect(samples.get(`lookup_${name}_total`)).toBe(1)
  expect(samples.get('lookup_store_retries_total{server="db:5432/x"}')).toBe(1)
  expect([...samples.keys()].join()).not.toContain('secret')
})

test('each database server is up until it is out, and again when it is back', async () => {
  const metrics = createMetrics()
  const up = async () => (await samplesOf(metrics)).get('lookup_server_up{server="db:5432/x"}')
  metrics.observe({ type: 'server-known', server: 'db:5432/x' })
  expect(await up()).toBe(1)
  metrics.observe({ type: 'server-out', server: 'db:5432/x', reason: 'refused' })
  expect(await up()).toBe(0)
  metrics.observe({ type: 'server-back', server: 'db:5432/x' })
  expect(await up()).toBe(1)
})

test('each time that a database server is left out is counted', async () => {
  const metrics = createMetrics()
  const outs = async () => (await samplesOf(metrics)).get('lookup_server_outs_total{server="db:5432/x"}')
  metrics.observe({ type: 'server-known', server: 'db:5432/x' })
  expect(await outs()).toBe(0)
  for (let time = 0; time < 2; time++) {
    metrics.observe({ type: 'server-out', server: 'db:5432/x', reason: 'refused' })
    metrics.observe({ type: 'server-back', server: 'db:5432/x' })
  }
  expect(await outs()).toBe(2)
})

test('several processes are added up, and one that is not well is seen', async () => {
  const [one, other] = [createMetrics(), createMetrics()]
  for (const { observe } of [one, other]) {
    observe(request('AppLookup', 'ok', 2))
    observe({ type: 'server-known', server: 'db:5432/x' })
  }
  other.observe({ type: 'server-out', server: 'db:5432/x', reason: 'refused' })
  const counted = [
    await one.read({ ...idle, inFlight: 2 }),
    await other.read({ inFlight: 3, storeReady: false }),
  ]
  const samples = parsePrometheus(await printMetrics(counted))
  expect(samples.get('lookup_requests_total{event="AppLookup",format="JSON",outcome="ok"}')).toBe(2)
  expect(samples.get('lookup_request_duration_seconds_count{event="AppLookup",format="JSON"}')).toBe(2)
  expect(samples.get('lookup_requests_in_flight')).toBe(5)
  expect(samples.get('lookup_store_ready')).toBe(0)
  expect(samples.get('lookup_server_up{server="db:5432/x"}')).toBe(0)
  expect(samples.get(`lookup_info{version="${about.version}"}`)).toBe(1)
})
