// The query language: what GraphQL itself brings, on this schema.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { ask, dataOf, get, type Params } from './client.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const data = (query: string, variables?: Params['variables']) => dataOf(gateway, { query, variables })

describe('understands', () => {
  test('an enum as a variable', async () => {
    const query =
      'query ($by: UserLookupMethod!) { users(by: $by, values: ["1", "ada", "chat-1002"]) { id } }'
    expect((await data(query, { by: 'ID' })).users).toEqual([{ id: '1' }, null, null])
    expect((await data(query, { by: 'USERNAME' })).users).toEqual([null, { id: '1' }, null])
    expect((await data(query, { by: 'CHAT' })).users).toEqual([null, null, { id: '2' }])
  })
  test('a variable with a default', async () => {
    const query = 'query ($values: [String!]! = ["2"]) { users(values: $values) { id } }'
    expect((await data(query)).users).toEqual([{ id: '2' }])
    expect((await data(query, { values: ['3'] })).users).toEqual([{ id: '3' }])
  })
  test('a nullable variable where the argument has a default', async () => {
    const query = 'query ($by: UserLookupMethod) { users(by: $by, values: ["1"]) { id } }'
    expect((await data(query)).users).toEqual([{ id: '1' }])
  })
  test('aliases', async () => {
    const query = '{ a: users(values: ["1"]) { x: id y: id } b: users(values: ["2"]) { id: username } }'
    expect(await data(query)).toEqual({ a: [{ x: '1', y: '1' }], b: [{ id: 'søren' }] })
  })
  test('fragments, named and inline, within each other', async () => {
    const query = `
      { users(values: ["1"]) { ...Name ... on User { rank } ... { banned } } ...Apps }
      fragment Name on User { username ...Display }
      fragment Display on User { displayName }
      fragment Apps on Query { apps(ids: [1]) { ... on App { title } } }`
    expect(await data(query)).toEqual({
      users: [{ username: 'Ada', displayName: 'Ada of the Hill', rank: 9, banned: false }],
      apps: [{ title: 'Pocket Almanac' }],
    })
  })
  test.each([
    [true, true, { id: '1', username: 'Ada' }],
    [true, false, { id: '1', username: 'Ada', rank: 9 }],
    [false, true, { id: '1' }],
    [false, false, { id: '1', rank: 9 }],
  ])('@include %s and @skip %s', async (include, skip, expected) => {
    const query = `query ($include: Boolean!, $skip: Boolean!) {
      users(values: ["1"]) { id username @include(if: $include) ... @skip(if: $skip) { rank } } }`
    expect((await data(query, { include, skip })).users).toEqual([expected])
  })
  test('__typename', async () => {
    expect(
      await data('{ __typename users(values: ["1"]) { __typename } apps(ids: [1]) { t: __typename } }'),
    ).toEqual({
      __typename: 'Query',
      users: [{ __typename: 'User' }],
      apps: [{ t: 'App' }],
    })
  })
  test('comments, commas, a byte order mark and block strings', async () => {
    expect(await data('\ufeff# hello\n{,,users(values:["""\n  1\n"""]),{id}}')).toEqual({
      users: [{ id: '1' }],
    })
  })
  test('a query by GET, with its variables', async () => {
    const query = 'query ($v: [String!]!) { users(values: $v) { id } }'
    const { status, data } = await get(gateway, { query, variables: '{"v":["1"]}' })
    expect({ status, data }).toEqual({ status: 200, data: { users: [{ id: '1' }] } })
  })
})

describe('operationName', () => {
  const query = 'query One { users(values: ["1"]) { id } } query Two { users(values: ["2"]) { id } }'

  test('chooses among several operations', async () => {
    expect(await dataOf(gateway, { query, operationName: 'One' })).toEqual({ users: [{ id: '1' }] })
    expect(await dataOf(gateway, { query, operationName: 'Two' })).toEqual({ users: [{ id: '2' }] })
  })
  test.each([undefined, null, '', 'Three'])('%s chooses none', async (operationName) => {
    const result = await ask(gateway, { query, operationName })
    expect(result.status).toBe(400)
    expect(result.errors?.[0]?.message).toMatch(/operation/i)
    expect(result.data).toBeUndefined()
  })
})

describe('refuses', () => {
  // There is nothing to write; GraphQL leaves open whether that is an error of the request or of its
  // execution.
  test.each(['mutation { users(values: ["1"]) { id } }', 'mutation { __typename }'])('%s', async (query) => {
    for (const answer of [await ask(gateway, { query }), await get(gateway, { query })]) {
      expect(answer.status).toBeLessThan(500)
      expect(answer.errors?.[0]?.message).toMatch(/mutation/i)
      expect(answer.data ?? null).toBeNull()
    }
  })

  test.each([
    ['a subscription', 'subscription { users(values: ["1"]) { id } }'],
    ['an unknown field', '{ users(values: ["1"]) { chatId } }'],
    ['an unknown argument', '{ users(values: ["1"], chatId: "x") { id } }'],
    ['a missing argument', '{ users { id } }'],
    ['an unknown enum value', '{ users(by: NAME, values: ["1"]) { id } }'],
    ['null for the method', '{ users(by: null, values: ["1"]) { id } }'],
    ['null for the list', '{ users(values: null) { id } }'],
    ['null within the list', '{ users(values: ["1", null]) { id } }'],
    ['an integer where a text is due', '{ users(values: [1]) { id } }'],
    ['fields of nothing', '{ users(values: ["1"]) }'],
    ['fragments in a circle', '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }'],
    ['an unused variable', 'query ($a: Int) { __typename }'],
    ['no operation', 'fragment A on Query { __typename }'],
    ['bad syntax', '{ users(values: ["1") { id } }'],
    ['an empty text', ''],
    ['a type definition', 'type A { b: Int }'],
  ])('%s', async (_name, query) => {
    const result = await ask(gateway, { query })
    expect(result.status).toBe(400)
    expect(result.data).toBeUndefined()
    expect(result.errors?.length).toBeGreaterThan(0)
    // The second time it may come from a cache.
    const again = await ask(gateway, { query })
    expect({ status: again.status, text: again.text }).toEqual({ status: result.status, text: result.text })
  })

  const byVariables =
    'query ($by: UserLookupMethod! = ID, $values: [String!]!) { users(by: $by, values: $values) { id } }'
  test.each([
    ['no list', {}],
    ['null for the list', { values: null }],
    ['null within the list', { values: ['1', null] }],
    ['a number within the list', { values: [1] }],
    ['an object for the list', { values: {} }],
    ['an unknown enum value', { by: 'id', values: ['1'] }],
    ['a number as the enum', { by: 0, values: ['1'] }],
    ['null for the method', { by: null, values: ['1'] }],
  ])('variables with %s', async (_name, variables) => {
    const result = await ask(gateway, { query: byVariables, variables })
    expect(result.status).toBe(400)
    expect(result.data).toBeUndefined()
    expect(result.errors?.[0]?.message).toMatch(/^Variable "\$/)
  })
})
