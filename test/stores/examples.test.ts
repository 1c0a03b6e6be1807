// Values to try, whatever the store says.

import { expect, test } from 'vitest'
import type { User } from '../../src/data/users.ts'
import { type Examples, watchExamples } from '../../src/stores/examples.ts'
import { type Item, type Store, UnusableDatabase } from '../../src/stores/store.ts'

const none: Examples = { users: [], usernames: [], apps: [] }

/** A store of users with these ids and names, that counts what it is asked. */
function storeOf(users: readonly (readonly [id: number, user: Item<User>])[]) {
  const asked: string[] = []
  const store: Store = {
    findUsers: (_, values) => {
      asked.push(`users ${values.join()}`)
      return values.map((value) => users.find(([id]) => String(id) === value)?.[1] ?? null)
    },
    findApps: () => [],
    ready: () => {},
    close: () => {},
    countAfter: (name, after, most) => {
      asked.push(`${name} after ${after}, ${most}`)
      const found = name === 'apps' ? undefined : users.find(([id]) => id > after)
      return found === undefined ? { count: 0, last: after } : { count: 1, last: found[0] }
    },
  }
  return { store, asked }
}

const user = (id: number, username: string): readonly [number, User] => {
  const rest = { displayName: '', rank: 0, joinDate: 0, isConfirmed: false, banned: false }
  return [id, { id, username, ...rest }]
}

test('cost a slice of one row for each, and one lookup', async () => {
  const { store, asked } = storeOf([user(3, 'a'), user(9, 'b'), user(11, 'c')])
  const examples = watchExamples(store)
  expect(await examples()).toEqual({ users: ['3', '9'], usernames: ['a', 'b'], apps: [] })
  const all = ['users after 0, 1', 'users after 3, 1', 'users 3,9', 'apps after 0, 1']
  expect(asked).toEqual(all)
  // A moment later it is known.
  await examples()
  expect(asked).toEqual(all)
})

test.each(['', 'a:b', 'a,b', 'a b', '<b>', '"', 'x'.repeat(65), 'x'.repeat(1_000_000), '\u202e', '\ud800'])(
  'leaves out an odd username',
  async (username) => {
    const { store } = storeOf([user(1, username), user(2, 's\u00f8ren_1.x-y')])
    expect(await watchExamples(store)()).toEqual({
      users: ['1', '2'],
      usernames: ['s\u00f8ren_1.x-y'],
      apps: [],
    })
  },
)

test('a user that has gone meanwhile, or that fails, has no username', async () => {
  const { store } = storeOf([
    [1, null],
    [2, new UnusableDatabase('away')],
  ])
  expect(await watchExamples(store)()).toEqual({ users: ['1', '2'], usernames: [], apps: [] })
})

test('a store that is empty, cannot tell, fails or does not answer', async () => {
  const { store } = storeOf([])
  expect(await watchExamples(store)()).toEqual(none)
  const { countAfter: _, ...silent } = store
  expect(await watchExamples(silent)()).toEqual(none)
  const failing: Store = { ...store, countAfter: () => Promise.reject(new Error('away')) }
  expect(await watchExamples(failing)()).toEqual(none)
  const frozen: Store = { ...store, countAfter: () => new Promise(() => {}) }
  expect(await watchExamples(frozen)()).toEqual(none)
})
