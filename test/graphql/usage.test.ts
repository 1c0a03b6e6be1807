// What an operation is counted as: the client's name, its own, and the fields that it selects.

import { expect } from 'vitest'
import { createMetrics, printMetrics } from '../../src/observe/metrics.ts'
import type { Gateway } from '../kit/gateway.ts'
import { test } from '../kit/test.ts'
import { readSeries } from '../observe/prometheus.ts'
import { planOfText } from './execution-support.ts'

const merged = '{ users(values: []) { id rank ... on User { id x: banned } } __typename }'
const fragments = '{ ...A } fragment A on Query { apps(ids: []) { ...B } } fragment B on App { title }'
const skipped = 'query A($x: Boolean!) { users(values: []) { id @include(if: $x) rank @skip(if: true) } }'
test.for([
  [merged, 'Query.users User.id User.rank User.banned'],
  [fragments, 'Query.apps App.title'],
  [skipped, 'Query.users User.id User.rank'],
  ['{ __schema { types { name } } }', 'Query.__schema'],
] as const)('fields of %s', ([text, fields]) => {
  expect(planOfText(text).uses.join(' ')).toBe(fields)
})

test.for<[headers: Readonly<Record<string, string>>, name: string]>([
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
  [{ 'apollographql-client-name': 'a"} 1 lookup_info{x="' }, 'other'],
])('a client of %j', async ([headers, client], { gateway }) => {
  gateway.observations.length = 0
  await fetch(`${gateway.url}/graphql?query={__typename}`, { headers })
  expect(gateway.observations).toContainEqual(expect.objectContaining({ type: 'graphql-operation', client }))
})

async function counted({ observations }: Pick<Gateway, 'observations'>) {
  const metrics = createMetrics()
  for (const observation of observations) metrics.observe(observation)
  const text = await printMetrics([await metrics.read({ inFlight: 0, storeReady: true })])
  const series = readSeries(text).filter(({ metric }) => metric.startsWith('lookup_graphql_'))
  return series.map(({ labels, value }) => [...Object.values(labels), value])
}

test('operations are counted; refused ones and legacy lookups are not', async ({ gateway }) => {
  const send = async (search: string, name?: string) => {
    const headers: Record<string, string> = { accept: 'application/json' }
    if (name !== undefined) headers['graphql-client-name'] = name
    await (await fetch(`${gateway.url}/graphql?${search}`, { headers })).text()
  }
  const users = 'query=query+Ranks{users(values:["1","9"]){rank}}'
  await send(`query=query+${'a'.repeat(65)}{__typename}`)
  await send(users, 'web')
  await send(users)
  await send('query={nothing}', 'web')
  await send(`query={users(values:[${'1,'.repeat(1001)}]){id}}`, 'web')
  await (await fetch(`${gateway.url}/?Event=ProfileLookup&Users=1`)).text()
  expect(await counted(gateway)).toEqual([
    ['unnamed', 'other', 1],
    ['web', 'Ranks', 1],
    ['unnamed', 'Ranks', 1],
    ['web', 'Query.users', 1],
    ['web', 'User.rank', 1],
    ['unnamed', 'Query.users', 1],
    ['unnamed', 'User.rank', 1],
  ])
})
