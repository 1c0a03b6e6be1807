// Whether a database has rows: told by one short query, and never in the way of a reader.

import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Observation } from '../../src/observation.ts'
import { watchEmptiness } from '../../src/stores/emptiness.ts'
import { openStore } from '../../src/stores/open-store.ts'
import type { Store } from '../../src/stores/store.ts'
import { makeTables } from '../../src/stores/transfer.ts'
import { engines, fillSample, useDatabases } from '../kit/engines.ts'

const both = '0 users, 0 apps. Fill it with "lookup import users FILE" and "lookup import apps FILE".'

describe.each(engines)('$name', (engine) => {
  const makeDatabase = useDatabases(engine)

  test('is empty until it has rows', async () => {
    const database = await makeDatabase()
    await makeTables(database.location)
    const store = await openStore(database.location, () => {})
    onTestFinished(() => store.close())
    expect([await store.isEmpty?.('users'), await store.isEmpty?.('apps')]).toEqual([true, true])
    expect(await watchEmptiness(store, 'here', () => {})()).toBe(both)
    await fillSample(database)
    expect([await store.isEmpty?.('users'), await store.isEmpty?.('apps')]).toEqual([false, false])
    expect(await watchEmptiness(store, 'here', () => {})()).toBe(null)
  })
})

/** A store that has what a test says, and notes what it is asked. */
function storeWith(isEmpty: NonNullable<Store['isEmpty']>) {
  const unused = () => {
    throw new Error('not asked for here')
  }
  const asked: string[] = []
  const store: Store = {
    ...{ findUsers: unused, findApps: unused, ready: () => {}, close: () => {} },
    isEmpty: (name) => {
      asked.push(name)
      return isEmpty(name)
    },
  }
  return { store, asked }
}

function atHand(): { readonly seen: Observation[]; readonly pass: (milliseconds: number) => void } {
  let now = 1_000_000
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => clock.mockRestore())
  return {
    seen: [],
    pass: (milliseconds) => {
      now += milliseconds
    },
  }
}

test('is asked anew every five seconds while it is empty, and each minute when it is not', async () => {
  const { seen, pass } = atHand()
  let rows = 0
  const { store, asked } = storeWith((name) => name === 'users' && rows === 0)
  const look = watchEmptiness(store, 'lookup.db', (observation) => seen.push(observation))
  const note = '0 users. Fill it with "lookup import users FILE".'
  expect([await look(), await look()]).toEqual([note, note])
  expect(asked).toEqual(['users', 'apps'])
  rows = 1
  pass(4_999)
  expect(await look()).toBe(note)
  pass(1)
  expect(await look()).toBe(null)
  rows = 0
  pass(59_999)
  expect(await look()).toBe(null)
  pass(1)
  expect(await look()).toBe(note)
  // Once each time that it becomes so, however often it is asked.
  const entry = { type: 'database-empty', database: 'lookup.db', reason: note }
  expect(seen).toEqual([entry, entry])
})

test('a store that does not answer is not waited for, and says nothing of its rows', async () => {
  const { store, asked } = storeWith(() => new Promise(() => {}))
  const look = watchEmptiness(store, 'lookup.db', () => {})
  expect([await look(), await look()]).toEqual([null, null])
  expect(asked).toEqual(['users'])
})

test('a store that fails, or cannot tell, says nothing of its rows', async () => {
  const { store } = storeWith(() => Promise.reject(new Error('away')))
  expect(await watchEmptiness(store, 'lookup.db', () => {})()).toBe(null)
  const { isEmpty: _, ...silent } = store
  expect(await watchEmptiness(silent, 'lookup.db', () => {})()).toBe(null)
})
