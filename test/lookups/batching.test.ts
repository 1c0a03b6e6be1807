// Over a store that answers at once (SQLite), what arrives together shares a query.

import { parse } from 'graphql'
import { test as base, expect } from 'vitest'
import { createExecution } from '../../src/graphql/execute.ts'
import { schema } from '../../src/graphql/schema.ts'
import { createLookups } from '../../src/lookups/lookups.ts'
import { runIn } from '../graphql/execution-support.ts'
import { gone } from '../kit/caller.ts'
import { rowsOf } from '../kit/rows.ts'
import { change } from '../stores/sqlite/support.ts'
import { openCountingStore } from './counting-store.ts'

const test = base.extend('opened', async ({ task: _ }, { onCleanup }) => {
  const store = await openCountingStore()
  onCleanup(store.remove)
  const lookups = createLookups(store, () => {})
  const limits = { maxValues: 1000, maxFields: 10_000, maxResponseBytes: 8_388_608 }
  const execution = createExecution({ schema, lookups, observe: () => {}, ...limits })
  const ask = async (query: string) => runIn(execution, parse(query))
  return { store, lookups, execution, ask }
})

test.for([
  [
    'a list of users',
    '{ users(values: ["1", "2"]) { username } }',
    { users: [{ username: 'Ada' }, { username: 's\u00f8ren' }] },
    [{ by: 'ID', values: ['1', '2'] }],
  ],
  [
    'aliased fields, each of which gets its own',
    '{ a: users(values: ["3"]) { id } b: users(values: ["1", "99", "3"]) { id } c: users(values: []) { id } }',
    { a: [{ id: '3' }], b: [{ id: '1' }, null, { id: '3' }], c: [] },
    [{ by: 'ID', values: ['3', '1', '99', '3'] }],
  ],
  [
    'single users and lists of them',
    '{ a: user(value: "3") { id } b: users(values: ["1"]) { id } c: user(value: "98") { id } d: app(id: 2) { id } }',
    { a: { id: '3' }, b: [{ id: '1' }], c: null, d: { id: '2' } },
    [
      { by: 'ID', values: ['3', '1', '98'] },
      { by: 'APP', values: ['2'] },
    ],
  ],
  [
    'each kind of lookup',
    `{ a: users(values: ["1"]) { id } b: users(by: USERNAME, values: ["ADA"]) { id } c: apps(ids: ["1"]) { id }
      d: users(by: CHAT, values: ["chat-1001"]) { id } e: users(by: USERNAME, values: ["Mallory"]) { id } }`,
    { a: [{ id: '1' }], b: [{ id: '1' }], c: [{ id: '1' }], d: [{ id: '1' }], e: [{ id: '3' }] },
    [
      { by: 'ID', values: ['1'] },
      { by: 'USERNAME', values: ['ada', 'mallory'] },
      { by: 'APP', values: ['1'] },
      { by: 'CHAT', values: ['chat-1001'] },
    ],
  ],
] as const)('one query for %s', async ([, query, data, queries], { opened: { store, ask } }) => {
  expect(await ask(query)).toEqual({ data })
  expect(store.queries).toHaveLength(queries.length)
  expect(store.queries).toEqual(expect.arrayContaining([...queries]))
})

test('one query when the operation has been compiled', async ({ opened: { store, execution } }) => {
  const document = parse('{ a: users(values: ["1"]) { id } b: users(values: ["2"]) { id } }')
  for (let use = 1; use <= 6; use++) {
    const result = await runIn(execution, document)
    expect(result).toEqual({ data: { a: [{ id: '1' }], b: [{ id: '2' }] } })
    expect(store.queries.splice(0)).toHaveLength(1)
    await new Promise(setImmediate) // the compiler is loaded meanwhile
  }
})

test('few queries for requests at once, each of which gets its own', async ({
  opened: { store, lookups, ask },
}) => {
  const requests = Array.from({ length: 10 }, (_, at) => ask(`{ users(values: ["${at + 1}", "99"]) { id } }`))
  const expected = requests.map((_, at) => ({ data: { users: [{ id: String(at + 1) }, null] } }))
  expect(await Promise.all(requests)).toEqual(expected)
  expect(store.queries.splice(0).length).toBeLessThanOrEqual(2)
  const ids = Array.from({ length: 200 }, (_, at) => at % 16)
  const answers = await Promise.all(ids.map((id) => lookups.findUsers('ID', [String(id), '1'])))
  expect(answers.map((users) => rowsOf(users).map((user) => user?.id ?? null))).toEqual(
    ids.map((id) => [id >= 1 && id <= 13 ? id : null, 1]),
  )
  expect(store.queries.splice(0).length).toBeLessThan(10)
  for (let time = 0; time < 3; time++) expect(await lookups.findUsers('ID', ['1'])).toMatchObject([{ id: 1 }])
  expect(store.queries).toHaveLength(3)
})

test('a row that cannot be read, and a client that has left, cost nobody else anything', async ({
  opened,
}) => {
  const { store, lookups } = opened
  // JavaScript has no such number.
  change(store.path, 'UPDATE users SET join_date = 9007199254740993 WHERE id = 2')
  const outcomes = await Promise.allSettled([
    ...[['1'], ['2', '3'], ['3', '99'], ['2']].map((ids) => lookups.findUsers('ID', ids)),
    lookups.findUsers('ID', ['4'], gone),
  ])
  expect(outcomes).toMatchObject([
    { value: [{ id: 1 }] },
    { value: [{ code: 'Internal' }, { id: 3 }] },
    { value: [{ id: 3 }, null] },
    { value: [{ code: 'Internal' }] },
    { reason: { code: 'CallerLeft' } },
  ])
  expect(store.queries).toEqual([{ by: 'ID', values: ['1', '2', '3', '3', '99', '2'] }])
})
