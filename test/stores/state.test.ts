// The state of a store: how many users and apps it has, and the hint for an empty one. Nobody waits long for
// it.

import { describe, expect, test } from 'vitest'
import type { Observation } from '../../src/observe/events.ts'
import { watchEmptiness, watchStore } from '../../src/stores/state.ts'
import type { Store } from '../../src/stores/store.ts'
import { createClock } from '../kit/clock.ts'

const never = () => new Promise<never>(() => {})
const fails = () => Promise.reject(new Error('away'))

/** A store of so many users, with the ids 1, 3, 5, ..., and no apps. It records its calls. */
function storeOf(rows: number, parts: Partial<Store> = {}) {
  const asked: unknown[] = []
  const unused = () => {
    throw new Error('not asked for here')
  }
  const store: Store = {
    ...{ findUsers: unused, findApps: unused, ready: () => {}, close: () => {} },
    countAfter: (name, id, most) => {
      asked.push(id)
      const count = Math.min(most, name === 'apps' ? 0 : rows - Math.ceil(id / 2))
      return { count, last: count === 0 ? id : id + 2 * count - (id === 0 ? 1 : 0) }
    },
    isEmpty: (name) => {
      asked.push(name)
      return name === 'users' && rows === 0
    },
    ...parts,
  }
  return { store, asked }
}

const { countAfter: _count, isEmpty: _isEmpty, ...silent } = storeOf(3).store

describe('the counts', () => {
  test.for([
    ...[0, 9_999, 10_000, 10_001].map((rows) => [rows, { count: rows, exact: true }] as const),
    [5_000_000, { count: 1_000_000, exact: false }],
  ] as const)('of %i users', async ([rows, expected]) => {
    const { store, asked } = storeOf(rows)
    const { users, apps } = await watchStore(store, createClock())()
    expect({ users, apps }).toEqual({ users: expected, apps: { count: 0, exact: true } })
    expect(asked.length).toBeLessThan(110)
  })

  test.for([
    ['cannot count', silent, true],
    ['fails to count', storeOf(3, { countAfter: fails }).store, true],
    ['counts for long', storeOf(3, { countAfter: never }).store, true],
    ['cannot be reached', storeOf(3, { ready: fails }).store, false],
    ['does not respond', storeOf(3, { ready: never }).store, false],
  ] as const)('of a store that %s are unknown', async ([, store, ready]) => {
    const clock = createClock()
    const state = watchStore(store, clock)()
    await clock.advance(250)
    expect(await state).toEqual({ ready, users: null, apps: null })
  })

  test('are forgotten when they are counted again in vain', async () => {
    let isAway = false
    const { store } = storeOf(3)
    const countAfter: Store['countAfter'] = (...question) => {
      if (isAway) throw new Error('away')
      return store.countAfter?.(...question) ?? { count: 0, last: 0 }
    }
    const clock = createClock()
    const count = watchStore({ ...store, countAfter }, clock)
    expect(await count()).toMatchObject({ users: { count: 3 } })
    isAway = true
    await clock.advance(4_999)
    expect(await count()).toMatchObject({ users: { count: 3 } })
    await clock.advance(1)
    expect(await count()).toMatchObject({ ready: true, users: null, apps: null })
  })
})

describe('an empty store', () => {
  test('is read again after five seconds, and logged each time that it becomes empty', async () => {
    const seen: Observation[] = []
    const clock = createClock()
    let rows = 0
    const { store, asked } = storeOf(0, {
      isEmpty: (name) => asked.push(name) > 0 && name === 'users' && rows === 0,
    })
    const look = watchEmptiness(store, 'lookup.db', (observation) => seen.push(observation), clock)
    const note = '0 users. Fill it with "lookup import users FILE".'
    expect([await look(), await look()]).toEqual([note, note])
    expect(asked).toEqual(['users', 'apps'])
    for (rows of [1, 0]) {
      const before = rows === 1 ? note : null
      await clock.advance(4_999)
      expect(await look()).toBe(before)
      await clock.advance(1)
      expect(await look()).toBe(before === null ? note : null)
    }
    const line = { type: 'database-empty', database: 'lookup.db', reason: note }
    expect(seen).toEqual([line, line])
  })

  test.for([
    ['does not respond', storeOf(0, { isEmpty: never }).store],
    ['fails', storeOf(0, { isEmpty: fails }).store],
    ['cannot tell', silent],
  ] as const)('nothing is said of a store that %s', async ([, store]) => {
    const clock = createClock()
    const note = watchEmptiness(store, 'lookup.db', () => {}, clock)()
    await clock.advance(500)
    expect(await note).toBe(null)
  })
})
