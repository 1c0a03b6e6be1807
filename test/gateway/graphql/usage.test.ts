// What an operation is counted as: the client's name, its own, and the fields that it selects.

import { getOperationAST, parse } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { schema } from '../../../src/gateway/graphql/schema.ts'
import { clientNameOf, fieldsOf, operationNameOf } from '../../../src/gateway/graphql/usage.ts'
import { createMetrics, printMetrics } from '../../../src/gateway/observe/metrics.ts'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { readSeries } from '../observe/series.ts'

const operationOf = (text: string) => {
  const document = parse(text)
  const operation = getOperationAST(document, null)
  if (operation === null || operation === undefined) throw new Error('no operation')
  return { document, operation }
}

test.each([
  [
    '{ users(values: []) { id rank ... on User { id x: banned } } __typename }',
    ['Query.users', 'User.id', 'User.rank', 'User.banned'],
  ],
  [
    '{ ...A } fragment A on Query { apps(ids: []) { ...B } } fragment B on App { title }',
    ['Query.apps', 'App.title'],
  ],
  [
    'query A($x: Boolean!) { users(values: []) { id @include(if: $x) rank @skip(if: true) } }',
    ['Query.users', 'User.id', 'User.rank'],
  ],
  ['{ __schema { types { name } } }', ['Query.__schema']],
])('fields of %s', (text, fields) => {
  const { document, operation } = operationOf(text)
  expect(fieldsOf(schema, document, operation)).toEqual(fields)
})

test.each([
  ['{ __typename }', 'unnamed'],
  [`query ${'a'.repeat(64)} { __typename }`, 'a'.repeat(64)],
  [`query ${'a'.repeat(65)} { __typename }`, 'other'],
])('the name of %s', (text, name) => {
  expect(operationNameOf(operationOf(text).operation)).toBe(name)
})

test.each([
  [{}, 'unnamed'],
  [{ 'apollographql-client-name': 'web' }, 'web'],
  [{ 'graphql-client-name': 'ios (beta) 1.2/3' }, 'ios (beta) 1.2/3'],
  [{ 'apollographql-client-name': 'web', 'graphql-client-name': 'ios' }, 'web'],
  [{ 'apollographql-client-name': ' ' }, 'unnamed'],
  [{ 'apollographql-client-name': 'a'.repeat(64) }, 'a'.repeat(64)],
  [{ 'apollographql-client-name': 'a'.repeat(65) }, 'other'],
  [{ 'apollographql-client-name': `web${' '.repeat(61)}` }, 'web'],
  [{ 'apollographql-client-name': `web${' '.repeat(9000)}ios` }, 'other'],
  [{ 'apollographql-client-name': 'ada@mail.example' }, 'other'],
  [{ 'apollographql-client-name': 'a"} 1\nlookup_info{x="' }, 'other'],
])('a client of %j', (headers, name) => {
  expect(clientNameOf(headers)).toBe(name)
})

describe('over HTTP', () => {
  let gateway: Gateway
  beforeAll(async () => {
    gateway = await startGateway()
  })
  afterAll(() => gateway.close())

  const ask = async (search: string, name?: string) => {
    const headers = {
      accept: 'application/json',
      ...(name === undefined ? {} : { 'graphql-client-name': name }),
    }
    await (await fetch(`${gateway.url}/graphql?${search}`, { headers })).text()
  }
  async function counted() {
    const metrics = createMetrics()
    for (const observation of gateway.observations) metrics.observe(observation)
    const text = await printMetrics([await metrics.read({ inFlight: 0, storeReady: true })])
    return readSeries(text).filter(({ metric }) => metric.startsWith('lookup_graphql_'))
  }

  test('what is run is counted, on both ways; what is refused is not', async () => {
    const users = 'query=query+Ranks{users(values:["1","9"]){rank}}'
    await ask(users, 'web')
    await ask(users.replace('q', '%71'), 'web')
    await ask(users)
    await ask('query={nothing}', 'web')
    await ask(`query={users(values:[${'1,'.repeat(1001)}]){id}}`, 'web')
    const series = (await counted()).map(({ labels, value }) => [...Object.values(labels), value])
    expect(series).toEqual([
      ['web', 'Ranks', 2],
      ['unnamed', 'Ranks', 1],
      ['web', 'Query.users', 2],
      ['web', 'User.rank', 2],
      ['unnamed', 'Query.users', 1],
      ['unnamed', 'User.rank', 1],
    ])
  })

  test('legacy lookups are no operations of clients', async () => {
    const before = await counted()
    await (await fetch(`${gateway.url}/?Event=ProfileLookup&Users=1`)).text()
    expect(await counted()).toEqual(before)
  })
})
