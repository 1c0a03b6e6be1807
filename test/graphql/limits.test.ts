// What keeps one query from costing more than a lookup should, and the settings that change it.
// requests.test.ts has what is beyond each limit by default.

import { getIntrospectionQuery } from 'graphql'
import { describe, expect } from 'vitest'
import { test as base } from '../kit/test.ts'
import { ask, dataOf, type Params, type Result } from './client.ts'

const test = base.extend('strict', ({ withSettings }) =>
  withSettings({
    GRAPHQL_MAX_TOKENS: '50',
    GRAPHQL_MAX_DEPTH: '2',
    GRAPHQL_MAX_ALIASES: '2',
    GRAPHQL_MAX_FIELDS: '10',
    MAX_BODY: '1024',
    MAX_RESPONSE_BYTES: '1024',
    LEGACY_MAX_VALUES: '5',
    INTROSPECTION: 'off',
  }),
)

const codes = ({ errors }: Result) => errors?.map(({ extensions }) => extensions?.code) ?? []
const users = 'query ($values: [ID!]!) { users(values: $values) { id } }'
const idsTo = (count: number) => Array.from({ length: count }, (_, at) => String(at + 1))

test('tokens of comments, commas and variables do not count', async ({ gateway }) => {
  const blank = `{ __typename ${',#\n'.repeat(5000)} }`
  expect(await dataOf(gateway, { query: blank })).toEqual({ __typename: 'Query' })
  const variables = { values: idsTo(1000) }
  expect((await dataOf(gateway, { query: users, variables })).users).toHaveLength(1000)
})

test('an error has its place in a document of up to 1,000 lines', async ({ gateway }) => {
  const placesOf = async (lines: number) => {
    const { errors } = await ask(gateway, { query: `{ nothing ${'\n'.repeat(lines - 1)} }` })
    return errors?.map(({ locations }) => locations)
  }
  expect(await placesOf(1_000)).toEqual([[{ line: 1, column: 3 }]])
  expect(await placesOf(1_001)).toEqual([undefined])
})

test('an error repeats at most 1,000 characters of a query or a variable', async ({ gateway }) => {
  const long = 'x'.repeat(20_000)
  const asked = [
    { query: `query ${long}($a: ID, $b: ID) { __typename }` },
    { query: `query ($${long}: ID!) { user(value: $${long}) { id } }`, variables: { [long]: {} } },
    { query: `{ user(value: ${long}) { id } }` },
    { query: `{ __typename "${long}" }` },
  ]
  for (const params of asked) {
    const { errors = [] } = await ask(gateway, params)
    expect(errors).not.toEqual([])
    for (const { message } of errors) expect(message.length).toBeLessThanOrEqual(1_001)
  }
})

test.for([
  [7, '{ ...A } fragment A on Query { a { b { c { ...B } } } } fragment B on Query { d { e { f { g } } } }'],
  [
    6,
    `{ ...A } fragment A on Query { a { b { c { ...B ... { ...C } } } } }
     fragment B on Query { d { e { f } } } fragment C on Query { ... { d { e { ... { f } } } } }`,
  ],
] as const)('the depth is %i in %s', async ([levels, query], { gateway }) => {
  expect(codes(await ask(gateway, { query })).includes('TOO_DEEP')).toBe(levels > 6)
})

// GraphiQL, Apollo's tools and graphql-codegen ask for parts of it.
test('the depth does not limit the introspection of tools', async ({ gateway }) => {
  const options = { schemaDescription: true, inputValueDeprecation: true, specifiedByUrl: true, oneOf: true }
  const { __schema } = await dataOf(gateway, { query: getIntrospectionQuery(options) })
  expect(JSON.stringify(__schema)).toContain('Users by id, username or chat identifier')
})

// Code generators ask so, to find out what a server can do: gql.tada, StrawberryShake, cynic.
const metaTypes = ['__Directive', '__Field', '__Type', '__InputValue', '__Schema']
const metaFields = (at: number, type: string) => `t${at}: __type(name: "${type}") { ...F }`
test('several small introspections are within the limits', async ({ gateway }) => {
  const roots = metaTypes.map((type, at) => metaFields(at, type)).join(' ')
  const query = `{ ${roots} } fragment F on __Type { name fields { name args { name } } }`
  expect(Object.keys(await dataOf(gateway, { query }))).toHaveLength(5)
})

const whole = `{ name fields { name args { name type { name fields { name } } } type { name fields { name } } } }`
test('introspections of too many fields are refused', async ({ gateway }) => {
  const times = (count: number, text: string) =>
    Array.from({ length: count }, (_, at) => `a${at}: ${text}`).join(' ')
  for (const query of [
    `{ ${times(8, `__schema { types ${whole} }`)} }`,
    `{ __schema { ${times(8, `types ${whole}`)} } }`,
    `{ __schema { types { ${times(99, 'fields { name description }')} } } }`,
  ])
    expect(codes(await ask(gateway, { query }))).toEqual(['TOO_MUCH_INTROSPECTION'])
})

