// A stream of queries that are all different neither breaks the gateway nor fills its memory.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'vitest'
import type { Gateway } from '../kit/gateway.ts'
import { inParallel } from '../kit/in-parallel.ts'
import { test } from '../kit/test.ts'
import { ask } from './client.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** MiB of live objects, those of this test included. */
function heap(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed / 2 ** 20
}

/** Sends `count` different queries, eight at a time. @returns how often each status was the response */
async function flood(
  gateway: Pick<Gateway, 'url' | 'observations'>,
  count: number,
  queryAt: (index: number) => string,
): Promise<Readonly<Record<number, number>>> {
  const statuses: Record<number, number> = {}
  await inParallel(Array.from({ length: count }).keys(), 8, async (index) => {
    const { status } = await ask(gateway, { query: queryAt(index) })
    statuses[status] = (statuses[status] ?? 0) + 1
  })
  gateway.observations.length = 0
  return statuses
}

test('5,000 distinct queries', async ({ gateway }) => {
  const queryAt = (index: number) => `{ a${index}: users(values: ["1"]) { id username rank } }`
  // Caches may fill first; then they must stop growing.
  expect(await flood(gateway, 2500, queryAt)).toEqual({ 200: 2500 })
  const before = heap()
  expect(await flood(gateway, 2500, (index) => queryAt(index + 2500))).toEqual({ 200: 2500 })
  expect(heap() - before).toBeLessThan(10)
})

const padding = '花'.repeat(20_000)
const tokens = 'id rank banned '.repeat(326)
// As many fields as are compiled, of as many root fields as these may be.
const aliases = Array.from({ length: 50 }, (_, index) => `a${index}: users(values: []) { ...f }`).join(' ')

test.for<[name: string, limit: number, ...floods: [count: number, status: number, (at: number) => string][]]>(
  [
    [
      '1,000 distinct queries, each often enough to be compiled',
      60,
      [4000, 200, (at) => `{ b${Math.floor(at / 4)}: users(values: ["1"]) { id username } }`],
    ],
    // A bound on the number of cached documents alone would let the largest of them fill the memory.
    [
      'distinct queries of 60 KB, valid and not',
      64,
      [1100, 200, (at) => `{ c${at}: __typename } # ${padding}`],
      [1100, 400, (at) => `{ d${at}: __typename # ${padding}`],
      [1100, 400, (at) => `{ e${at} # ${padding}\n}`],
    ],
    // A parsed document is some hundred times as large as its text, and larger with errors or compiled.
    [
      'distinct queries of the most tokens, valid and not, and compiled',
      64,
      [150, 200, (at) => `{ users(values: ["f${at}"]) { ${tokens} } }`],
      [150, 400, (at) => `{ g${at} ${'a '.repeat(990)} }`],
      [
        240,
        200,
        (at) => `query H${Math.floor(at / 4)} { ${aliases} } fragment f on User { id username rank }`,
      ],
    ],
  ],
)('%s', async ([, limit, ...floods], { gateway }) => {
  const before = heap()
  for (const [count, status, queryAt] of floods)
    expect(await flood(gateway, count, queryAt)).toEqual({ [status]: count })
  expect(heap() - before).toBeLessThan(limit)
})
