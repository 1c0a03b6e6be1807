// What keeps one query from costing more than a look-up should: tokens, depth, aliases, introspection.

import { getIntrospectionQuery } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { ask, dataOf, type Result } from './client.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const codes = ({ errors }: Result) => errors?.map(({ extensions }) => extensions?.code)
const messages = ({ errors }: Result) => errors?.map(({ message }) => message).join('\n') ?? ''

describe('tokens', () => {
  // { users ( values : [ … ] ) { id } }
  const around = 12
  const withTokens = (tokens: number) =>
    `{ users(values: [${Array.from({ length: tokens - around }, () => '"1"').join(' ')}]) { id } }`

  test('1,000 are answered', async () => {
    const { users } = await dataOf(gateway, { query: withTokens(1000) })
    expect(users).toHaveLength(1000 - around)
  })
  test('1,001 are refused, and the limit is said', async () => {
    const refused = await ask(gateway, { query: withTokens(1001) })
    expect(refused.status).toBe(400)
    expect(refused.data).toBeUndefined()
    expect(messages(refused)).toContain('1000 tokens')
  })
  test('of comments and commas do not count', async () => {
    expect(await dataOf(gateway, { query: `{ __typename ${',#\n'.repeat(5000)} }` })).toEqual({
      __typename: 'Query',
    })
  })
  test('in variables do not count', async () => {
    const query = 'query ($values: [String!]!) { users(values: $values) { id } }'
    const values = Array.from({ length: 1000 }, (_, index) => String(index + 1))
    expect((await dataOf(gateway, { query, variables: { values } })).users).toHaveLength(1000)
  })
})

describe('lines', () => {
  const placesOf = async (lines: number) => {
    const { errors } = await ask(gateway, { query: `{ nothing ${'\n'.repeat(lines - 1)} }` })
    return errors?.map(({ locations }) => locations)
  }

  test('of 1,000 lines, errors say where they are; of more, only what they are', async () => {
    expect(await placesOf(1_000)).toEqual([[{ line: 1, column: 3 }]])
    expect(await placesOf(1_001)).toEqual([undefined])
  })
})

describe('parameters', () => {
  const parameters = (count: number) => `query={__typename}${'&x=%FF'.repeat(count - 1)}`

  test('100 are read; more are 400, in a query string as in a form', async () => {
    for (const [count, status] of [
      [100, 200],
      [101, 400],
    ] as const) {
      const inQuery = await fetch(`${gateway.url}/graphql?${parameters(count)}`)
      const inForm = await fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: parameters(count),
      })
      expect([inQuery.status, inForm.status]).toEqual([status, status])
      const texts = await Promise.all([inQuery.text(), inForm.text()])
      for (const text of texts)
        expect(text.includes('A request may have 100 parameters.')).toBe(status === 400)
    }
  })
})

describe('depth', () => {
  // The schema itself is two levels deep: deeper queries are wrong anyway, and refused before they are looked
  // into.
  const nested = (levels: number) => `${'{ a '.repeat(levels)}${'}'.repeat(levels)}`
  test('of 6 is not refused as such', async () => {
    expect(codes(await ask(gateway, { query: nested(6) }))).not.toContain('TOO_DEEP')
  })
  test('of 7 is refused, and the limit is said', async () => {
    const refused = await ask(gateway, { query: nested(7) })
    expect(refused.status).toBe(400)
    expect(codes(refused)).toContain('TOO_DEEP')
    expect(messages(refused)).toContain('6 levels')
  })
  test('of 7 is refused within fragments', async () => {
    const query =
      '{ ...A } fragment A on Query { a { b { c { ...B } } } } fragment B on Query { d { e { f { g } } } }'
    expect(codes(await ask(gateway, { query }))).toContain('TOO_DEEP')
  })
  test('of 6 within fragments is not refused as such', async () => {
    const query = `{ ...A } fragment A on Query { a { b { c { ...B ... { ...C } } } } }
      fragment B on Query { d { e { f } } } fragment C on Query { ... { d { e { ... { f } } } } }`
    expect(codes(await ask(gateway, { query }))).not.toContain('TOO_DEEP')
  })
  test("GraphiQL's introspection is exempt", async () => {
    for (const options of [
      {},
      { inputValueDeprecation: true, specifiedByUrl: true, schemaDescription: true },
    ]) {
      const { __schema } = await dataOf(gateway, { query: getIntrospectionQuery(options) })
      expect(JSON.stringify(__schema)).toContain('Users by id, username or chat identifier')
    }
  })
})

