// GraphQL's use in metrics: no client makes them grow without end, and nothing is lost.

import { expect, test } from 'vitest'
import { createMetrics, printMetrics } from '../../../src/gateway/observe/metrics.ts'
import { readSeries } from './series.ts'

const idle = { inFlight: 0, storeReady: true }

async function seriesOf(
  uses: Iterable<readonly [client: string, operation: string, fields: readonly string[]]>,
) {
  const metrics = createMetrics()
  for (const [client, operation, fields] of uses)
    metrics.observe({ type: 'graphql-operation', client, operation, fields })
  const series = readSeries(await printMetrics([await metrics.read(idle)]))
  // What has been read is not counted again.
  expect(readSeries(await printMetrics([await metrics.read(idle)])).filter(isUsage)).toEqual(
    series.filter(isUsage),
  )
  const of = (name: string) => series.filter(({ metric }) => metric === `lookup_graphql_${name}_total`)
  return { operations: of('operations'), fields: of('fields') }
}

const isUsage = ({ metric }: { readonly metric: string }) => metric.startsWith('lookup_graphql_')
const sum = (series: readonly { readonly value: number }[]) =>
  series.reduce((total, { value }) => total + value, 0)

test('10,000 names of clients, and as many of operations', async () => {
  function* uses() {
    for (let at = 0; at < 10_000; at++) yield [`client-${at}`, `operation-${at}`, ['User.id']] as const
    for (let at = 0; at < 10_000; at++)
      yield ['client-1', `operation-${at}`, ['User.id', 'User.rank']] as const
  }
  const { operations, fields } = await seriesOf(uses())
  expect(sum(operations)).toBe(20_000)
  expect(sum(fields)).toBe(30_000)
  expect(new Set(operations.map(({ labels }) => labels.client)).size).toBe(101)
  expect(operations.length).toBeLessThanOrEqual(1000 + 101)
  expect(
    operations.find(({ labels }) => labels.client === 'other' && labels.operation === 'other'),
  ).toBeDefined()
  expect(fields.length).toBe(101 + 1)
})

test('a stream of distinct documents', async () => {
  function* uses() {
    for (let at = 0; at < 5000; at++) yield ['web', 'Users', ['Query.users', 'User.id']] as const
  }
  const { operations, fields } = await seriesOf(uses())
  expect(operations.map(({ value }) => value)).toEqual([5000])
  expect(fields.map(({ labels, value }) => [labels.field, value])).toEqual([
    ['Query.users', 5000],
    ['User.id', 5000],
  ])
})
