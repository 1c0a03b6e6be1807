// What keeps one query from costing more than a look-up should. test/faults/limits.test.ts has what is just
// within each limit and just beyond.

import { getIntrospectionQuery } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { ask, codeOf, dataOf, type Params, type Result } from './client.ts'

let gateway: Gateway
let strict: Gateway
beforeAll(async () => {
  gateway = await startGateway()
  strict = await startGateway({
    GRAPHQL_MAX_TOKENS: '50',
    GRAPHQL_MAX_DEPTH: '2',
    GRAPHQL_MAX_ALIASES: '2',
    GRAPHQL_MAX_FIELDS: '10',
    MAX_BODY: '1024',
    LEGACY_MAX_VALUES: '5',
    INTROSPECTION: 'off',
  })
})
afterAll(async () => {
  await gateway.close()
  await strict.close()
})

const codes = ({ errors }: Result) => errors?.map(({ extensions }) => extensions?.code) ?? []

test('tokens of comments, commas and variables do not count', async () => {
  expect(await dataOf(gateway, { query: `{ __typename ${',#\n'.repeat(5000)} }` })).toEqual({
    __typename: 'Query',
  })
  const query = 'query ($values: [String!]!) { users(values: $values) { id } }'
  const values = Array.from({ length: 1000 }, (_, index) => String(index + 1))
  expect((await dataOf(gateway, { query, variables: { values } })).users).toHaveLength(1000)
})

test('of 1,000 lines, errors say where they are; of more, only what they are', async () => {
  const placesOf = async (lines: number) => {
    const { errors } = await ask(gateway, { query: `{ nothing ${'\n'.repeat(lines - 1)} }` })
    return errors?.map(({ locations }) => locations)
  }
  expect(await placesOf(1_000)).toEqual([[{ line: 1, column: 3 }]])
  expect(await placesOf(1_001)).toEqual([undefined])
})

test('100 parameters are read; more are 400, in a query string as in a form', async () => {
  for (const [count, status] of [
    [100, 200],
    [101, 400],
  ] as const) {
    const body = `query={__typename}${'&x=%FF'.repeat(count - 1)}`
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await fetch(`${gateway.url}/graphql?${body}`)).status).toBe(status)
    expect((await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body })).status).toBe(status)
  }
})

describe('depth', () => {
  test.each([
    [
      7,
      '{ ...A } fragment A on Query { a { b { c { ...B } } } } fragment B on Query { d { e { f { g } } } }',
    ],
    [
      6,
      `{ ...A } fragment A on Query { a { b { c { ...B ... { ...C } } } } }
       fragment B on Query { d { e { f } } } fragment C on Query { ... { d { e { ... { f } } } } }`,
    ],
  ])('is %i in %s', async (levels, query) => {
    expect(codes(await ask(gateway, { query })).includes('TOO_DEEP')).toBe(levels > 6)
  })

  // As GraphiQL, Apollo's tools and graphql-codegen ask, and with all that graphql-js can ask for.
  test.each([
    {},
    { descriptions: true, specifiedByUrl: true, directiveIsRepeatable: true, schemaDescription: true },
    { schemaDescription: true, inputValueDeprecation: true, specifiedByUrl: true, oneOf: true },
  ])('does not limit the introspection of tools, with %j', async (options) => {
    const { __schema } = await dataOf(gateway, { query: getIntrospectionQuery(options) })
    expect(JSON.stringify(__schema)).toContain('Users by id, username or chat identifier')
  })
})

describe('aliases', () => {
  const ids = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => `a${from + index}: id`).join(' ')
  /** Those of root fields, and of one user; more root fields would be too many tokens. */
  const aliases = (count: number) => {
    const roots = Array.from({ length: 50 }, (_, index) => `a${index}: user(value: "${index}") { id }`)
    return `${roots.join(' ')} users(values: ["1"]) { ${ids(50, count)} }`
  }
  const inline = `{ ... { ${aliases(60)} } ... on Query { users(values: ["1"]) { ${ids(60, 101)} } } }`

  test('of 200 characters, and 100 of them, are answered', async () => {
    const alias = 'a'.repeat(200)
    expect(await dataOf(gateway, { query: `{ ${alias}: __typename }` })).toEqual({ [alias]: 'Query' })
    expect(Object.keys(await dataOf(gateway, { query: `{ ${aliases(100)} }` }))).toHaveLength(51)
  })
  test.each([
    ['side by side', `{ ${aliases(101)} }`],
    ['in fragments', `{ ...A } fragment A on Query { ...B } fragment B on Query { ${aliases(101)} }`],
    ['in inline fragments', inline],
    ['in the second operation', `query A { __typename } query B { ${aliases(101)} }`],
  ])('101 %s are refused', async (_name, query) => {
    const refused = await ask(gateway, {
      query,
      operationName: query.startsWith('query A') ? 'B' : undefined,
    })
    expect(refused.status).toBe(400)
    expect(codes(refused)).toContain('TOO_MANY_ALIASES')
  })
})

