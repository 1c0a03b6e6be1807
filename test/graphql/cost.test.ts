// The values and fields that are counted before a query runs are those of its response. Beyond a limit,
// nothing runs.

import { buildSchema, type GraphQLSchema, getIntrospectionQuery, isObjectType, parse } from 'graphql'
import { expect, test as plain } from 'vitest'
import { checkCosts, type FieldCost } from '../../src/graphql/field-cost.ts'
import { createLookups } from '../../src/lookups/lookups.ts'
import { openStore } from '../../src/stores/open-store.ts'
import { test as base } from '../kit/test.ts'
import { countedExecution, executionOver, fieldsOf, planOfText, type Variables } from './execution-support.ts'

const test = base.extend('run', { scope: 'file' }, async ({ shared: { path } }, { onCleanup }) => {
  const store = await openStore({ kind: 'sqlite', path }, () => {})
  onCleanup(async () => store.close())
  const limits = { maxValues: 10_000, maxFields: 1_000_000 }
  return (
    await executionOver(
      createLookups(store, () => {}),
      limits,
    )
  ).run
})

const costOf = (query: string, variables: Variables, of?: GraphQLSchema) =>
  planOfText(query, of).costOf(variables)

const lists = { v: ['1', '2', '3'], one: '1' }
const repeated = `{ users(values: ["1"]) { ...F ...F } ...Q ...Q } fragment F on User { id rank }
  fragment Q on Query { apps(ids: [1, 2]) { id } }`
const skipping = `query ($a: Boolean!) { users(values: ["1"]) @skip(if: $a) { id }
  apps(ids: 1) @include(if: $a) { id title @skip(if: $a) } }`
const skippedFragment = `query ($a: Boolean!) { ...F @skip(if: $a) ... @include(if: $a) { ...F } }
  fragment F on Query { apps(ids: [1]) { id } }`

test.for<[query: string, values: number, variables?: Variables]>([
  ['{ __typename }', 0],
  ['{ users(values: "1") { id } }', 1],
  ['{ user(value: "1") { id rank } app(id: 1) { id } }', 2],
  ['{ a: app(id: 1) { ...F } user(value: "1") { id } } fragment F on App { id title }', 2],
  // A lookup is counted even if the response shows nothing of it.
  ['{ user(value: "1") { id @skip(if: true) } app(id: 1) { id @include(if: false) } }', 2],
  ['query ($one: ID!) { user(value: $one) { id } users(values: [$one, "2"]) { id } }', 3, lists],
  ['query ($v: [ID!]!) { users(values: $v) { id } a: users(values: $v) { rank banned } }', 6, lists],
  ['{ users(values: ["1", "2"]) { id id a: id } users(values: ["1", "2"]) { rank } }', 2],
  [repeated, 3],
  [skipping, 1, { a: true }],
  [skippedFragment, 1, { a: true }],
])('the cost of %s', async ([query, values, variables = {}], { run }) => {
  const { data } = await run(query, variables)
  expect(costOf(query, variables)).toEqual({ values, fields: fieldsOf(data) })
})

const deepTypes = `{ __schema { types { fields { args { type { fields { name } } } type { fields { name } } } } } }`
const ofOneType = '{ __type(name: "__Type") { a: name b: name fields { name description } } }'
plain.for([getIntrospectionQuery(), deepTypes, ofOneType])(
  'the fields of an introspection are counted, about: %s',
  async (query) => {
    const { run } = await countedExecution()
    const { data } = await run(query)
    const { introspection } = planOfText(query)
    expect(fieldsOf(data)).toBeLessThanOrEqual(2 * introspection)
  },
)

plain('operations of a document may spread 10,000 selections together', async () => {
  const { execution } = await countedExecution()
  const readOperations = (count: number) => {
    const operations = Array.from({ length: count }, (_, at) => `query Q${at} { ...F }`).join(' ')
    return execution.readOperations(
      parse(`${operations} fragment F on Query { ${'__typename '.repeat(999)} }`),
    )
  }
  expect(readOperations(10)).toHaveLength(10)
  expect(() => readOperations(11)).toThrow('more than 10000 selections')
})

const wide = 'id username displayName rank joinDate isConfirmed banned'
const usersOf = (count: number) => `{ users(values: [${'"1" '.repeat(count)}]) { ${wide} } }`
const twoLists = 'query ($v: [ID!]!) { a: users(values: $v) { id } b: users(values: $v) { id } }'
const defaults = `query ($v: [ID!]! = [${'"1" '.repeat(11)}]) { users(values: $v) { id } }`
const references = (fields: string, count = 1) =>
  `query ($r: [_Any!]!) { ${Array.from(
    { length: count },
    (_, at) => `a${at}: _entities(representations: $r) { ... on User { ${fields} } }`,
  ).join(' ')} }`
const refer = (count: number) => ({ r: Array(count).fill({ __typename: 'User', id: 1 }) })

