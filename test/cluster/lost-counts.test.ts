// What workers that are gone have counted: kept, in bounded memory.

import { expect, test } from 'vitest'
import { addCounts } from '../../src/cluster/lost-counts.ts'
import { type Counted, createMetrics, printMetrics } from '../../src/gateway/observe/metrics.ts'
import { readSeries } from '../gateway/observe/series.ts'

/** What a worker counts that has met so many clients, each with an operation of its own. */
async function countedBy(worker: number, clients: number): Promise<Counted> {
  const { observe, read } = createMetrics()
  const fields = ['Query.users', 'User.id', 'User.rank']
  for (let at = 0; at < clients; at++) {
    const client = `client-${worker}-${at}`
    observe({ type: 'graphql-operation', client, operation: `Operation${worker}x${at}`, fields })
  }
  observe({ type: 'graphql-operation', client: 'web', operation: 'Users', fields })
  return read({ inFlight: 0, storeReady: true })
}

async function lostAfter(workers: number) {
  let lost: Counted = []
  for (let worker = 0; worker < workers; worker++) lost = addCounts(lost, await countedBy(worker, 99))
  const series = readSeries(await printMetrics([lost]))
  const of = (name: string) => series.filter(({ metric }) => metric === `lookup_graphql_${name}_total`)
  return { operations: of('operations'), fields: of('fields') }
}

const sum = (series: readonly { readonly value: number }[]) =>
  series.reduce((total, { value }) => total + value, 0)

test('the names that clients have for themselves are kept', async () => {
  const { operations, fields } = await lostAfter(3)
  expect(operations).toHaveLength(3 * 99 + 1)
  expect(fields).toHaveLength(3 * (3 * 99 + 1))
  expect(operations.find(({ labels }) => labels.client === 'web')).toMatchObject({
    labels: { client: 'web', operation: 'Users' },
    value: 3,
  })
  expect(fields.filter(({ labels }) => labels.client === 'web').map(({ value }) => value)).toEqual([3, 3, 3])
})

test('workers with ever other clients do not fill the memory, and lose no count', async () => {
  const { operations, fields } = await lostAfter(40)
  expect(operations).toHaveLength(3001)
  expect(fields).toHaveLength(3003)
  expect(sum(operations)).toBe(40 * 100)
  expect(sum(fields)).toBe(3 * 40 * 100)
  expect(operations.find(({ labels }) => labels.client === 'web')?.value).toBe(40)
  const others = fields.filter(({ labels }) => labels.client === 'other')
  expect(others.map(({ labels }) => labels.field).toSorted()).toEqual(['Query.users', 'User.id', 'User.rank'])
})
