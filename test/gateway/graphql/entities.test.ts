// Entities by representation: what is found, what is malformed, and what it costs.

import { getOperationAST, parse } from 'graphql'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LookupError } from '../../../src/errors.ts'
import { createCounter } from '../../../src/gateway/graphql/cost.ts'
import { createExecution, type Execution } from '../../../src/gateway/graphql/execution.ts'
import { subgraphOf } from '../../../src/gateway/graphql/federation.ts'
import { schema as plainSchema } from '../../../src/gateway/graphql/schema.ts'
import { createLookups } from '../../../src/gateway/loaders/lookups.ts'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { type CountingStore, openCountingStore } from '../loaders/counting-store.ts'
import { ask, codeOf, dataOf } from './client.ts'
import type { Variables } from './execution-support.ts'

const schema = subgraphOf(plainSchema)
const query = `query ($r: [_Any!]!) {
  _entities(representations: $r) { ... on User { username } ... on App { title } }
}`
const user = (id: unknown) => ({ __typename: 'User', id })
const app = (id: unknown) => ({ __typename: 'App', id })
const ada = { username: 'Ada' }
const almanac = { title: 'Pocket Almanac' }

let gateway: Gateway
beforeAll(async () => {
  // So that it is at hand once the gateway asks for it.
  await import('graphql-jit')
  gateway = await startGateway({ FEDERATION: 'on' })
})
afterAll(() => gateway.close())

/** Asked so often that the operation is compiled. */
const uses = [1, 2, 3, 4, 5]

test.each<[name: string, representations: readonly unknown[], entities: readonly unknown[]]>([
  ['by a text or a number', [user('1'), user(1), app(1)], [ada, ada, almanac]],
  ['to both types, in order', [app('1'), user('1'), app('1')], [almanac, ada, almanac]],
  ['to nothing', [user('99'), user('1'), app('99')], [null, ada, null]],
  [
    'by an id that is none',
    [user('abc'), user(''), user('1'), user(1.5), user(1e300)],
    [null, null, ada, null, null],
  ],
  ['by an id beyond 53 bits', [user('9007199254740993'), user(2 ** 53)], [null, null]],
  ['by a name of what objects inherit from', [user('__proto__'), user('constructor')], [null, null]],
  ['to none at all', [], []],
])('a reference %s', async (_name, r, entities) => {
  for (const _use of uses)
    expect(await dataOf(gateway, { query, variables: { r } })).toEqual({ _entities: entities })
})

test('a reference in place of a list, or in the text of the query with a variable in it', async () => {
  expect(await dataOf(gateway, { query, variables: { r: user('1') } })).toEqual({ _entities: [ada] })
  const inText = `query ($id: ID!) {
    _entities(representations: [{ __typename: "User", id: $id }, { id: 1, __typename: "App" }]) {
      __typename ... on User { id } ... on App { id }
    }
  }`
  for (const id of ['1', '2', '3', '99', '1'])
    expect(await dataOf(gateway, { query: inText, variables: { id } })).toEqual({
      _entities: [id === '99' ? null : { __typename: 'User', id }, { __typename: 'App', id: '1' }],
    })
})

