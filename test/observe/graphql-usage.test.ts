// GraphQL's use by client and operation: no name makes the metrics unreadable or endless, and nothing is lost.

import { expect } from 'vitest'
import type { Observation } from '../../src/observe/events.ts'
import { createMetrics, printMetrics } from '../../src/observe/metrics.ts'
import { exchange, requestFor } from '../http/raw.ts'
import { test } from '../kit/test.ts'
import { readSeries, type Series } from './series.ts'

async function usageOf(observations: Iterable<Observation>) {
  const { observe, read } = createMetrics()
  for (const observation of observations) observe(observation)
  const series = readSeries(await printMetrics([await read({ inFlight: 0, storeReady: true })]))
  const of = (name: string) => series.filter(({ metric }) => metric === `lookup_graphql_${name}_total`)
  return { operations: of('operations'), fields: of('fields') }
}
const shown = (series: readonly Series[], ...labels: readonly string[]) =>
  series.map((one) => [...labels.map((label) => one.labels[label]), one.value].join(' ')).toSorted()
const sum = (series: readonly Series[]) => series.reduce((total, { value }) => total + value, 0)

test('either header names a client; another name than a plain one is "other"', async ({ gateway }) => {
  const send = (operation: string, ...headers: readonly string[]) => {
    const target = `/graphql?query=query%20${operation}{__typename%20users(values:[%221%22]){id%20rank}}`
    return exchange(gateway.url, requestFor(target, ['Host: gateway', ...headers]))
  }
  const hostile = [
    ...['a"} 1', 'a\\', 'a\\n# HELP x', 'a\tb', 'ada@mail.example', 'n\xc3\xa4me', '{{constructor}}'],
    ...['a'.repeat(10_000), `web${' '.repeat(9_000)}web`],
  ].map((name) => [`apollographql-client-name: ${name}`])
  for (const headers of [
    ['apollographql-client-name: web'],
    ['graphql-client-name: ios'],
    ['graphql-client-name: ios', 'apollographql-client-name: web'],
    ['Apollographql-Client-Name:  web '],
    ['apollographql-client-name: web', 'apollographql-client-name: ios'],
    ...hostile,
  ])
    expect(await send('Users', ...headers)).toMatchObject({ status: 200 })
  // Words that objects have, too.
  for (const name of ['__proto__', 'constructor', 'toString'])
    expect(await send(name, `graphql-client-name: ${name}`)).toMatchObject({ status: 200 })
  for (const lineBreak of ['\n', '\r'])
    expect(await send('Users', `graphql-client-name: a${lineBreak}lookup_info 7`)).toMatchObject({
      status: 400,
    })

  const { operations, fields } = await usageOf(gateway.observations)
  expect(shown(operations, 'client', 'operation')).toEqual([
    ...['__proto__ __proto__ 1', 'constructor constructor 1', 'ios Users 1', 'other Users 10'],
    ...['toString toString 1', 'web Users 3'],
  ])
  expect(shown(fields, 'client', 'field').filter((one) => one.startsWith('web'))).toEqual([
    ...['web Query.users 3', 'web User.id 3', 'web User.rank 3'],
  ])
})

test('10,000 names of clients and of operations are counted in bounded series', async () => {
  const use = (client: string, operation: string, ...fields: readonly string[]) =>
    ({ type: 'graphql-operation', client, operation, fields }) as const
  const names = Array.from({ length: 10_000 }, (_, at) => at)
  const { operations, fields } = await usageOf([
    ...names.map((at) => use(`client-${at}`, `operation-${at}`, 'User.id')),
    ...names.map((at) => use('client-1', `operation-${at}`, 'User.id', 'User.rank')),
  ])
  expect([sum(operations), sum(fields)]).toEqual([20_000, 30_000])
  expect(new Set(operations.map(({ labels }) => labels.client)).size).toBe(101)
  expect(operations.length).toBeLessThanOrEqual(1000 + 101)
  expect(operations.map(({ labels }) => labels)).toContainEqual({ client: 'other', operation: 'other' })
  expect(fields).toHaveLength(101 + 1)
})
