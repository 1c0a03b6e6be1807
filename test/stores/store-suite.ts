// The rules of src/stores/store.ts, for any store. Each store's own test calls this with a way to make one.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LookupError } from '../../src/errors.ts'
import { type LookupMethod, usernameKey } from '../../src/model.ts'
import type { Observation, Observe } from '../../src/observe/events.ts'
import type { Awaitable, Store } from '../../src/stores/store.ts'
import { rowsOf } from '../kit/rows.ts'
import { apps, chatCases, type FullUser, manyUsers, usernameCases, users } from './store-data.ts'

/** A real store, and a second connection that changes what it reads. */
export interface StoreUnderTest {
  readonly store: Store
  /** Commits before it resolves; a user or app of the same id is replaced. */
  readonly putUsers: (users: readonly FullUser[]) => Awaitable<void>
  readonly putApps: (rows: typeof apps) => Awaitable<void>
  readonly removeUser: (id: number) => Awaitable<void>
  /** From now on every lookup fails. */
  readonly breakDown: () => Awaitable<void>
  readonly close: () => Awaitable<void>
}

export function storeSuite(name: string, makeStore: (observe: Observe) => Awaitable<StoreUnderTest>): void {
  describe(name, () => {
    let target: StoreUnderTest
    let wasEmpty: unknown[]
    const emptiness = async () => [
      await target.store.isEmpty?.('users'),
      await target.store.isEmpty?.('apps'),
    ]

    beforeAll(async () => {
      target = await makeStore(() => {})
      wasEmpty = await emptiness()
      await target.putUsers([...users, ...manyUsers])
      await target.putApps(apps)
    })
    afterAll(() => target.close())

    const find = async (by: LookupMethod, values: readonly string[]) =>
      rowsOf(await target.store.findUsers(by, values)).map((user) => user?.id ?? null)
    const findByName = (...names: string[]) => find('USERNAME', names.map(usernameKey))

    test('every user and every app comes out as it went in, without the chat identifier', async () => {
      expect([wasEmpty, await emptiness()]).toEqual([
        [true, true],
        [false, false],
      ])
      const shown = users.map(({ chatId: _hidden, ...user }) => user)
      expect(
        await target.store.findUsers(
          'ID',
          users.map(({ id }) => String(id)),
        ),
      ).toEqual(shown)
      expect(await target.store.findApps(apps.map(({ id }) => String(id)))).toEqual(apps)
    })

    test('counts rows in slices, in the order of their ids', async () => {
      const { countAfter } = target.store
      if (countAfter === undefined) throw new Error('a store of tables can count')
      const ids = [...users, ...manyUsers].map(({ id }) => id).toSorted((one, other) => one - other)
      expect(await countAfter('users', 0, ids.length + 1)).toEqual({ count: ids.length, last: ids.at(-1) })
      expect(await countAfter('users', ids[1] ?? 0, 1)).toEqual({ count: 1, last: ids[2] })
      expect(await countAfter('users', ids.at(-1) ?? 0, 5)).toEqual({ count: 0, last: ids.at(-1) })
      expect((await countAfter('apps', 0, 1000)).count).toBe(apps.length)
    })

    test('one item per value, in order, with null for misses and duplicates answered twice', async () => {
      const largest = String(Number.MAX_SAFE_INTEGER)
      expect(await find('ID', ['3', '0', '1', '3', largest])).toEqual([3, null, 1, 3, Number(largest)])
      expect(await findByName('mallory', 'nobody', 'ada', 'mallory')).toEqual([3, null, 1, 3])
      expect(await find('CHAT', ['chat-2', 'x', 'chat-1', 'chat-2'])).toEqual([2, null, 1, 2])
      const found = rowsOf(await target.store.findApps(['2', '0', '1', '2', largest]))
      expect(found.map((app) => app?.id ?? null)).toEqual([2, null, 1, 2, Number(largest)])
      for (const by of ['ID', 'USERNAME', 'CHAT'] as const) expect(await find(by, [])).toEqual([])
      expect(await target.store.findApps([])).toEqual([])
    })

    test('a thousand values at once, in an order of their own', async () => {
      const ids = manyUsers.map(({ id }) => id)
      const shuffled = ids.map((_, index) => ids[(index * 617) % ids.length] ?? 0)
      expect(await find('ID', shuffled.map(String))).toEqual(shuffled)
      expect(await findByName(...shuffled.map((id) => `USER ${id}`))).toEqual(shuffled)
      const chatIds = shuffled.map((id) => `many:${id}`)
      expect(await find('CHAT', chatIds)).toEqual(shuffled)
    })

    test('usernames in every spelling', async () => {
      for (const [what, name, id] of usernameCases) expect(await findByName(name), what).toEqual([id])
    })

    test('chat identifiers exactly, and users without one by no value', async () => {
      for (const [what, chatId, id] of chatCases) expect(await find('CHAT', [chatId]), what).toEqual([id])
      const values = ['', 'null', 'NULL', 'undefined', '0']
      expect(await find('CHAT', values)).toEqual(values.map(() => null))
    })

    test('a change that another connection commits is seen by the next call', async () => {
      const [, second] = users
      expect(await find('ID', ['500'])).toEqual([null])
      await target.putUsers([{ ...second, id: 500, username: 'late', chatId: null, rank: 1 }])
      expect(await find('ID', ['500'])).toEqual([500])
      expect(await findByName('LATE')).toEqual([500])
      await target.putUsers([{ ...second, id: 500, username: 'later', chatId: 'late', rank: 2 }])
      expect(await target.store.findUsers('CHAT', ['late'])).toMatchObject([{ username: 'later', rank: 2 }])
      expect(await findByName('late', 'later')).toEqual([null, 500])
      await target.removeUser(500)
      expect(await find('ID', ['500'])).toEqual([null])
    })

    test('an outage is Unavailable, observed, and never a miss', async () => {
      const observations: Observation[] = []
      const { store, breakDown, close } = await makeStore((observation) => observations.push(observation))
      await store.ready()
      await breakDown()
      observations.length = 0
      const calls: readonly (() => Awaitable<unknown>)[] = [
        () => store.findUsers('ID', ['1', '99']),
        () => store.findUsers('USERNAME', ['ada']),
        () => store.findUsers('CHAT', ['chat-1']),
        () => store.findApps(['1']),
        () => store.ready(),
      ]
      for (const call of calls) {
        const failure = await (async () => call())().catch((error: unknown) => error)
        expect(failure).toBeInstanceOf(LookupError)
        expect(failure).toMatchObject({ code: 'Unavailable', status: 503 })
      }
      expect(observations.filter(({ type }) => type === 'store-failed')).toHaveLength(calls.length)
      await close()
    })
  })
}
