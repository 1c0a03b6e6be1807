// Which questions are let through to a store whose capacity changes while questions wait for it.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createGate } from '../../../src/gateway/loaders/gate.ts'

/** A gate, and the questions that came through it or were sent away, in order. */
function openGate(capacity: number) {
  const now = { capacity }
  const gate = createGate(() => now.capacity)
  const admitted: number[] = []
  const refused: number[] = []
  function come(...names: readonly number[]): void {
    for (const name of names) gate.schedule((yes) => (yes ? admitted : refused).push(name))
  }
  return { now, come, leave: gate.leave, admitted, refused }
}

test('as many as fit are admitted, in a later turn', async () => {
  const { come, admitted } = openGate(2)
  come(1, 2, 3)
  expect(admitted).toEqual([])
  await nextTurn()
  expect(admitted).toEqual([1, 2])
})

test('one that leaves makes room for one', async () => {
  const { come, leave, admitted } = openGate(2)
  come(1, 2, 3, 4, 5)
  for (const inside of [2, 3, 4, 5, 5]) {
    await nextTurn()
    expect(admitted).toHaveLength(inside)
    leave()
  }
  expect(admitted).toEqual([1, 2, 3, 4, 5])
})

test('none overtakes those that wait, though there is room by now', async () => {
  const { now, come, leave, admitted } = openGate(1)
  come(1, 2, 3)
  now.capacity = 10
  come(4)
  await nextTurn()
  expect(admitted).toEqual([1])
  // The next one that leaves lets in all that fit, those first that came first.
  leave()
  come(5)
  await nextTurn()
  expect(admitted).toEqual([1, 2, 3, 4, 5])
})

test('while more are inside than there is room for now, one that leaves makes none', async () => {
  const { now, come, leave, admitted } = openGate(3)
  come(1, 2, 3, 4)
  now.capacity = 2
  leave()
  await nextTurn()
  expect(admitted).toEqual([1, 2, 3])
  leave()
  await nextTurn()
  expect(admitted).toEqual([1, 2, 3, 4])
})

test('a store without any capacity is asked one question at a time', async () => {
  const { come, leave, admitted } = openGate(0)
  come(1, 2)
  await nextTurn()
  expect(admitted).toEqual([1])
  leave()
  await nextTurn()
  expect(admitted).toEqual([1, 2])
})

test('a question that waits for too long is refused, and loses its place', async () => {
  const { come, leave, admitted, refused } = openGate(1)
  const started = performance.now()
  come(1, 2, 3)
  await expect.poll(() => refused, { interval: 5 }).toEqual([2, 3])
  expect(performance.now() - started).toBeGreaterThan(190)
  // It can be only one of those that come now: the refused wait for nothing.
  come(4, 5)
  leave()
  await nextTurn()
  expect(admitted).toEqual([1, 4])
  leave()
  await nextTurn()
  expect(admitted).toEqual([1, 4, 5])
  expect(refused).toEqual([2, 3])
})

test('a refused question takes no other out of the line', async () => {
  const gate = createGate(() => 1)
  const heard: string[] = []
  gate.schedule(() => heard.push('first'))
  gate.schedule((yes) => {
    heard.push(`second ${yes}`)
    gate.leave()
  })
  gate.schedule((yes) => heard.push(`third ${yes}`))
  await expect.poll(() => heard, { interval: 5 }).toEqual(['first', 'second false', 'third true'])
})

test('an admitted question is not refused later', async () => {
  const { come, leave, admitted, refused } = openGate(1)
  come(1, 2)
  leave()
  come(3)
  await expect.poll(() => refused, { interval: 5 }).toEqual([3])
  expect(admitted).toEqual([1, 2])
})
