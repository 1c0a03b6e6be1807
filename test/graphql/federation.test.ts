// FEDERATION=on: the schema that routers read, and entities by representation. Off, there is nothing of it.

import { readFileSync } from 'node:fs'
import { findBreakingChanges, GraphQLSchema, parse, printSchema, validateSchema } from 'graphql'
import { describe, expect, test as plain } from 'vitest'
import { LookupError } from '../../src/errors.ts'
import { subgraphOf } from '../../src/graphql/federation.ts'
import { schema as plainSchema } from '../../src/graphql/schema.ts'
import { test as base } from '../kit/test.ts'
import { ask, codeOf, dataOf, type Params } from './client.ts'
import { countedExecution, planOfText } from './execution-support.ts'

const schema = subgraphOf(plainSchema)
const published = readFileSync(new URL('../../schema/schema.graphql', import.meta.url), 'utf8')
const service = { query: '{ _service { sdl } }' }

const test = base.extend('router', ({ withSettings }) => withSettings({ FEDERATION: 'on' }))

plain('the schema has what the specification of subgraphs asks for, and all else as it is', () => {
  const unchecked = new GraphQLSchema({ ...schema.toConfig(), assumeValid: false })
  expect(validateSchema(unchecked)).toEqual([])
  const sdl = printSchema(schema).replace(/ *""".*?"""\n/gs, '')
  for (const text of [
    ...['scalar _Any\n', 'union _Entity = User | App\n', 'type _Service {\n  sdl: String!\n}'],
    ...['  _service: _Service!\n', '  _entities(\n    representations: [_Any!]!\n  ): [_Entity]!\n'],
  ])
    expect(sdl).toContain(text)
  expect(findBreakingChanges(plainSchema, schema)).toEqual([])
})

