// A row with a number that GraphQL cannot carry, over every kind of store: one value of GraphQL, and one
// legacy request. No import lets such numbers in.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Observation } from '../../src/observation.ts'
import { startAnswering, userOf } from '../kit/answering.ts'
import type { TestEngine } from '../kit/engine.ts'
import { engines } from '../kit/engines.ts'
import { type Gateway, startGateway, startGatewayOver } from '../kit/gateway.ts'
import { startGatewayOn } from '../kit/server-gateway.ts'
import { ask } from './graphql/client.ts'
import { corrupt } from './graphql/execution-support.ts'

type Served = Pick<Gateway, 'url' | 'observations' | 'close'>

const rank = 2 ** 31
const category = -(2 ** 31) - 1

async function onSqlite(): Promise<Served> {
  const gateway = await startGateway()
  corrupt(
    gateway,
    `UPDATE users SET rank = ${rank} WHERE id = 2; UPDATE apps SET category = ${category} WHERE id = 2`,
  )
  return gateway
}

/** The columns of tables that the gateway has made are too narrow. */
const spoil = {
  postgres: `ALTER TABLE users ALTER COLUMN rank TYPE bigint; UPDATE users SET rank = ${rank} WHERE id = 2;
    ALTER TABLE apps ALTER COLUMN category TYPE bigint`,
  mysql: `ALTER TABLE users MODIFY \`rank\` bigint; UPDATE users SET \`rank\` = ${rank} WHERE id = 2;
    ALTER TABLE apps MODIFY category bigint`,
} as const

const onServer = (engine: TestEngine) => async (): Promise<Served> => {
  const gateway = await startGatewayOn(engine)()
  await gateway.database.run(spoil[engine.kind])
  await gateway.database.run(`UPDATE apps SET category = ${category} WHERE id = 2`)
  return gateway
}

async function onOldService(): Promise<Served> {
  const app = { Title: 'A', Version: '1.0.0', ChangelogLink: 'http://a/', ServiceDownloadLink: 'http://a/1/' }
  const old = await startAnswering(({ url = '' }, response) => {
    const { searchParams } = new URL(url, 'http://old/')
    const ids = (searchParams.get('Users') ?? searchParams.get('Apps') ?? '').split(':')
    const entryOf = searchParams.has('Users')
      ? (id: string) => ({ ...userOf(id), Rank: id === '2' ? rank : 0 })
      : (id: string) => ({ ...app, Category: id === '2' ? category : 0 })
    response.end(JSON.stringify(Object.fromEntries(ids.map((id) => [id, entryOf(id)]))))
  })
  const gateway = await startGatewayOver({ DATABASE_URL: old.url })
  const close = async () => {
    await gateway.close()
    old.close()
  }
  return { ...gateway, close }
}

describe.each<readonly [name: string, start: () => Promise<Served>]>([
  ['SQLite', onSqlite],
  ...engines.map((engine) => [engine.name, onServer(engine)] as const),
  ['an old service', onOldService],
])('over %s', (_name, start) => {
  let gateway: Served
  beforeEach(async () => {
    gateway = await start()
  })
  afterEach(() => gateway.close())

  const of = <Type extends Observation['type']>(type: Type) =>
    gateway.observations.filter((one): one is Extract<Observation, { type: Type }> => one.type === type)
  const outcomes = () => of('request').map(({ about }) => about.outcome)

  test('GraphQL answers all other values, and is counted', async () => {
    const query =
      '{ users(values: ["1", "2", "3"]) { id } user(value: "2") { id } apps(ids: [1, 2]) { id } app(id: 2) { id } }'
    // Interpreted at first, and compiled after some uses.
    for (let use = 1; use <= 4; use++) {
      const { status, data, errors } = await ask(gateway, { query })
      expect(status).toBe(200)
      expect(data).toEqual({
        users: [{ id: '1' }, null, { id: '3' }],
        user: null,
        apps: [{ id: '1' }, null],
        app: null,
      })
      const places = errors?.map(({ path, extensions }) => [path?.join('.'), extensions?.code])
      expect(places?.toSorted()).toEqual([
        ['app', 'INTERNAL'],
        ['apps.1', 'INTERNAL'],
        ['user', 'INTERNAL'],
        ['users.1', 'INTERNAL'],
      ])
    }
    expect(outcomes()).toEqual(Array(4).fill('Internal'))
    expect(of('unexpected')).toEqual([])
  })

  test('the legacy interface fails the request that asks for it, and is counted', async () => {
    const statusOf = async (query: string) => (await fetch(`${gateway.url}/?${query}`)).status
    expect(await statusOf('Event=ProfileLookup&Users=1:2:3')).toBe(500)
    expect(await statusOf('Event=ProfileLookup&Users=1:3')).toBe(200)
    expect(await statusOf('Event=AppLookup&Apps=2')).toBe(500)
    expect(await statusOf('Event=AppLookup&Apps=1')).toBe(200)
    expect(outcomes()).toEqual(['Internal', 'ok', 'Internal', 'ok'])
    expect(of('unexpected')).toEqual([])
  })

  test('the operator is told the row, its column, and how often', async () => {
    const query = '{ a: user(value: "2") { id } b: users(values: ["2", "1", "2"]) { id } }'
    await ask(gateway, { query })
    await expect.poll(() => of('rows-refused').length, { timeout: 3_000 }).toBeGreaterThan(0)
    expect(of('rows-refused')).toMatchObject([{ relation: 'users', id: '2', column: 'rank' }])
    expect(of('rows-refused')[0]?.count).toBeGreaterThan(0)
    expect(of('store-failed')).toEqual([])
  })
})
