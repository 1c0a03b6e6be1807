// What is counted before a query runs is what its answer has, and what is beyond the limits does not run.

import { getOperationAST, parse } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCounter } from '../../../src/gateway/graphql/cost.ts'
import { createExecution, type Execution } from '../../../src/gateway/graphql/execution.ts'
import { schema } from '../../../src/gateway/graphql/schema.ts'
import { createLookups } from '../../../src/gateway/loaders/lookups.ts'
import { type CountingStore, openCountingStore } from '../loaders/counting-store.ts'
import { fieldsOf, type Variables } from './execution-support.ts'

let store: CountingStore
let unlimited: Execution
let limited: Execution
beforeAll(async () => {
  store = await openCountingStore()
  const options = { schema, lookups: createLookups(store, () => {}), observe: () => {} }
  unlimited = createExecution({ ...options, maxValues: 10_000, maxFields: 1_000_000 })
  limited = createExecution({ ...options, maxValues: 10, maxFields: 50 })
})
afterAll(() => store.remove())

const run = (execution: Execution, query: string, variables: Variables = {}) =>
  execution.run({ document: parse(query), variableValues: variables }, execution.createContext())

function countOf(query: string, variables: Variables = {}) {
  const document = parse(query)
  const operation = getOperationAST(document)
  if (operation == null) throw new Error('no operation')
  return createCounter(schema, document, operation)(variables)
}

describe('counted is what is answered', () => {
  const lists = { v: ['1', '2', '3'], one: '1' }
  test.each<[query: string, values: number, variables?: Variables]>([
    ['{ __typename }', 0],
    ['{ users(values: ["1", "2"]) { id rank } }', 2],
    ['{ users(values: "1") { id } }', 1],
    ['{ users(values: []) { id rank } }', 0],
    ['{ user(value: "1") { id rank } app(id: 1) { id } }', 2],
    ['{ a: app(id: 1) { ...F } user(value: "1") { id } } fragment F on App { id title }', 2],
    // What is looked up is counted, whether or not anything of it is shown.
    ['{ user(value: "1") { id @skip(if: true) } app(id: 1) { id @include(if: false) } }', 2],
    ['query ($one: String!) { user(value: $one) { id } users(values: [$one, "2"]) { id } }', 3, lists],
    ['query ($v: [String!]!) { users(values: $v) { id } a: users(values: $v) { rank banned } }', 6, lists],
    ['query ($one: String!) { users(values: [$one, "2"]) { id } }', 2, lists],
    ['{ users(values: ["1", "2"]) { id id a: id } users(values: ["1", "2"]) { rank } }', 2],
    [
      '{ users(values: ["1"]) { ...F ...F } ...Q ...Q } fragment F on User { id rank } fragment Q on Query { apps(ids: [1, 2]) { id } }',
      3,
    ],
    [
      'query ($a: Boolean!) { users(values: ["1"]) @skip(if: $a) { id } apps(ids: 1) @include(if: $a) { id title @skip(if: $a) } }',
      1,
      { a: true },
    ],
    [
      'query ($a: Boolean!) { ...F @skip(if: $a) ... @include(if: $a) { ...F } } fragment F on Query { apps(ids: [1]) { id } }',
      1,
      { a: true },
    ],
  ])('%s', async (query, values, variables) => {
    const { data } = await run(unlimited, query, variables)
    expect(countOf(query, variables)).toEqual({ values, fields: fieldsOf(data) })
  })
})

describe('beyond a limit, nothing runs', () => {
  const wide = 'id username displayName rank joinDate isConfirmed banned'
  test.each<[name: string, code: string, query: string, variables?: Variables]>([
    [
      'values of variables',
      'TOO_MANY_VALUES',
      'query ($v: [String!]!) { a: users(values: $v) { id } b: users(values: $v) { id } }',
      { v: Array(6).fill('1') },
    ],
    [
      'values of a default',
      'TOO_MANY_VALUES',
      `query ($v: [String!]! = [${'"1" '.repeat(11)}]) { users(values: $v) { id } }`,
    ],
    ['fields', 'TOO_MANY_FIELDS', `{ users(values: [${'"1" '.repeat(8)}]) { ${wide} } }`],
  ])('%s', async (_name, code, query, variables) => {
    store.queries.length = 0
    // Interpreted at first, and compiled after some uses.
    for (let use = 1; use <= 5; use++) {
      const { data, errors } = await run(limited, query, variables)
      expect(data).toBeUndefined()
      expect(errors?.map(({ extensions }) => extensions.code)).toEqual([code])
    }
    expect(store.queries).toEqual([])
  })

  test('within it, it does', async () => {
    const query = `{ users(values: [${'"1" '.repeat(7)}]) { ${wide} } }`
    expect((await run(limited, query)).data?.users).toHaveLength(7)
    expect(store.queries).toHaveLength(1)
  })
})
