// The text of /metrics after some events.

import { expect, test } from 'vitest'
import about from '../../package.json' with { type: 'json' }
import type { Observation } from '../../src/observe/events.ts'
import { createMetrics, printMetrics } from '../../src/observe/metrics.ts'
import { parsePrometheus, readSeries } from './prometheus.ts'

const idle = { inFlight: 0, storeReady: true }
const server = 'db:5432/x'

async function samplesOf(...observed: readonly Observation[]): Promise<Map<string, number>> {
  const { observe, read } = createMetrics()
  for (const observation of observed) observe(observation)
  return parsePrometheus(await printMetrics([await read(idle)]))
}

function request(event: string, outcome: string, duration = 1) {
  const about = { event, format: 'JSON', outcome, values: 1 } as const
  return { type: 'request', requestId: 'r', about, status: 200, duration } as const
}
const query = (lookup: string, questions: number, values: number, duration = 1) =>
  ({ type: 'store-query', lookup, questions, values, duration }) as const
const known = { type: 'server-known', server } as const
const out = { type: 'server-out', server, reason: 'refused' } as const
const back = { type: 'server-back', server } as const
const error = new Error('secret')

const durations = 'lookup_request_duration_seconds'
const labels = 'event="AppLookup",format="JSON"'
test.each<
  readonly [what: string, observed: readonly Observation[], expected: Readonly<Record<string, number>>]
>([
  [
    'requests by event, format and outcome',
    [
      request('AppLookup', 'ok'),
      request('AppLookup', 'ok'),
      request('AppLookup', 'Overloaded'),
      request('graphql', 'ok'),
    ],
    {
      [`lookup_requests_total{${labels},outcome="ok"}`]: 2,
      [`lookup_requests_total{${labels},outcome="Overloaded"}`]: 1,
      'lookup_requests_total{event="graphql",format="JSON",outcome="ok"}': 1,
    },
  ],
  [
    'durations in seconds, a bound belonging to its bucket',
    [0, 0.25, 0.3, 5, 999, 1000, 2501].map((milliseconds) => request('AppLookup', 'ok', milliseconds)),
    {
      ...Object.fromEntries(
        [
          ['0.00025', 2],
          ['0.0005', 3],
          ['0.005', 4],
          ['0.25', 4],
          ['1', 6],
          ['+Inf', 7],
        ].map(([le, count]) => [`${durations}_bucket{le="${le}",${labels}}`, Number(count)]),
      ),
      [`${durations}_count{${labels}}`]: 7,
      [`${durations}_sum{${labels}}`]: 4.50555,
    },
  ],
  [
    'queries by lookup: their lookups, values and durations',
    [query('users-by-id', 3, 70, 4), query('users-by-id', 1, 1000, 6), query('apps-by-id', 1, 1)],
    {
      'lookup_batch_lookups_sum{lookup="users-by-id"}': 4,
      'lookup_batch_values_sum{lookup="users-by-id"}': 1070,
      'lookup_batch_values_bucket{le="100",lookup="users-by-id"}': 1,
      'lookup_batch_values_count{lookup="apps-by-id"}': 1,
      'lookup_store_query_duration_seconds_sum{lookup="users-by-id"}': 0.01,
    },
  ],
  [
    'failures, and no word of theirs',
    [
      { type: 'store-failed', error, count: 1 },
      { type: 'store-retried', server, reason: 'secret' },
      { type: 'unexpected', requestId: 'r', error },
      { type: 'worker-lost', reason: 'SIGKILL' },
    ],
    {
      ...{ lookup_store_failures_total: 1, lookup_unexpected_errors_total: 1, lookup_workers_lost_total: 1 },
      'lookup_store_retries_total{server="db:5432/x"}': 1,
    },
  ],
  [
    'a server that is back',
    [known, out, back, out, back],
    { 'lookup_server_up{server="db:5432/x"}': 1, 'lookup_server_outs_total{server="db:5432/x"}': 2 },
  ],
])('%s', async (_, observed, expected) => {
  const samples = await samplesOf(...observed)
  for (const [name, value] of Object.entries(expected)) expect(samples.get(name), name).toBeCloseTo(value, 6)
  expect([...samples.keys()].join()).not.toContain('secret')
})

test('several processes are added up, and the worst of them is shown', async () => {
  const [one, other] = [createMetrics(), createMetrics()]
  for (const { observe } of [one, other])
    for (const seen of [request('AppLookup', 'ok', 2), known]) observe(seen)
  other.observe(out)
  const counted = [
    await one.read({ ...idle, inFlight: 2 }),
    await other.read({ inFlight: 3, storeReady: false }),
  ]
  const samples = parsePrometheus(await printMetrics(counted))
  for (const [name, value] of [
    [`lookup_requests_total{${labels},outcome="ok"}`, 2],
    [`${durations}_count{${labels}}`, 2],
    ['lookup_requests_in_flight', 5],
    ['lookup_store_ready', 0],
    ['lookup_server_up{server="db:5432/x"}', 0],
    [`lookup_info{version="${about.version}"}`, 1],
  ] as const)
    expect(samples.get(name), name).toBe(value)
})

test('10,000 names of GraphQL clients and operations are counted in bounded series', async () => {
  const { observe, read } = createMetrics()
  const use = (client: string, operation: string, ...fields: readonly string[]) =>
    observe({ type: 'graphql-operation', client, operation, fields })
  for (let at = 0; at < 10_000; at++) {
    use(`client-${at}`, `operation-${at}`, 'User.id')
    use('client-1', `operation-${at}`, 'User.id', 'User.rank')
  }
  const series = readSeries(await printMetrics([await read(idle)]))
  const of = (name: string) => series.filter(({ metric }) => metric === `lookup_graphql_${name}_total`)
  const sums = ['operations', 'fields'].map((name) => of(name).reduce((sum, { value }) => sum + value, 0))
  expect(sums).toEqual([20_000, 30_000])
  expect(new Set(of('operations').map(({ labels }) => labels.client)).size).toBe(101)
  expect(of('operations').length).toBeLessThanOrEqual(1000 + 101)
  expect(of('operations').map(({ labels }) => labels)).toContainEqual({ client: 'other', operation: 'other' })
  expect(of('fields')).toHaveLength(101 + 1)
})
