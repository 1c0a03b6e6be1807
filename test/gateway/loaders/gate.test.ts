// Queries that a store has room for run; the others wait in the order in which they came.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createGate } from '../../../src/gateway/loaders/gate.ts'
import { createClock } from '../../kit/clock.ts'

function openGate(capacity: number) {
  const clock = createClock()
  const now = { capacity }
  const gate = createGate(() => now.capacity, clock)
  const [admitted, refused]: [number[], number[]] = [[], []]
  function come(...names: readonly number[]): void {
    for (const name of names) gate.schedule((yes) => (yes ? admitted : refused).push(name))
  }
  return { clock, now, come, leave: gate.leave, admitted, refused }
}

test.each([
  [2, 2],
  [0, 1],
])('of a capacity of %i, %i at a time are admitted, in a later turn', async (capacity, inside) => {
  const { come, leave, admitted } = openGate(capacity)
  come(1, 2, 3, 4)
  expect(admitted).toEqual([])
  for (let count = inside; count <= 4; count++) {
    await nextTurn()
    expect(admitted).toEqual([1, 2, 3, 4].slice(0, count))
    leave()
  }
})

test('more capacity lets none overtake; less capacity lets none in until enough have left', async () => {
  const { now, come, leave, admitted } = openGate(1)
  come(1, 2, 3)
  now.capacity = 3
  come(4)
  await nextTurn()
  expect(admitted).toEqual([1])
  leave()
  come(5)
  await nextTurn()
  expect(admitted).toEqual([1, 2, 3, 4])
  now.capacity = 2
  leave()
  await nextTurn()
  expect(admitted).toEqual([1, 2, 3, 4])
  leave()
  await nextTurn()
  expect(admitted).toEqual([1, 2, 3, 4, 5])
})

test('a query that has waited for 200 ms is refused, and loses its place', async () => {
  const { clock, come, leave, admitted, refused } = openGate(1)
  come(1, 2)
  await clock.advance(199)
  expect(refused).toEqual([])
  leave()
  come(3)
  await clock.advance(199)
  expect(refused).toEqual([])
  await clock.advance(1)
  expect(refused).toEqual([3])
  come(4, 5)
  leave()
  await nextTurn()
  leave()
  await nextTurn()
  expect(admitted).toEqual([1, 2, 4, 5])
  await clock.advance(1_000)
  expect(refused).toEqual([3])
})

test('a refusal that makes room takes no other query out of the line', async () => {
  const clock = createClock()
  const gate = createGate(() => 1, clock)
  const heard: string[] = []
  gate.schedule(() => heard.push('first'))
  gate.schedule((yes) => {
    heard.push(`second ${yes}`)
    gate.leave()
  })
  gate.schedule((yes) => heard.push(`third ${yes}`))
  await clock.advance(200)
  expect(heard).toEqual(['first', 'second false', 'third true'])
})
