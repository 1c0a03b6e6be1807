// Failures on our side: an outage says so, and anything unforeseen is one fixed text here and one line in the
// log. Each is asked for often enough that the operation is compiled.

import { parse } from 'graphql'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { LookupError } from '../../../src/errors.ts'
import { createExecution } from '../../../src/gateway/graphql/execution.ts'
import { schema } from '../../../src/gateway/graphql/schema.ts'
import type { Lookups } from '../../../src/gateway/loaders/lookups.ts'
import type { Observation } from '../../../src/observation.ts'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { showUsernamesBy } from '../../kit/postgres/database.ts'
import { type PostgresGateway, startGatewayOnPostgres } from '../../kit/postgres/gateway.ts'
import { ask } from './client.ts'
import { corrupt, untilCompiling } from './execution-support.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const secrets = /sqlite|users_|no such table|SELECT|ERR_|node_modules|\.ts\b|\/tmp|\/src|\bat \S+:\d|gone/i
const internal = {
  message: new LookupError('Internal').message,
  extensions: { code: 'INTERNAL', requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
}

describe('an unexpected error', () => {
  let over: PostgresGateway
  beforeAll(async () => {
    over = await startGatewayOnPostgres()
    // PostgreSQL says that it is about the data: neither an outage, nor a row that can be told.
    await over.database.run(
      showUsernamesBy(
        "IF $1 = 'søren' THEN RAISE EXCEPTION 'gone' USING ERRCODE = '22012'; END IF; RETURN $1;",
      ).begin,
    )
  })
  afterAll(() => over.close())

  test('is one fixed text, and the log has the reason under the same id', async () => {
    for (let use = 1; use <= 5; use++) {
      const { text, data, errors } = await ask(over, { query: '{ users(values: ["1", "2"]) { joinDate } }' })
      expect(data).toEqual({ users: null })
      expect(errors).toMatchObject([internal])
      expect(Object.keys(errors?.[0]?.extensions ?? {}).toSorted()).toEqual(['code', 'requestId'])
      expect(text).not.toMatch(secrets)
      const observed = over.observations.filter((observation) => observation.type === 'unexpected')
      expect(observed).toHaveLength(use)
      expect(observed.at(-1)?.requestId).toBe(errors?.[0]?.extensions?.requestId)
      expect(String(observed.at(-1)?.error)).toMatch(/gone/)
    }
  })

  test('leaves other requests alone', async () => {
    const others = { query: '{ users(values: ["1", "99"]) { username } }' }
    const failing = { query: '{ users(values: ["1", "2"]) { joinDate } }' }
    const answers = await Promise.all([ask(over, others), ask(over, failing), ask(over, others)])
    const data = { users: [{ username: 'Ada' }, null] }
    expect(answers.map((answer) => answer.data)).toEqual([data, { users: null }, data])
  })
})

describe('an outage of the store', () => {
  let renamed: string[] = []
  const rename = (...tables: string[]) => {
    for (const table of tables) corrupt(gateway, `ALTER TABLE ${table} RENAME TO gone_${table}`)
    renamed = tables
  }
  const undo = () => {
    for (const table of renamed) corrupt(gateway, `ALTER TABLE gone_${table} RENAME TO ${table}`)
    renamed = []
  }
  afterEach(undo)

  test.each([
    '{ users(values: ["1", "99"]) { username } }',
    '{ users(by: USERNAME, values: ["ada"]) { id } }',
    '{ users(by: CHAT, values: ["x"]) { id } }',
    '{ user(value: "1") { id } }',
    '{ app(id: 1) { id } ...U } fragment U on Query { users(values: "1") { id } }',
  ])('of all that is asked for is 503: %s', async (query) => {
    rename('users', 'apps')
    for (let use = 1; use <= 5; use++) {
      const { status, headers, text, data, errors } = await ask(gateway, { query })
      expect(status).toBe(503)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      expect(data).toBeNull()
      for (const { extensions } of errors ?? []) expect(extensions).toEqual({ code: 'UNAVAILABLE' })
      expect(text).not.toMatch(secrets)
    }
    expect(gateway.observations.map(({ type }) => type)).toContain('store-failed')
    undo()
    expect((await ask(gateway, { query })).status).toBe(200)
  })

  test('is 503 in plain JSON, too', async () => {
    rename('users')
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ query: '{ user(value: "1") { id } }' })
    const response = await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body })
    expect([response.status, response.headers.has('retry-after')]).toEqual([503, true])
  })

  test('of half of the data leaves the other half', async () => {
    rename('users')
    const query =
      '{ apps(ids: [1]) { id } app(id: 9) { id } users(values: ["1"]) { id } one: user(value: "1") { id } }'
    for (let use = 1; use <= 5; use++) {
      const { status, headers, data, errors } = await ask(gateway, { query })
      expect(status).toBe(200)
      expect(headers.get('retry-after')).toBeNull()
      expect(data).toEqual({ apps: [{ id: '1' }], app: null, users: null, one: null })
      expect(errors?.map(({ path, extensions }) => [path, extensions])).toEqual([
        [['users'], { code: 'UNAVAILABLE' }],
        [['one'], { code: 'UNAVAILABLE' }],
      ])
    }
  })

  test('does not touch what needs no data', async () => {
    rename('users', 'apps')
    expect((await ask(gateway, { query: '{ __typename __schema { queryType { name } } }' })).status).toBe(200)
    expect((await ask(gateway, { query: '{ users(values: []) { id } }' })).status).toBe(200)
  })
})

const user = {
  id: 1,
  username: 'a',
  displayName: 'A',
  rank: 1,
  joinDate: 1,
  isConfirmed: true,
  banned: false,
}

// Were a store to let it through.
test.each([
  ['rank', { ...user, rank: 2 ** 31 }],
  ['rank', { ...user, rank: 1.5 }],
  ['joinDate', { ...user, joinDate: 2 ** 53 }],
] as const)('a %s that GraphQL cannot write is a fault of ours: %j', async (field, row) => {
  const lookups: Lookups = { findUsers: async () => [row, user], findApps: async () => [] }
  const query = `{ users(values: ["1", "2"]) { ${field} } user(value: "1") { ${field} } }`
  for (const compileOnUse of [1, Number.POSITIVE_INFINITY]) {
    const observed: Observation[] = []
    const observe = (observation: Observation) => observed.push(observation)
    const execution = createExecution({
      schema,
      lookups,
      maxValues: 10,
      maxFields: 100,
      observe,
      compileOnUse,
    })
    if (compileOnUse === 1) await untilCompiling(execution)
    const { data, errors } = await execution.run({ document: parse(query) }, execution.createContext())
    expect(data).toEqual({ users: [null, { [field]: 1 }], user: null })
    expect(errors).toMatchObject([
      { ...internal, path: ['users', 0, field] },
      { ...internal, path: ['user', field] },
    ])
    const types = observed.map(({ type }) => type).filter((type) => type !== 'graphql-operation')
    expect(types).toEqual(['unexpected'])
  }
})
