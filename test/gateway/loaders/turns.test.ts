// Lists of values that a store answers at once share the turns of the event loop.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTurns } from '../../../src/gateway/loaders/turns.ts'

/** How many lists have been started after each turn, until all are, in their order. */
async function startedByTurn(lists: readonly number[]): Promise<number[]> {
  const { take } = createTurns()
  const started: number[] = []
  for (const [at, values] of lists.entries()) {
    const turn = take(values)
    if (turn === null) started.push(at)
    else void turn.then(() => started.push(at))
  }
  const counts = [started.length]
  while (started.length < lists.length) {
    await nextTurn()
    counts.push(started.length)
  }
  expect(started).toEqual(lists.map((_, at) => at))
  return counts
}

test.each([
  ['8,192 values go at once', Array<number>(64).fill(128), [64]],
  ['no more go at once', Array<number>(65).fill(128), [64, 65]],
  ['each turn may have as many', [4_000, 4_000, 4_000, 4_000, 4_000], [2, 4, 5]],
  ['a longer list has a turn of its own', [1, 20_000, 1, 1], [1, 2, 4]],
  ['a longer list alone waits for none', [20_000], [1]],
  ['a short list does not overtake a long one', [8_000, 200, 1], [1, 3]],
])('%s', async (_, lists, counts) => {
  expect(await startedByTurn(lists)).toEqual(counts)
})

test('a turn without waiting lists leaves nothing behind', async () => {
  const { take } = createTurns()
  for (let turn = 0; turn < 5; turn++) {
    expect(take(8_192)).toBe(null)
    expect(take(1)).not.toBe(null)
    await nextTurn()
    await nextTurn()
  }
})
