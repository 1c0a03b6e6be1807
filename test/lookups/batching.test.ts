// Lookups that arrive together, or while the store is busy, share a query.

import { parse } from 'graphql'
import { test as base, expect } from 'vitest'
import { LookupError } from '../../src/errors.ts'
import { createExecution } from '../../src/graphql/execute.ts'
import { schema } from '../../src/graphql/schema.ts'
import { createLookups } from '../../src/lookups/lookups.ts'
import type { Store } from '../../src/stores/store.ts'
import { runIn } from '../graphql/execution-support.ts'
import { gone, makeCaller } from '../kit/caller.ts'
import { rowsOf } from '../kit/rows.ts'
import { change } from '../stores/sqlite/support.ts'
import { openCountingStore } from './counting-store.ts'

const test = base.extend('store', async ({ task: _ }, { onCleanup }) => {
  const store = await openCountingStore()
  onCleanup(store.remove)
  return store
})

const ids = (count: number) => Array.from({ length: count }, (_, index) => String(1 + (index % 14)))
const idOf = (id: string) => (Number(id) <= 13 ? Number(id) : null)
const idsOf = async (users: ReturnType<ReturnType<typeof createLookups>['findUsers']>) =>
  rowsOf(await users).map((user) => user?.id ?? null)

test.for([
  [
    'single users and lists of them, each of which gets its own',
    '{ a: user(value: "3") { id } b: users(values: ["1", "99"]) { id } c: users(values: []) { id } d: app(id: 2) { id } }',
    { a: { id: '3' }, b: [{ id: '1' }, null], c: [], d: { id: '2' } },
    [
      { by: 'ID', values: ['3', '1', '99'] },
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
] as const)('one query for %s', async ([, query, data, queries], { store }) => {
  const lookups = createLookups(store, () => {})
  const limits = { maxValues: 1000, maxFields: 10_000, maxResponseBytes: 8_388_608 }
  const execution = createExecution({ schema, lookups, observe: () => {}, ...limits })
  const document = parse(query)
  // The first uses are interpreted, later ones compiled.
  for (let use = 1; use <= 6; use++) {
    expect(await runIn(execution, document)).toEqual({ data })
    const seen = store.queries.splice(0)
    expect(seen).toHaveLength(queries.length)
    expect(seen).toEqual(expect.arrayContaining([...queries]))
    await new Promise(setImmediate) // the compiler is loaded meanwhile
  }
})

test('few queries for requests at once, each of which gets its own', async ({ store }) => {
  const lookups = createLookups(store, () => {})
  const answers = await Promise.all(ids(200).map((id) => idsOf(lookups.findUsers('ID', [id, '1']))))
  expect(answers).toEqual(ids(200).map((id) => [idOf(id), 1]))
  expect(store.queries.splice(0).length).toBeLessThan(10)
  for (let time = 0; time < 3; time++) expect(await lookups.findUsers('ID', ['1'])).toMatchObject([{ id: 1 }])
  expect(store.queries).toHaveLength(3)
})

test('a row that cannot be read, and a client that has left, cost nobody else anything', async ({
  store,
}) => {
  const lookups = createLookups(store, () => {})
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

test.for([new LookupError('Unavailable'), new RangeError('a bug')])(
  'a store that fails with %s fails every request that waits for it, once, and none after it',
  async (failure, { store }) => {
    const lookups = createLookups(store, () => {})
    store.failure = failure
    const waiting = ids(60).map((id) => lookups.findUsers('ID', [id, 'malformed']))
    const failed = await Promise.allSettled([...waiting, lookups.findApps(['1'])])
    expect(failed).toEqual(Array(61).fill({ status: 'rejected', reason: failure }))
    expect(store.queries.map(({ by }) => by).toSorted()).toEqual(['APP', 'ID'])
    store.failure = null
    expect(await lookups.findUsers('ID', ['1', '2'])).toMatchObject([{ id: 1 }, { id: 2 }])
  },
)

/** A store with capacity for two queries, which both wait until `release`. */
const busyTest = test.extend('busy', async ({ store }) => {
  const free = Promise.withResolvers<void>()
  const queries: (readonly string[])[] = []
  const later: Store = {
    ...store,
    capacity: () => 2,
    findUsers: async (by, values) => {
      queries.push(values)
      await free.promise
      return store.findUsers(by, values)
    },
    findApps: async (ids) => {
      queries.push(ids)
      await free.promise
      return store.findApps(ids)
    },
  }
  const lookups = createLookups(later, () => {})
  const first = [lookups.findUsers('ID', ['1']), lookups.findUsers('USERNAME', ['ada'])]
  await expect.poll(() => queries.length).toBe(2)
  queries.length = 0
  const release = async () => {
    free.resolve()
    expect(await Promise.all(first)).toMatchObject([[{ id: 1 }], [{ id: 1 }]])
  }
  return { lookups, queries, release }
})

busyTest('64 short lists share a query; a long list, and each kind, has its own', async ({ busy }) => {
  const { lookups, queries, release } = busy
  const lists = [...ids(200).map((id) => [id, '99']), ids(1000)]
  const users = lists.map((list) => idsOf(lookups.findUsers('ID', list)))
  const [app, byChat] = [lookups.findApps(['1']), lookups.findUsers('CHAT', ['chat-1001'])]
  await release()
  expect(await Promise.all(users)).toEqual(lists.map((list) => list.map(idOf)))
  expect([await app, await byChat]).toMatchObject([[{ id: 1 }], [{ id: 1 }]])
  const sizes = queries.map(({ length }) => length).toSorted((one, other) => one - other)
  expect(sizes).toEqual([1, 1, 16, 128, 128, 128, 1000])
})

busyTest('values of a client that leaves are not asked for', async ({ busy }) => {
  const { lookups, queries, release } = busy
  const [leaving, staying] = [makeCaller(), makeCaller()]
  const outcomes = Promise.allSettled([
    lookups.findUsers('ID', ['5', '6'], leaving),
    lookups.findUsers('ID', ['7'], staying),
    lookups.findApps(['1'], leaving),
  ])
  leaving.leave()
  await release()
  const left = { reason: { code: 'CallerLeft' } }
  expect(await outcomes).toMatchObject([left, { value: [{ id: 7 }] }, left])
  expect(queries).toEqual([['7']])
  // Their slots are free.
  expect(await Promise.all(ids(10).map((id) => lookups.findUsers('ID', [id])))).toHaveLength(10)
})

test('a store that answers some lookups early holds up no client and no other query', async ({ store }) => {
  const late = Promise.withResolvers<void>()
  const queries: (readonly string[])[] = []
  const early: Store = {
    ...store,
    capacity: () => 1,
    findUsers: async (by, values, batch) => {
      queries.push(values)
      const found = await store.findUsers(by, values)
      if (batch === undefined || batch.lookups.length === 1) return found
      batch.nextRound(
        new Map([
          [0, found.slice(0, 1)],
          [1, [new LookupError('Unavailable')]],
        ]),
      )
      await late.promise
      return found
    },
  }
  const lookups = createLookups(early, () => {})
  const [first, second, third] = ['1', '2', '3'].map((id) => lookups.findUsers('ID', [id]))
  expect(await first).toMatchObject([{ id: 1 }])
  await expect(second).rejects.toMatchObject({ code: 'Unavailable' })
  expect(await lookups.findUsers('ID', ['4'])).toMatchObject([{ id: 4 }])
  expect(queries).toEqual([['1', '2', '3'], ['4']])
  late.resolve()
  expect(await third).toMatchObject([{ id: 3 }])
  // The gate has one slot still, and no more.
  expect(await lookups.findUsers('ID', ['5'])).toMatchObject([{ id: 5 }])
})