describe('a malformed representation', () => {
  test.each([
    ...['1', '"User:1"', 'true', '[]', '[{ "__typename": "User", "id": "1" }]', '{}', '{ "id": "1" }'],
    ...['{ "__typename": null, "id": "1" }', '{ "__typename": ["User"], "id": "1" }'],
    ...['{ "__typename": "user", "id": "1" }', '{ "__typename": "Query", "id": "1" }'],
    ...['{ "__typename": "__proto__", "id": "1" }', '{ "__typename": "User" }'],
    ...['{ "__typename": "User", "id": null }', '{ "__typename": "User", "id": ["1"] }'],
    ...['{ "__typename": "User", "id": { "toString": "1" } }'],
    ...['{ "__typename": "User", "id": "1", "username": "Ada" }'],
    ...['{ "__typename": "User", "id": "1", "__proto__": {} }'],
    ...['{ "__proto__": { "__typename": "User", "id": "1" } }'],
  ])('%s is an error at its place', async (json) => {
    const variables = { r: [user('1'), JSON.parse(json), app('1')] }
    for (const _use of uses) {
      const { status, data, errors } = await ask(gateway, { query, variables })
      expect(status).toBe(200)
      expect(data).toEqual({ _entities: [ada, null, almanac] })
      expect(errors).toMatchObject([
        {
          path: ['_entities', 1],
          locations: [{ line: 2, column: 3 }],
          extensions: { code: 'BAD_USER_INPUT' },
        },
      ])
    }
  })

  test.each([
    '{ __typename: "User", id: 1, __proto__: { id: 2 } }',
    '{ __typename: User, id: [1] }',
    '"User"',
  ])('%s in the text is one, too', async (text) => {
    const { data, errors } = await ask(gateway, {
      query: `{ _entities(representations: [${text}, { __typename: "User", id: 1 }]) { ... on User { username } } }`,
    })
    expect(data).toEqual({ _entities: [null, ada] })
    expect(errors).toMatchObject([{ path: ['_entities', 0], extensions: { code: 'BAD_USER_INPUT' } }])
  })

  test('is answered 100 times in a request; beyond, nothing of the request is', async () => {
    const both = `query ($a: [_Any!]!, $b: [_Any!]!) {
      a: _entities(representations: $a) { __typename } b: _entities(representations: $b) { __typename }
    }`
    const asking = (count: number) =>
      ask(gateway, { query: both, variables: { a: Array(60).fill(1), b: Array(count).fill(1) } })
    for (const _use of uses) {
      const within = await asking(40)
      expect(within.errors).toHaveLength(100)
      expect(within.data).toEqual({ a: Array(60).fill(null), b: Array(40).fill(null) })
      const beyond = await asking(41)
      expect([beyond.data, codeOf(beyond)]).toEqual([null, 'BAD_USER_INPUT'])
    }
  })

  test('that is null is an error of the variables', async () => {
    const refused = await ask(gateway, { query, variables: { r: [user('1'), null] } })
    expect([refused.status, codeOf(refused)]).toEqual([400, 'BAD_USER_INPUT'])
  })
})

describe('the store', () => {
  let store: CountingStore
  let execution: Execution
  beforeAll(async () => {
    store = await openCountingStore()
    const lookups = createLookups(store, () => {})
    execution = createExecution({ schema, lookups, maxValues: 30, maxFields: 200, observe: () => {} })
  })
  afterAll(() => store.remove())
  beforeEach(() => {
    store.queries.length = 0
    store.failure = null
  })

  const run = (text: string, variableValues: Variables) =>
    execution.run({ document: parse(text), variableValues }, execution.createContext())
  const thirty = Array.from({ length: 30 }, (_, index) => user(String(index + 1)))

  test('is asked once for references and look-ups by clients, of each type', async () => {
    const text = `query ($a: [_Any!]!, $b: [_Any!]!) {
      a: _entities(representations: $a) { ... on User { username } }
      b: _entities(representations: $b) { ... on User { displayName } ... on App { title } }
      user(value: "1") { id }
    }`
    const { data } = await run(text, { a: thirty.slice(0, 10), b: [...thirty.slice(5, 15), app(1), app(2)] })
    expect(data?.b).toHaveLength(12)
    expect(store.counts()).toEqual({ ID: 1, APP: 1 })
  })

  test('is not asked beyond a limit', async () => {
    const codes = async (text: string, variables: Variables) =>
      (await run(text, variables)).errors?.map(({ extensions }) => extensions.code)
    const twice = query.replace('{', '{ first: _entities(representations: $r) { __typename }')
    for (const _use of uses) {
      expect(await codes(query, { r: [...thirty, 1] })).toEqual(['TOO_MANY_VALUES'])
      expect(await codes(twice, { r: thirty.slice(0, 16) })).toEqual(['TOO_MANY_VALUES'])
      expect(
        await codes(query.replace('username', 'id username rank banned isConfirmed displayName'), {
          r: thirty,
        }),
      ).toEqual(['TOO_MANY_FIELDS'])
    }
    expect(store.queries).toEqual([])
  })

  test('that fails, fails the field', async () => {
    store.failure = new LookupError('Unavailable')
    const { data, errors } = await run(query, { r: thirty })
    expect(data).toBeNull()
    expect(errors).toMatchObject([{ path: ['_entities'], extensions: { code: 'UNAVAILABLE' } }])
  })
})

test('references are values that an address is charged with', async () => {
  const limited = await startGateway({ FEDERATION: 'on', RATE_LIMIT: '10' })
  try {
    const five = { query, variables: { r: [user(1), app(1), user(99), user('x'), user(1)] } }
    for (let time = 0; time < 2; time++) await dataOf(limited, five)
    const refused = await ask(limited, five)
    expect(refused.status).toBe(429)
    expect(codeOf(refused)).toBe('TOO_MANY_REQUESTS')
  } finally {
    await limited.close()
  }
})

test('what a router reads of the schema looks nothing up', () => {
  const document = parse('{ _service { __typename sdl } }')
  const operation = getOperationAST(document)
  if (operation == null) throw new Error('no operation')
  expect(createCounter(schema, document, operation)({})).toEqual({ values: 0, fields: 3 })
})
