// Calls that a store has capacity for run; the others wait in the order in which they came.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createLookups } from '../../src/lookups/lookups.ts'
import type { Store } from '../../src/stores/store.ts'
import { createClock } from '../kit/clock.ts'

/** Values of a list that has a call of its own. */
const LONG = 64

/** A store whose calls end when the test says so. */
function openStore(capacity: number) {
  const clock = createClock()
  const now = { capacity }
  const started: string[] = []
  const refused: string[] = []
  const ends: (() => void)[] = []
  const store: Store = {
    capacity: () => now.capacity,
    findUsers: async (_, ids) => {
      started.push(ids[0] ?? '')
      await new Promise<void>((resolve) => ends.push(resolve))
      return ids.map(() => null)
    },
    findApps: () => [],
    ready: () => {},
    close: () => {},
  }
  const lookups = createLookups(store, () => {}, clock)
  const come = (...ids: readonly number[]) => {
    for (const id of ids)
      lookups
        .findUsers('ID', Array<string>(LONG).fill(String(id)))
        .catch(({ code }) => refused.push(`${id} ${code}`))
  }
  const settle = async () => {
    await nextTurn()
    await nextTurn()
  }
  const end = () => {
    ends.shift()?.()
    return settle()
  }
  return { clock, now, come, end, settle, started, refused }
}

test.each([
  [2, 2],
  [0, 1],
])('with a capacity of %i, %i calls run at a time, and begin in a later turn', async (capacity, atOnce) => {
  const { come, end, settle, started } = openStore(capacity)
  come(1, 2, 3, 4)
  expect(started).toEqual([])
  await settle()
  for (let count = atOnce; count <= 4; count++) {
    expect(started).toEqual(['1', '2', '3', '4'].slice(0, count))
    await end()
  }
})

test('more capacity lets nobody overtake; less capacity begins no call until enough have ended', async () => {
  const { now, come, end, settle, started } = openStore(1)
  come(1, 2, 3)
  now.capacity = 3
  come(4)
  await settle()
  expect(started).toEqual(['1'])
  await end()
  expect(started).toEqual(['1', '2', '3', '4'])
  come(5)
  now.capacity = 2
  await end()
  expect(started).toEqual(['1', '2', '3', '4'])
  await end()
  expect(started).toEqual(['1', '2', '3', '4', '5'])
})

test('a lookup that has waited for 200 ms is refused, and is never looked up', async () => {
  const { clock, come, end, settle, started, refused } = openStore(1)
  come(1, 2)
  await settle()
  await clock.advance(199)
  expect(refused).toEqual([])
  await end()
  come(3)
  await clock.advance(200)
  expect(refused).toEqual(['3 Overloaded'])
  await end()
  await clock.advance(1_000)
  expect(started).toEqual(['1', '2'])
})