/** Fragments that spread the next one twice, in a field of every object in JavaScript. */
const twice = Array.from(
  { length: 40 },
  (_, at) => `fragment F${at} on __Schema { ...F${at + 1} ...F${at + 1} }`,
)
test.for([
  // A circle of fragments is not walked without end.
  `{ ${metaFields(0, 'User')} ${metaFields(1, 'User')} } fragment F on __Type { ...F }`,
  '{ __schema { ...F } b: __schema { ...F } } fragment F on __Schema { constructor { ...F } }',
  `{ __schema { constructor { ...F0 } } b: __schema { toString { ...F0 } } } ${twice.join(' ')}
    fragment F40 on __Schema { description }`,
])('introspections that are invalid, at any size: %s', async (query, { gateway }) => {
  expect(new Set(codes(await ask(gateway, { query })))).toEqual(new Set(['GRAPHQL_VALIDATION_FAILED']))
})

describe('aliases', () => {
  const ids = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => `a${from + index}: id`).join(' ')
  /** Of root fields and of one user: more root fields would be too many tokens. */
  const aliases = (count: number) => {
    const roots = Array.from({ length: 50 }, (_, index) => `a${index}: user(value: "${index}") { id }`)
    return `${roots.join(' ')} users(values: ["1"]) { ${ids(50, count)} }`
  }

  test('of 200 characters, and 100 of them, are within the limits', async ({ gateway }) => {
    const alias = 'a'.repeat(200)
    expect(await dataOf(gateway, { query: `{ ${alias}: __typename }` })).toEqual({ [alias]: 'Query' })
    expect(Object.keys(await dataOf(gateway, { query: `{ ${aliases(100)} }` }))).toHaveLength(51)
  })

  test.for([
    `{ ${aliases(101)} }`,
    `{ ...A } fragment A on Query { ...B } fragment B on Query { ${aliases(101)} }`,
    `{ ... { ${aliases(60)} } ... on Query { users(values: ["1"]) { ${ids(60, 101)} } } }`,
    `query A { __typename } query B { ${aliases(101)} }`,
  ])('101 of them are refused: %s', async (query, { gateway }) => {
    const refused = await ask(gateway, { query })
    expect([refused.status, codes(refused)]).toEqual([400, expect.arrayContaining(['TOO_MANY_ALIASES'])])
  })
})

const sixFields = '{ apps(ids: [1 2]) { id title version category changelogLink } }'
const overFragments = `{ users(values: ["1" "2" "3"]) { id } ...B }
  fragment B on Query { apps(ids: [1, 2, 3]) { id } }`
test.for<[name: string, code: string, text: string, query: string, values?: readonly string[]]>([
  ['tokens', 'TOO_MANY_TOKENS', '50 tokens', `{ users(values: [${'"1" '.repeat(39)}]) { id } }`],
  ['depth', 'TOO_DEEP', '2 levels', '{ a { b { c } } }'],
  ['aliases', 'TOO_MANY_ALIASES', '2 aliases', '{ users(values: []) { a: id b: id c: id } }'],
  ['fields', 'TOO_MANY_FIELDS', '10 fields', sixFields],
  ['body', 'TOO_LARGE_BODY', '1024 bytes', `{ __typename } # ${'x'.repeat(1024)}`],
  ['values of a list', 'TOO_MANY_VALUES', '5 values', users, idsTo(6)],
  ['values of a text', 'TOO_MANY_VALUES', '5 values', '{ apps(ids: [1 2 3 4 5 6]) { id } }'],
  ['malformed values', 'TOO_MANY_VALUES', '5 values', users, ['a', 'a', 'a', 'b', '1', '1']],
  ['aliases', 'TOO_MANY_VALUES', '5 values', '{ a: apps(ids: [1 2 3]) { id } b: apps(ids: [1 2 3]) { id } }'],
  ['fragments', 'TOO_MANY_VALUES', '5 values', overFragments],
])('a setting limits %s: %s, and its text names the limit', async (row, { gateway, strict }) => {
  const [, code, text, query, values] = row
  const refused = await ask(strict, { query, variables: { values } })
  expect(codes(refused)).toContain(code)
  expect(refused.text).toContain(text)
  expect(codes(await ask(gateway, { query, variables: { values } }))).not.toContain(code)
})

describe('INTROSPECTION=off', () => {
  test.for([
    '{ __schema { queryType { name } } }',
    '{ __type(name: "User") { name } }',
    '{ ...A } fragment A on Query { a: __schema { queryType { name } } }',
  ])('refuses %s', async (query, { strict }) => {
    const refused = await ask(strict, { query })
    expect([refused.status, refused.data]).toEqual([400, undefined])
    expect(await dataOf(strict, { query: '{ __typename }' })).toEqual({ __typename: 'Query' })
  })

  const byVariable = 'query ($by: UserLookupMethod!) { user(by: $by, value: "1") { id } }'
  const messages = ({ errors }: Result) => errors?.map(({ message }) => message).join('\n')
  test.for<[name: string, suggestion: string, params: Params]>([
    ['a field', '"users" or "user"', { query: '{ usrs }' }],
    ['an enum', 'the enum value "USERNAME"', { query: byVariable, variables: { by: 'username' } }],
  ])('suggests no names for %s', async ([, suggestion, params], { gateway, strict }) => {
    expect(messages(await ask(gateway, params))).toContain(`Did you mean ${suggestion}?`)
    expect(messages(await ask(strict, params))).not.toContain('Did you mean')
  })

  test('leaves a text of the client as it is', async ({ strict }) => {
    const variables = { skip: 'x Did you mean "y"?' }
    const query = 'query ($skip: Boolean!) { __typename @skip(if: $skip) }'
    expect(messages(await ask(strict, { query, variables }))).toContain(JSON.stringify(variables.skip))
  })
})