test('an alias of 200 characters is answered', async () => {
  const alias = 'a'.repeat(200)
  expect(await dataOf(gateway, { query: `{ ${alias}: __typename }` })).toEqual({ [alias]: 'Query' })
})

describe('aliases', () => {
  const ids = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => `a${from + index}: id`).join(' ')
  /** Those of root fields, and of one user; more root fields would be too many tokens. */
  const aliases = (count: number, from = 0) => {
    const roots = Array.from({ length: 50 }, (_, index) => `a${from + index}: user(value: "${index}") { id }`)
    return `${roots.join(' ')} users(values: ["1"]) { ${ids(from + 50, from + count)} }`
  }

  test('100 are answered', async () => {
    const { users, ...others } = await dataOf(gateway, { query: `{ ${aliases(100)} }` })
    expect(Object.keys(others)).toHaveLength(50)
    const user = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`a${50 + index}`, '1']))
    expect(users).toEqual([user])
  })
  const inline = `{ ... { ${aliases(60)} } ... on Query { users(values: ["1"]) { ${ids(60, 101)} } } }`
  const within = `{ users(values: ["1"]) { ${ids(0, 101)} } }`
  test.each([
    ['side by side', `{ ${aliases(101)} }`],
    ['in a fragment', `{ ...A } fragment A on Query { ${aliases(101)} }`],
    [
      'in a fragment of a fragment',
      `{ a0: __typename ...A } fragment A on Query { ...B } fragment B on Query { ${aliases(101)} }`,
    ],
    ['in inline fragments', inline],
    ['on fields of a user', within],
    ['in the second operation', `query A { __typename } query B { ${aliases(101)} }`],
  ])('101 %s are refused, and the limit is said', async (_name, query) => {
    const refused = await ask(gateway, {
      query,
      operationName: query.startsWith('query A') ? 'B' : undefined,
    })
    expect(refused.status).toBe(400)
    expect(codes(refused)).toContain('TOO_MANY_ALIASES')
    expect(messages(refused)).toContain('100 aliases')
  })
})

describe('other limits', () => {
  let strict: Gateway
  beforeAll(async () => {
    strict = await startGateway({
      GRAPHQL_MAX_TOKENS: '30',
      GRAPHQL_MAX_DEPTH: '2',
      GRAPHQL_MAX_ALIASES: '1',
      MAX_BODY: '1024',
    })
  })
  afterAll(() => strict.close())

  const fine = '{ a: users(values: ["1"]) { id } }'
  test.each([
    ['tokens', `{ users(values: [${'"1" '.repeat(19)}]) { id } }`, 'TOO_MANY_TOKENS', '30 tokens'],
    ['depth', '{ a { b { c } } }', 'TOO_DEEP', '2 levels'],
    ['aliases', '{ a: apps(ids: [1]) { id } b: apps(ids: [2]) { id } }', 'TOO_MANY_ALIASES', '1 aliases'],
    ['body', `{ __typename } # ${'x'.repeat(1024)}`, 'TOO_LARGE_BODY', '1024 bytes'],
  ])('of %s are those that are set', async (_name, query, code, text) => {
    expect(await dataOf(strict, { query: fine })).toEqual({ a: [{ id: '1' }] })
    const refused = await ask(strict, { query })
    expect(codes(refused)).toContain(code)
    expect(messages(refused)).toContain(text)
    // What one gateway refuses, another answers, or refuses for other reasons.
    expect(codes(await ask(gateway, { query })) ?? []).not.toContain(code)
  })
})