test('a router reads the published schema, with keys; without introspection, too', async ({
  withSettings,
}) => {
  const gateway = await withSettings({ FEDERATION: 'on', INTROSPECTION: 'off' })
  const introspection = await ask(gateway, { query: '{ __schema { queryType { name } } }' })
  expect(codeOf(introspection)).toBe('GRAPHQL_VALIDATION_FAILED')
  const { _service } = await dataOf(gateway, service)
  const [link, ...rest] = String(Object(_service).sdl).split('\n\n')
  expect(link).toBe('extend schema @link(url: "https://specs.apollo.dev/federation/v2.0", import: ["@key"])')
  const sdl = rest.join('\n\n')
  expect(sdl).toBe(published.replace(/^type (?:User|App)(?= \{$)/gm, '$& @key(fields: "id")'))
  expect(sdl.match(/@key/g)).toHaveLength(2)
  expect(() => parse(sdl)).not.toThrow()
})

plain('the schema for routers costs no lookup', () => {
  const plan = planOfText('{ _service { __typename sdl } }')
  expect([plan.costOf({}), plan.introspection]).toEqual([{ values: 0, fields: 1 }, 2])
})

test('clients introspect the subgraph; the file under /schema/ stays as it is', async ({ router }) => {
  const { __schema } = await dataOf(router, { query: '{ __schema { types { name } } }' })
  expect(JSON.stringify(__schema)).toContain('"_Entity"')
  expect(await (await fetch(`${router.url}/schema/schema.graphql`)).text()).toBe(published)
})

test('FEDERATION=off has nothing of it', async ({ gateway }) => {
  for (const query of [service.query, '{ _entities(representations: []) { __typename } }'])
    expect(codeOf(await ask(gateway, { query }))).toBe('GRAPHQL_VALIDATION_FAILED')
  const { text } = await ask(gateway, { query: '{ __schema { types { name fields { name } } } }' })
  expect(text).not.toMatch(/"_(?:Any|Entity|Service|entities|service)"/)
})

const query = `query ($r: [_Any!]!) {
  _entities(representations: $r) { ... on User { username } ... on App { title } }
}`
const user = (id: unknown) => ({ __typename: 'User', id })
const app = (id: unknown) => ({ __typename: 'App', id })
const ada = { username: 'Ada' }
const almanac = { title: 'Pocket Almanac' }
/** The operation is compiled after some uses. */
const uses = [1, 2, 3, 4, 5]

test.for<[name: string, representations: unknown, entities: readonly unknown[]]>([
  ['by a text or a number', [user('1'), user(1), app(1)], [ada, ada, almanac]],
  ['in place of a list', user('1'), [ada]],
  ['to both types, in order', [app('1'), user('1'), app('1')], [almanac, ada, almanac]],
  ['that finds nothing', [user('99'), user('1'), app('99')], [null, ada, null]],
  ['by no id', [user('abc'), user(''), user('1'), user(1.5), user(1e300)], [null, null, ada, null, null]],
  ['by an id beyond 53 bits', [user('9007199254740993'), user(2 ** 53)], [null, null]],
  ['by a name that objects inherit', [user('__proto__'), user('constructor')], [null, null]],
  ['to none at all', [], []],
])('a reference %s', async ([, r, entities], { router }) => {
  for (const _use of uses)
    expect(await dataOf(router, { query, variables: { r } })).toEqual({ _entities: entities })
})

test('a reference in the text of the query, with a variable in it', async ({ router }) => {
  const inText = `query ($id: ID!) {
    _entities(representations: [{ __typename: "User", id: $id }, { id: 1, __typename: "App" }]) {
      __typename ... on User { id } ... on App { id }
    }
  }`
  for (const id of ['1', '2', '3', '99', '1'])
    expect(await dataOf(router, { query: inText, variables: { id } })).toEqual({
      _entities: [id === '99' ? null : { __typename: 'User', id }, { __typename: 'App', id: '1' }],
    })
})

describe('a malformed representation', () => {
  test('is an error at its path', async ({ router }) => {
    for (const json of [
      ...['1', '"User:1"', '[]', '[{ "__typename": "User", "id": "1" }]', '{ "id": "1" }'],
      ...['{ "__typename": ["User"], "id": "1" }', '{ "__typename": "Query", "id": "1" }'],
      ...['{ "__typename": "__proto__", "id": "1" }', '{ "__typename": "User" }'],
      ...['{ "__typename": "User", "id": ["1"] }', '{ "__typename": "User", "id": "1", "__proto__": {} }'],
      ...['{ "__typename": "User", "id": "1", "username": "Ada" }'],
    ]) {
      const variables = { r: [user('1'), JSON.parse(json), app('1')] }
      const extensions = { code: 'BAD_USER_INPUT' }
      for (const _use of uses)
        expect(await ask(router, { query, variables }), json).toMatchObject({
          status: 200,
          data: { _entities: [ada, null, almanac] },
          errors: [{ path: ['_entities', 1], locations: [{ line: 2, column: 3 }], extensions }],
        })
    }
  })

  test('of 100 in a request, each is an error; with more, the request fails', async ({ router }) => {
    const both = `query ($a: [_Any!]!, $b: [_Any!]!) {
      a: _entities(representations: $a) { __typename } b: _entities(representations: $b) { __typename }
    }`
    const asking = (count: number) =>
      ask(router, { query: both, variables: { a: Array(60).fill(1), b: Array(count).fill(1) } })
    for (const _use of uses) {
      const within = await asking(40)
      expect(within.errors).toHaveLength(100)
      expect(within.data).toEqual({ a: Array(60).fill(null), b: Array(40).fill(null) })
      const beyond = await asking(41)
      expect([beyond.status, beyond.data, codeOf(beyond)]).toEqual([400, undefined, 'BAD_USER_INPUT'])
    }
  })

  const one = (type: string) => `query ($t: ${type}) { _entities(representations: [$t]) { __typename } }`
  test.for<[name: string, query: string, variables?: Params['variables']]>([
    ['a missing reference', one('_Any!')],
    ['a reference that is null', one('_Any!'), { t: null }],
    ['null instead of the default', one('_Any = { id: 1 }'), { t: null }],
    ['missing references', query],
    ['references that are null', query, { r: null }],
    ['a null among references', query, { r: [user('1'), null] }],
    ['an unknown type of variable', one('Nothing!'), { t: user(1) }],
  ])('%s: 400, and nothing in the log', async ([, text, variables], { router }) => {
    router.observations.length = 0
    for (const _use of uses) {
      const refused = await ask(router, { query: text, variables })
      expect([refused.status, refused.data, codeOf(refused)]).toEqual([
        400,
        undefined,
        expect.stringMatching(/^(?:BAD_USER_INPUT|GRAPHQL_VALIDATION_FAILED)$/),
      ])
    }
    expect(router.observations.filter(({ type }) => type === 'unexpected')).toEqual([])
  })
})

plain('references and lookups share one query of each type; a failed query fails the field', async () => {
  const { run, store } = await countedExecution()
  const text = `query ($a: [_Any!]!, $b: [_Any!]!) {
    a: _entities(representations: $a) { ... on User { username } }
    b: _entities(representations: $b) { ... on User { displayName } ... on App { title } }
    user(value: "1") { id }
  }`
  const fifteen = Array.from({ length: 15 }, (_, index) => user(String(index + 1)))
  const { data } = await run(text, { a: fifteen.slice(0, 10), b: [...fifteen.slice(5), app(1), app(2)] })
  expect(data?.b).toHaveLength(12)
  expect(store.counts()).toEqual({ ID: 1, APP: 1 })
  store.failure = new LookupError('Unavailable')
  expect(await run(query, { r: fifteen })).toMatchObject({
    data: null,
    errors: [{ path: ['_entities'], extensions: { code: 'UNAVAILABLE' } }],
  })
})

test('RATE_LIMIT counts references as values', async ({ withSettings }) => {
  const limited = await withSettings({ FEDERATION: 'on', RATE_LIMIT: '10' })
  const five = { query, variables: { r: [user(1), app(1), user(99), user('x'), user(1)] } }
  for (const _time of [1, 2]) await dataOf(limited, five)
  const refused = await ask(limited, five)
  expect([refused.status, codeOf(refused)]).toEqual([429, 'TOO_MANY_REQUESTS'])
})
