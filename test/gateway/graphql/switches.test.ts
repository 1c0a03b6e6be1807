// INTROSPECTION and GRAPHIQL switched off, and LEGACY_MAX_VALUES with its limit over the whole request.

import { getIntrospectionQuery } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { ask, codeOf, dataOf, type Result } from './client.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway({ INTROSPECTION: 'off', GRAPHIQL: 'off', LEGACY_MAX_VALUES: '5' })
})
afterAll(() => gateway.close())

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

describe('INTROSPECTION=off', () => {
  test.each([
    ['all of it', getIntrospectionQuery()],
    ['__schema', '{ __schema { queryType { name } } }'],
    ['__type', '{ __type(name: "User") { name } }'],
    ['it under an alias, in a fragment', '{ ...A } fragment A on Query { a: __schema { types { name } } }'],
  ])('refuses %s', async (_name, query) => {
    const refused = await ask(gateway, { query })
    expect(refused.status).toBe(400)
    expect(refused.data).toBeUndefined()
    expect(refused.text).not.toContain('profile')
  })
  test('answers __typename', async () => {
    expect(await dataOf(gateway, { query: '{ __typename users(values: ["1"]) { __typename } }' })).toEqual({
      __typename: 'Query',
      users: [{ __typename: 'User' }],
    })
  })
})

test('GRAPHIQL=off gives a browser no page', async () => {
  const response = await fetch(`${gateway.url}/graphql`, { headers: { accept: browser } })
  expect(response.status).toBeLessThan(500)
  expect(response.headers.get('content-type')).not.toContain('html')
  expect(await response.text()).not.toContain('<html')
})

describe('LEGACY_MAX_VALUES=5', () => {
  const users = 'query ($values: [String!]!) { users(values: $values) { id } }'
  const apps = 'query ($ids: [ID!]!) { apps(ids: $ids) { id } }'
  const texts = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1))

  function expectTooMany(result: Result) {
    expect(codeOf(result)).toBe('TOO_MANY_VALUES')
    expect(result.errors?.[0]?.message).toContain('More than 5 values')
    expect(result.data ?? null).toBeNull()
  }

  test('answers 5', async () => {
    expect((await dataOf(gateway, { query: users, variables: { values: texts(5) } })).users).toHaveLength(5)
    expect((await dataOf(gateway, { query: apps, variables: { ids: texts(5) } })).apps).toHaveLength(5)
  })
  test('refuses 6 in one list', async () => {
    expectTooMany(await ask(gateway, { query: users, variables: { values: texts(6) } }))
    expectTooMany(await ask(gateway, { query: apps, variables: { ids: texts(6) } }))
    expectTooMany(await ask(gateway, { query: `{ apps(ids: [1 2 3 4 5 6]) { id } }` }))
  })
  test('counts malformed values and duplicates', async () => {
    expectTooMany(await ask(gateway, { query: users, variables: { values: Array(6).fill('1') } }))
    expectTooMany(await ask(gateway, { query: users, variables: { values: Array(6).fill('abc') } }))
  })
  test('counts over aliases, fields and fragments', async () => {
    const query =
      '{ a: users(values: ["1", "2"]) { id } ...B } fragment B on Query { apps(ids: [1, 2, 3]) { id } }'
    expect(Object.keys(await dataOf(gateway, { query }))).toEqual(['a', 'apps'])
    expectTooMany(await ask(gateway, { query: query.replace('[1, 2, 3]', '[1, 2, 3, 4]') }))
    expectTooMany(
      await ask(gateway, { query: '{ a: apps(ids: [1 2 3]) { id } b: apps(ids: [1 2 3]) { id } }' }),
    )
  })
  test('counts a field once that is asked for twice', async () => {
    const query = '{ users(values: ["1", "2", "3"]) { id } users(values: ["1", "2", "3"]) { rank } }'
    expect((await dataOf(gateway, { query })).users).toHaveLength(3)
  })
  test('allows each of many requests at once the whole of it', async () => {
    const asked = Array.from({ length: 50 }, () =>
      dataOf(gateway, { query: users, variables: { values: texts(5) } }),
    )
    for (const data of await Promise.all(asked)) expect(data.users).toHaveLength(5)
  })
})
