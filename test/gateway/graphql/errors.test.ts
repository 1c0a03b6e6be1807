// Failures on our side: an outage says so, and anything unforeseen is one fixed text here and one line in the
// log.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { LookupError } from '../../../src/errors.ts'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { showUsernamesBy } from '../../kit/postgres/database.ts'
import { type PostgresGateway, startGatewayOnPostgres } from '../../kit/postgres/gateway.ts'
import { ask } from './client.ts'
import { corrupt } from './execution-support.ts'

let gateway: Gateway
beforeEach(async () => {
  gateway = await startGateway()
})
afterEach(() => gateway.close())

const query = '{ users(values: ["1", "99"]) { username } }'
const secrets = /sqlite|users_|no such table|SELECT|ERR_|node_modules|\.ts\b|\/tmp|\/src|\bat \S+:\d|gone/i

const internal = {
  message: new LookupError('Internal').message,
  extensions: { code: 'INTERNAL', requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
}

describe('a row that GraphQL cannot carry', () => {
  // No import lets such numbers in.
  const poison = `INSERT INTO users VALUES (50, 'p', 'p', NULL, 'P', 1, 9007199254740993, 1, 0),
    (51, 'q', 'q', NULL, 'Q', 2147483648, 1, 1, 0), (52, 'r', 'r', NULL, 'R', 'high', 1.5, 1, 0)`
  const poisoned = '{ users(values: ["1", "50", "51", "99", "52"]) { username } apps(ids: [1]) { id } }'

  test('is null and one fixed text at its place, and leaves the others', async () => {
    corrupt(gateway, poison)
    for (let use = 1; use <= 5; use++) {
      const { status, text, data, errors } = await ask(gateway, { query: poisoned })
      expect(status).toBe(200)
      expect(data).toEqual({ users: [{ username: 'Ada' }, null, null, null, null], apps: [{ id: '1' }] })
      expect(errors?.map(({ path }) => path?.join('.'))).toEqual(['users.1', 'users.2', 'users.4'])
      for (const error of errors ?? []) expect(error).toMatchObject(internal)
      expect(text).not.toMatch(secrets)
    }
    const answered = gateway.observations.filter(({ type }) => type === 'request')
    expect(answered.at(-1)).toMatchObject({ about: { outcome: 'Internal' } })
  })

  test('is null and one fixed text where it is asked for alone', async () => {
    corrupt(gateway, poison)
    for (let use = 1; use <= 5; use++) {
      const query = '{ user(value: "51") { rank } one: user(value: "1") { rank } }'
      const { status, data, errors } = await ask(gateway, { query })
      expect({ status, data }).toEqual({ status: 200, data: { user: null, one: { rank: 9 } } })
      expect(errors).toMatchObject([{ ...internal, path: ['user'] }])
    }
  })

  test('is reported by its id and column, once a second', async () => {
    corrupt(gateway, poison)
    for (let use = 1; use <= 3; use++) await ask(gateway, { query: poisoned })
    const reports = () => gateway.observations.filter(({ type }) => type === 'rows-refused')
    await vi.waitFor(() => expect(reports()).not.toHaveLength(0), 3_000)
    expect(reports()[0]).toMatchObject({ relation: 'users', id: '50', column: 'join_date', count: 9 })
    expect(gateway.observations.filter(({ type }) => type === 'unexpected')).toEqual([])
  })
})

describe('an unexpected error', () => {
  const poisoned = '{ users(values: ["1", "2"]) { joinDate } }'
  let over: PostgresGateway
  beforeEach(async () => {
    over = await startGatewayOnPostgres()
    // PostgreSQL says that it is about the data: neither an outage, nor a row that can be told.
    await over.database.run(
      showUsernamesBy(
        "IF $1 = 'søren' THEN RAISE EXCEPTION 'gone' USING ERRCODE = '22012'; END IF; RETURN $1;",
      ).begin,
    )
  })
  afterEach(() => over.close())

  test('is one fixed text and an id', async () => {
    for (let use = 1; use <= 5; use++) {
      const { text, data, errors } = await ask(over, { query: poisoned })
      expect(data).toEqual({ users: null })
      expect(errors).toHaveLength(1)
      expect(errors?.[0]).toMatchObject(internal)
      expect(Object.keys(errors?.[0]?.extensions ?? {}).toSorted()).toEqual(['code', 'requestId'])
      expect(text).not.toMatch(secrets)
    }
  })

  test('is observed under the id the answer carries', async () => {
    const { errors } = await ask(over, { query: poisoned })
    const observed = over.observations.filter((observation) => observation.type === 'unexpected')
    expect(observed).toHaveLength(1)
    expect(observed[0]?.requestId).toBe(errors?.[0]?.extensions?.requestId)
    expect(String(observed[0]?.error)).toMatch(/gone/)
  })

  test('leaves other requests alone', async () => {
    const others = { query: '{ users(values: ["1", "99"]) { username } }' }
    const answers = await Promise.all([ask(over, others), ask(over, { query: poisoned }), ask(over, others)])
    const data = { users: [{ username: 'Ada' }, null] }
    expect(answers.map((answer) => answer.data)).toEqual([data, { users: null }, data])
  })
})

describe('an outage of the store', () => {
  const queries = [
    query,
    '{ users(by: USERNAME, values: ["ada"]) { id } }',
    '{ users(by: CHAT, values: ["x"]) { id } }',
  ]

  test.each(queries)('is 503 for %s', async (asked) => {
    corrupt(gateway, 'ALTER TABLE users RENAME TO gone')
    for (let use = 1; use <= 5; use++) {
      const { status, headers, text, data, errors } = await ask(gateway, { query: asked })
      expect(status).toBe(503)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      expect(data ?? null).toBeNull()
      expect(errors).toHaveLength(1)
      expect(errors?.[0]?.extensions).toEqual({ code: 'UNAVAILABLE' })
      expect(errors?.[0]?.message).toMatch(/database is unavailable/)
      expect(text).not.toMatch(secrets)
    }
  })

  test.each(['application/json', '*/*', 'application/graphql-response+json'])(
    'is 503 for %s',
    async (accept) => {
      corrupt(gateway, 'ALTER TABLE users RENAME TO gone')
      const headers = { 'content-type': 'application/json', accept }
      const response = await fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ query }),
      })
      expect(response.status).toBe(503)
      expect(response.headers.get('retry-after')).not.toBeNull()
    },
  )

  test('of half of the data leaves the other half', async () => {
    corrupt(gateway, 'ALTER TABLE users RENAME TO gone')
    const both =
      '{ apps(ids: [1]) { id } app(id: 9) { id } users(values: ["1"]) { id } one: user(value: "1") { id } }'
    for (let use = 1; use <= 5; use++) {
      const { status, headers, data, errors } = await ask(gateway, { query: both })
      expect(status).toBe(200)
      expect(headers.get('retry-after')).toBeNull()
      expect(data).toEqual({ apps: [{ id: '1' }], app: null, users: null, one: null })
      expect(errors?.map(({ path, extensions }) => [path, extensions])).toEqual([
        [['users'], { code: 'UNAVAILABLE' }],
        [['one'], { code: 'UNAVAILABLE' }],
      ])
    }
  })

  test.each([
    '{ user(value: "1") { id } }',
    '{ app(id: 1) { id } ...U } fragment U on Query { users(values: "1") { id } }',
  ])('of all that is asked for is 503: %s', async (asked) => {
    corrupt(gateway, 'ALTER TABLE users RENAME TO gone; ALTER TABLE apps RENAME TO lost')
    for (let use = 1; use <= 5; use++) {
      const { status, headers, data, errors } = await ask(gateway, { query: asked })
      expect(status).toBe(503)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      expect(data).toBeNull()
      for (const { extensions } of errors ?? []) expect(extensions).toEqual({ code: 'UNAVAILABLE' })
    }
  })

  test('is observed, and over when it is over', async () => {
    corrupt(gateway, 'ALTER TABLE users RENAME TO gone')
    expect((await ask(gateway, { query })).status).toBe(503)
    expect(gateway.observations.map(({ type }) => type)).toContain('store-failed')
    corrupt(gateway, 'ALTER TABLE gone RENAME TO users')
    expect((await ask(gateway, { query })).data).toEqual({ users: [{ username: 'Ada' }, null] })
  })

  test('does not touch what needs no data', async () => {
    corrupt(gateway, 'DROP TABLE users; DROP TABLE apps')
    expect((await ask(gateway, { query: '{ __typename __schema { queryType { name } } }' })).status).toBe(200)
    expect((await ask(gateway, { query: '{ users(values: []) { id } }' })).status).toBe(200)
    expect((await ask(gateway, { query: '{ apps(ids: [1]) { id } }' })).status).toBe(503)
  })
})