describe('settings', () => {
  test.each([
    ['tokens', `{ users(values: [${'"1" '.repeat(39)}]) { id } }`, 'TOO_MANY_TOKENS', '50 tokens'],
    ['depth', '{ a { b { c } } }', 'TOO_DEEP', '2 levels'],
    ['aliases', '{ users(values: []) { a: id b: id c: id } }', 'TOO_MANY_ALIASES', '2 aliases'],
    [
      'fields',
      '{ apps(ids: [1 2]) { id title version category changelogLink } }',
      'TOO_MANY_FIELDS',
      '10 fields',
    ],
    ['body', `{ __typename } # ${'x'.repeat(1024)}`, 'TOO_LARGE_BODY', '1024 bytes'],
  ])('set the limit of %s', async (_name, query, code, text) => {
    const refused = await ask(strict, { query })
    expect(codes(refused)).toContain(code)
    expect(refused.text).toContain(text)
    // What one gateway refuses, another answers, or refuses for other reasons.
    expect(codes(await ask(gateway, { query }))).not.toContain(code)
  })

  const users = 'query ($values: [String!]!) { users(values: $values) { id } }'
  test.each<[name: string, query: string, values?: string[]]>([
    ['values of one list', users, Array.from({ length: 6 }, String)],
    ['values of a text', '{ apps(ids: [1 2 3 4 5 6]) { id } }'],
    ['malformed values and duplicates', users, ['a', 'a', 'a', 'b', '1', '1']],
    ['values over aliases', '{ a: apps(ids: [1 2 3]) { id } b: apps(ids: [1 2 3]) { id } }'],
    [
      'values over fragments',
      '{ users(values: ["1" "2" "3"]) { id } ...B } fragment B on Query { apps(ids: [1, 2, 3]) { id } }',
    ],
  ])('LEGACY_MAX_VALUES=5 refuses 6 %s', async (_name, query, values) => {
    const refused = await ask(strict, { query, variables: { values } })
    expect([refused.status, codeOf(refused)]).toEqual([400, 'TOO_MANY_VALUES'])
    expect(refused.text).toContain('More than 5 values')
  })

  test('LEGACY_MAX_VALUES=5 answers 5, and counts once what is asked for twice', async () => {
    expect(
      (await dataOf(strict, { query: users, variables: { values: ['1', '2', '3', '4', '5'] } })).users,
    ).toHaveLength(5)
    const query = '{ users(values: ["1", "2", "3"]) { id } users(values: ["1", "2", "3"]) { rank } }'
    expect((await dataOf(strict, { query })).users).toHaveLength(3)
    const statusOf = async (list: string) =>
      (await fetch(`${strict.url}/?Event=ProfileLookup&Users=${list}`)).status
    expect([await statusOf('1:2:3:4:5'), await statusOf('1:2:3:4:5:6')]).toEqual([200, 400])
  })

  test.each([
    '{ __schema { queryType { name } } }',
    '{ __type(name: "User") { name } }',
    '{ ...A } fragment A on Query { a: __schema { queryType { name } } }',
  ])('INTROSPECTION=off refuses %s', async (query) => {
    const refused = await ask(strict, { query })
    expect(refused.status).toBe(400)
    expect(refused.data).toBeUndefined()
    expect(await dataOf(strict, { query: '{ __typename }' })).toEqual({ __typename: 'Query' })
  })

  test.each<[name: string, params: Params, suggestion: string]>([
    ['a field', { query: '{ usrs }' }, '"users" or "user"'],
    [
      'an enum in a variable',
      {
        query: 'query ($by: UserLookupMethod!) { user(by: $by, value: "1") { id } }',
        variables: { by: 'username' },
      },
      'the enum value "USERNAME"',
    ],
  ])('INTROSPECTION=off suggests no names for %s', async (_name, params, suggestion) => {
    const messages = ({ errors }: Result) => errors?.map(({ message }) => message).join('\n')
    expect(messages(await ask(gateway, params))).toContain(`Did you mean ${suggestion}?`)
    expect(messages(await ask(strict, params))).not.toContain('Did you mean')
  })

  test('INTROSPECTION=off leaves a text of the client as it is', async () => {
    const variables = { skip: 'x Did you mean "y"?' }
    const { errors } = await ask(strict, {
      query: 'query ($skip: Boolean!) { __typename @skip(if: $skip) }',
      variables,
    })
    expect(errors?.[0]?.message).toContain(JSON.stringify(variables.skip))
  })
})