plain.for<[name: string, code: string, query: string, variables?: Variables]>([
  ['values of variables', 'TOO_MANY_VALUES', twoLists, { v: Array(6).fill('1') }],
  ['values of a default', 'TOO_MANY_VALUES', defaults],
  ['fields', 'TOO_MANY_FIELDS', usersOf(8)],
  ['references', 'TOO_MANY_VALUES', references('id'), refer(11)],
  ['references of two fields', 'TOO_MANY_VALUES', references('id', 2), refer(6)],
  ['fields of references', 'TOO_MANY_FIELDS', references(wide), refer(8)],
])('%s beyond the limit: %s, and the store is not asked', async ([, code, query, variables]) => {
  const { run, store } = await countedExecution({ maxValues: 10, maxFields: 50 })
  // The operation is interpreted at first, and compiled after some uses.
  for (const _use of [1, 2, 3, 4, 5]) {
    const { data, errors } = await run(query, variables)
    expect(data).toBeUndefined()
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual([code])
  }
  expect(store.queries).toEqual([])
  expect((await run(usersOf(7))).data?.users).toHaveLength(7)
  expect(store.queries).toHaveLength(1)
})

const long = {
  username: 'u',
  displayName: 'ü'.repeat(1000),
  rank: 1,
  joinDate: 1,
  isConfirmed: true,
  banned: false,
}
const nine = Array.from({ length: 9 }, (_, at) => `n${at}: displayName`).join(' ')
const sameId = (count: number) => ({ v: Array(count).fill('1') })
const repeatedNames = `query ($v: [String!]!) { users(values: $v) { id ${nine} } }`
const everyAlias = `{ ${Array.from({ length: 90 }, (_, at) => `u${at}: user(value: "1") { displayName }`).join(' ')} }`

plain.for<[name: string, query: string, variables: Variables, maxBytes: number, isRefused: boolean]>([
  ['nine names of 466 users', repeatedNames, sameId(466), 8_388_608, false],
  ['nine names of 467 users', repeatedNames, sameId(467), 8_388_608, true],
  ['one name under 90 aliases', everyAlias, {}, 180_000, false],
  ['one name under 90 aliases, of a byte too many', everyAlias, {}, 179_999, true],
  ['a representation', references('displayName'), refer(1), 1_999, true],
  ['no texts', '{ users(values: ["1"]) { id } }', {}, 1, false],
])('%s: texts are counted as often as they are repeated', async (row) => {
  const [, query, variables, maxResponseBytes, isRefused] = row
  const lookups = {
    findUsers: async (_by: unknown, values: readonly string[]) => values.map(() => ({ id: 1, ...long })),
    findApps: async () => [],
  }
  const limits = { maxValues: 1000, maxFields: 10_000, maxResponseBytes }
  const { run } = await executionOver(lookups, limits)
  for (const _use of [1, 2, 3, 4, 5]) {
    const { data, errors } = await run(query, variables)
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(
      isRefused ? ['RESPONSE_TOO_LARGE'] : undefined,
    )
    expect(data === undefined).toBe(isRefused)
  }
})

/** A schema with lists in lists, whose fields cost what is declared here. */
function nestedSchema(declared: Readonly<Record<string, FieldCost>>) {
  const nested = buildSchema(`
    type Query { users(values: [String!]!): [User] }
    type User { id: ID! apps: [App!]! rated(ids: [ID!]!): [App] }
    type App { id: ID! title: String! owner: User }`)
  for (const [place, declaration] of Object.entries(declared)) {
    const [typeName = '', fieldName = ''] = place.split('.')
    const type = nested.getType(typeName)
    const field = isObjectType(type) ? type.getFields()[fieldName] : undefined
    if (field !== undefined) field.extensions = { cost: declaration }
  }
  return nested
}

const declared = {
  'Query.users': { list: 'values' },
  'User.apps': { items: 50, values: 1 },
  'User.rated': { list: 'ids' },
}

plain.for<[query: string, values: number, fields: number, variables?: Variables]>([
  ['{ users(values: ["1", "2"]) { id apps { id title } } }', 4, 1 + 2 * (2 + 50 * 2)],
  ['{ users(values: ["1", "2"]) { rated(ids: [1, 2, 3]) { id } } }', 2 + 2 * 3, 1 + 2 * (1 + 3)],
  ['query ($v: [ID!]!) { users(values: "1") { rated(ids: $v) { id } } }', 3, 1 + 1 + 2, { v: ['1', '2'] }],
  ['{ users(values: "1") { apps { owner { apps { id } } } } }', 52, 1 + 1 + 50 * (1 + 1 + 50)],
])('a list in a list multiplies: %s', ([query, values, fields, variables = {}]) => {
  expect(costOf(query, variables, nestedSchema(declared))).toEqual({ values, fields })
})

plain('a list that declares no cost is refused when the gateway starts', () => {
  expect(() => checkCosts(nestedSchema(declared))).not.toThrow()
  for (const place of Object.keys(declared)) {
    const missing = nestedSchema({ ...declared, [place]: {} })
    expect(() => checkCosts(missing)).toThrow(`${place} is a list. Declare how many items it can have.`)
  }
  expect(() => checkCosts(nestedSchema({ ...declared, 'User.rated': { list: 'no' } }))).toThrow('User.rated')
})
