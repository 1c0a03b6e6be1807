// How many users and apps there are, told without keeping a reader waiting.

import { expect, onTestFinished, test, vi } from 'vitest'
import { watchStore } from '../../src/stores/state.ts'
import type { Store } from '../../src/stores/store.ts'

/** A store of so many rows, with ids one, three, five, …, that notes what it is asked. */
function storeOf(rows: number): { store: Store; asked: number[] } {
  const asked: number[] = []
  const unused = () => {
    throw new Error('not asked for here')
  }
  const store: Store = {
    findUsers: unused,
    findApps: unused,
    ready: () => {},
    close: () => {},
    countAfter: (name, id, most) => {
      asked.push(id)
      const left = name === 'apps' ? 0 : rows - Math.ceil(id / 2)
      const count = Math.min(most, left)
      return { count, last: count === 0 ? id : id + 2 * count - (id === 0 ? 1 : 0) }
    },
  }
  return { store, asked }
}

async function counted(store: Store, times = 40) {
  const count = watchStore(store)
  let counts = await count()
  for (let again = 0; again < times && counts.users === null; again++) counts = await count()
  return counts
}

test.each([0, 1, 9_999, 10_000, 10_001, 25_000])('%i users, exactly', async (rows) => {
  const { users, apps } = await counted(storeOf(rows).store)
  expect(users).toEqual({ count: rows, exact: true })
  expect(apps).toEqual({ count: 0, exact: true })
})

test('a million are at least a million', async () => {
  expect((await counted(storeOf(1_000_000).store)).users).toEqual({ count: 1_000_000, exact: false })
})

test('more than a million are not counted on', async () => {
  const { store, asked } = storeOf(5_000_000)
  expect((await counted(store)).users).toEqual({ count: 1_000_000, exact: false })
  expect(asked.length).toBeLessThan(110)
})

test('readers at the same time, or a moment later, are told the same', async () => {
  const { store, asked } = storeOf(3)
  const count = watchStore(store)
  const [one, other] = await Promise.all([count(), count()])
  expect([one, other, await count()]).toEqual([one, one, one])
  expect(asked).toHaveLength(2)
})

test('a store that cannot count, or cannot be reached', async () => {
  const { store } = storeOf(3)
  const unknown = { ready: false, users: null, apps: null }
  const { countAfter: _, ...silent } = store
  expect(await watchStore(silent)()).toEqual({ ...unknown, ready: true })
  const failing: Store = { ...store, countAfter: () => Promise.reject(new Error('away')) }
  expect(await watchStore(failing)()).toEqual({ ...unknown, ready: true })
  const away: Store = { ...store, ready: () => Promise.reject(new Error('away')) }
  expect(await watchStore(away)()).toEqual(unknown)
  const frozen: Store = { ...store, ready: () => new Promise(() => {}) }
  expect(await watchStore(frozen)()).toEqual(unknown)
})

test('what was counted is forgotten when it is counted again in vain', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { store } = storeOf(3)
  let isAway = false
  const countAfter: Store['countAfter'] = (...asked) => {
    if (isAway) throw new Error('away')
    return store.countAfter?.(...asked) ?? { count: 0, last: 0 }
  }
  const count = watchStore({ ...store, countAfter })
  expect(await count()).toMatchObject({ users: { count: 3 } })
  isAway = true
  vi.advanceTimersByTime(4_000)
  expect(await count()).toMatchObject({ users: { count: 3 } })
  vi.advanceTimersByTime(1_000)
  expect(await count()).toMatchObject({ ready: true, users: null, apps: null })
})

test('no reader waits long for one that is slow', async () => {
  const slow: Store = { ...storeOf(3).store, countAfter: () => new Promise(() => {}) }
  const started = performance.now()
  expect(await watchStore(slow)()).toEqual({ ready: true, users: null, apps: null })
  expect(performance.now() - started).toBeLessThan(2000)
})
