// Failures on our side: an outage is a 503, a failed value is an error at its path, and an unexpected error
// shows nothing of its cause. Requests repeat until the operation is compiled.

import { describe, expect, onTestFinished, test } from 'vitest'
import { LookupError } from '../../src/errors.ts'
import { ProfileLookupDocument } from '../../src/legacy/operations.generated.ts'
import { startGatewayOver } from '../kit/gateway.ts'
import { startOldService } from '../kit/old-service.ts'
import { ask } from './client.ts'
import { countedExecution, executionOver } from './execution-support.ts'
import { startOverStore } from './over-store.ts'

const uses = [1, 2, 3, 4, 5]
const secrets = /sqlite|SELECT|ERR_|node_modules|\.ts\b|\/tmp|\/src|\bat \S+:\d|gone/i
const internal = {
  message: new LookupError('Internal').message,
  extensions: { code: 'INTERNAL', requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
}
const unavailable = { message: new LookupError('Unavailable').message, extensions: { code: 'UNAVAILABLE' } }

test('an unexpected error is one fixed text, and the log has its cause under the same id', async () => {
  const gateway = await startOverStore()
  gateway.store.failing.set('2', new Error('gone: SELECT 1 FROM users'))
  const failing = { query: '{ users(values: ["1", "2"]) { joinDate } }' }
  const other = { query: '{ users(values: ["1", "99"]) { username } }' }
  for (const use of uses) {
    const [failed, whole] = await Promise.all([ask(gateway, failing), ask(gateway, other)])
    expect(whole.data).toEqual({ users: [{ username: 'Ada' }, null] })
    expect(failed).toMatchObject({ data: { users: [{ joinDate: 1199145600 }, null] }, errors: [internal] })
    expect(failed.text).not.toMatch(secrets)
    const logged = gateway.observations.filter(({ type }) => type === 'unexpected')
    expect(logged).toHaveLength(use)
    const { requestId } = failed.errors?.[0]?.extensions ?? {}
    expect(logged.at(-1)).toMatchObject({ requestId, error: gateway.store.failing.get('2') })
  }
})

describe('an outage of the store', () => {
  test.for([
    '{ users(values: ["1", "99"]) { username } }',
    '{ users(by: USERNAME, values: ["ada"]) { id } }',
    '{ users(by: CHAT, values: ["x"]) { id } }',
    '{ user(value: "1") { id } }',
    '{ app(id: 1) { id } ...U } fragment U on Query { users(values: "1") { id } }',
    '{ __typename users(values: ["1"]) { id } }',
    '{ user(value: "1") { id } __schema { queryType { name } } }',
  ])('is 503 for %s, and 200 when it ends', async (query) => {
    const gateway = await startOverStore()
    gateway.store.failure = new LookupError('Unavailable')
    for (const use of uses) {
      const { status, headers, data, errors, text } = await ask(gateway, { query })
      expect([status, data]).toEqual([503, null])
      // The store is asked once for each kind of lookup, however the operation runs.
      for (const count of Object.values(gateway.store.counts())) expect(count).toBe(use)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      for (const error of errors ?? []) expect(error).toMatchObject(unavailable)
      expect(text).not.toMatch(secrets)
    }
    const plain = await fetch(`${gateway.url}/graphql?${new URLSearchParams({ query })}`)
    expect([plain.status, plain.headers.has('retry-after')]).toEqual([503, true])
    gateway.store.failure = null
    expect((await ask(gateway, { query })).status).toBe(200)
  })

  test('of users leaves apps, and what needs no data', async () => {
    const gateway = await startOverStore()
    gateway.store.failure = new LookupError('Unavailable')
    const noData = '{ __typename __schema { queryType { name } } users(values: []) { id } }'
    expect((await ask(gateway, { query: noData })).status).toBe(200)
    gateway.store.failure = null
    for (const id of ['1', '2']) gateway.store.failing.set(id, new LookupError('Unavailable'))
    const query = `{ apps(ids: [1]) { id } app(id: 9) { id }
      users(values: ["1"]) { id } one: user(value: "2") { id } }`
    for (const _use of uses) {
      const { status, headers, data, errors } = await ask(gateway, { query })
      expect([status, headers.get('retry-after')]).toEqual([200, null])
      expect(data).toEqual({ apps: [{ id: '1' }], app: null, users: null, one: null })
      expect(errors).toMatchObject([
        { ...unavailable, path: ['users'] },
        { ...unavailable, path: ['one'] },
      ])
    }
  })
})

test('an old service without apps answers for users, and fails requests for apps alone', async () => {
  const old = await startOldService({ withoutApps: true })
  onTestFinished(old.close)
  const gateway = await startGatewayOver({ DATABASE_URL: old.url })
  onTestFinished(gateway.close)
  const query = `{ users(values: ["1", "99"]) { username } user(value: "3") { id }
    apps(ids: [1, 2]) { id } app(id: 1) { id } }`
  for (const _use of uses)
    expect(await ask(gateway, { query })).toMatchObject({
      status: 200,
      data: { users: [{ username: 'Ada' }, null], user: { id: '3' }, apps: null, app: null },
      errors: [
        { ...unavailable, path: ['apps'] },
        { ...unavailable, path: ['app'] },
      ],
    })
  const { status, headers, data } = await ask(gateway, { query: '{ app(id: 1) { id } }' })
  expect([status, headers.has('retry-after'), data]).toEqual([503, true, null])
  const statusOf = async (search: string) => (await fetch(`${gateway.url}/?${search}`)).status
  expect(await statusOf('Event=AppLookup&Apps=1')).toBe(503)
  expect(await statusOf('Event=ProfileLookup&Users=1')).toBe(200)
})

/** The use at which an operation is compiled: the first one, or none. */
const ways = [1, Number.POSITIVE_INFINITY]

test.for(ways)('a store that fails for one value, compiled on use %d', async (compileOnUse) => {
  const { execution, run, store } = await countedExecution({ compileOnUse })
  store.failing.set('2', new LookupError('Unavailable'))
  const { data, errors } = await run(`{ again: users(values: ["3"]) { id }
    users(values: ["1", "2", "99", "2"]) { id } user(value: "2") { id } }`)
  expect(data).toEqual({ users: [{ id: '1' }, null, null, null], user: null, again: [{ id: '3' }] })
  const paths = [['users', 1], ['users', 3], ['user']]
  expect(new Set(errors?.map(({ path }) => path?.join()))).toEqual(new Set(paths.map((path) => path.join())))
  for (const error of errors ?? []) expect(error).toMatchObject(unavailable)

  // A legacy lookup fails as a whole.
  const look = (values: string[]) => execution.executeStored(ProfileLookupDocument, { by: 'ID', values })
  await expect(look(['1', '2'])).rejects.toMatchObject({ code: 'Unavailable', status: 503 })
  expect((await look(['1'])).entries).toMatchObject([{ id: '1' }])

  // One request fails among requests that share a query.
  store.queries.length = 0
  const shared = ['1', '2', '3'].map((id) => run(`{ users(values: ["${id}", "4"]) { id } }`))
  expect((await Promise.all(shared)).map(({ errors }) => errors?.length ?? 0)).toEqual([0, 1, 0])
  expect(store.queries).toHaveLength(1)
})

const texts = { username: 'a', displayName: 'A' }
const user = { id: 1, ...texts, rank: 1, joinDate: 1, isConfirmed: true, banned: false }

test.for([
  ['rank', 2 ** 31],
  ['rank', 1.5],
  ['joinDate', 2 ** 53],
] as const)('a %s of %d, which GraphQL cannot write, is an unexpected error', async ([field, value]) => {
  const lookups = {
    findUsers: async () => [{ ...user, [field]: value }, user],
    findApps: async () => [],
  }
  for (const compileOnUse of ways) {
    const { run, observed } = await executionOver(lookups, { compileOnUse })
    const { data, errors } = await run(
      `{ users(values: ["1", "2"]) { ${field} } user(value: "1") { ${field} } }`,
    )
    expect(data).toEqual({ users: [null, { [field]: 1 }], user: null })
    expect(errors).toMatchObject([
      { ...internal, path: ['users', 0, field] },
      { ...internal, path: ['user', field] },
    ])
    const types = observed.map(({ type }) => type).filter((type) => type !== 'graphql-operation')
    expect(types).toEqual(['unexpected'])
  }
})
