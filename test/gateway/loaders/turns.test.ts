import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTurns } from '../../../src/gateway/loaders/turns.ts'

/** Takes values for each list. @returns which lists have had their turn so far */
function taking(lists: readonly number[]): readonly number[] {
  const { take } = createTurns()
  const started: number[] = []
  for (const [at, values] of lists.entries()) {
    const turn = take(values)
    if (turn === null) started.push(at)
    else void turn.then(() => started.push(at))
  }
  return started
}

/** How many lists have been started after each turn of the event loop, until all are. */
async function startedByTurn(lists: readonly number[]): Promise<number[]> {
  const started = taking(lists)
  const counts = [started.length]
  while (started.length < lists.length) {
    await nextTurn()
    counts.push(started.length)
  }
  expect(started).toEqual(lists.map((_, at) => at))
  return counts
}

test('8,192 values go at once, and no more', async () => {
  expect(await startedByTurn(Array(64).fill(128))).toEqual([64])
  expect(await startedByTurn(Array(65).fill(128))).toEqual([64, 65])
  expect(await startedByTurn([4_000, 4_000, 4_000, 4_000, 4_000])).toEqual([2, 4, 5])
})

test('a longer list has a turn of its own', async () => {
  expect(await startedByTurn([1, 20_000, 1, 1])).toEqual([1, 2, 4])
  expect(await startedByTurn([20_000])).toEqual([1])
})

test('a short list does not overtake a long one', async () => {
  expect(await startedByTurn([8_000, 200, 1])).toEqual([1, 3])
})

test('each turn may have 8,192 values again', async () => {
  const { take } = createTurns()
  for (let turn = 0; turn < 5; turn++) {
    expect(take(8_192)).toBe(null)
    expect(take(1)).not.toBe(null)
    await nextTurn()
    await nextTurn()
  }
})
