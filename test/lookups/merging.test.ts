// Over a store that answers later, what is asked while it is busy shares a query.

import { test as base, expect } from 'vitest'
import { LookupError } from '../../src/errors.ts'
import { createLookups } from '../../src/lookups/lookups.ts'
import type { Store } from '../../src/stores/store.ts'
import { makeCaller } from '../kit/caller.ts'
import { rowsOf } from '../kit/rows.ts'
import { change } from '../stores/sqlite/support.ts'
import { openCountingStore } from './counting-store.ts'

/** A store with room for two queries, which both wait until `release`. */
const test = base.extend('busy', async ({ task: _ }, { onCleanup }) => {
  const store = await openCountingStore()
  onCleanup(store.remove)
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
  return { store, lookups, queries, release }
})

const ids = (count: number) => Array.from({ length: count }, (_, index) => String(1 + (index % 14)))
const idOf = (id: string) => (Number(id) <= 13 ? Number(id) : null)

test('64 short lists share a query, and each gets its own', async ({
  busy: { lookups, queries, release },
}) => {
  const asked = ids(200)
  const answers = asked.map((id) => lookups.findUsers('ID', [id, '99']))
  await release()
  const found = (await Promise.all(answers)).map((users) => rowsOf(users).map((user) => user?.id ?? null))
  expect(found).toEqual(asked.map((id) => [idOf(id), null]))
  expect(queries.map((values) => values.length / 2)).toEqual([64, 64, 64, 8])
})

test('a long list is a query of its own, and each kind of lookup', async ({ busy }) => {
  const { lookups, queries, release } = busy
  const long = ids(1000)
  const users = [long, ['2'], ['3']].map((list) => lookups.findUsers('ID', list))
  const [app, byChat] = [lookups.findApps(['1']), lookups.findUsers('CHAT', ['chat-1001'])]
  await release()
  const [longest = [], ...others] = await Promise.all(users)
  expect(rowsOf(longest).map((user) => user?.id ?? null)).toEqual(long.map(idOf))
  expect([...others, await app, await byChat]).toMatchObject([
    [{ id: 2 }],
    [{ id: 3 }],
    [{ id: 1 }],
    [{ id: 1 }],
  ])
  expect(queries).toEqual([long, ['2', '3'], ['1'], ['chat-1001']])
})

test('values of a client that leaves are not asked for', async ({ busy: { lookups, queries, release } }) => {
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
  // Their room is free.
  expect(await Promise.all(ids(10).map((id) => lookups.findUsers('ID', [id])))).toHaveLength(10)
})

test('a failure is that of the lookups which share the query', async ({
  busy: { store, lookups, release },
}) => {
  change(store.path, 'UPDATE users SET join_date = 9007199254740993 WHERE id = 2')
  store.failing.set('4', new LookupError('Unavailable'))
  const outcomes = Promise.allSettled([
    ...[['1'], ['2', '3'], ['3', '99'], ['4']].map((list) => lookups.findUsers('ID', list)),
    lookups.findApps(['1']),
  ])
  await release()
  expect(await outcomes).toMatchObject([
    { value: [{ id: 1 }] },
    { value: [{ code: 'Internal' }, { id: 3 }] },
    { value: [{ id: 3 }, null] },
    { reason: { code: 'Unavailable' } },
    { value: [{ id: 1 }] },
  ])
})

test('a store that answers some lookups early holds up no client and no other query', async ({
  busy: { store },
}) => {
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
  // The gate has room for one query still, and no more.
  expect(await lookups.findUsers('ID', ['5'])).toMatchObject([{ id: 5 }])
})
