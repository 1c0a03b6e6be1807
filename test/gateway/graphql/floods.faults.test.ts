// A stream of queries that are all different neither breaks the gateway nor fills its memory.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { ask, type Params } from './client.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** MiB of live objects, those of this test included. */
function heap(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed / 2 ** 20
}

/** Asks `count` different questions, eight at a time. @returns how often each status was the answer. */
async function flood(count: number, question: (index: number) => Params): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {}
  let next = 0
  async function askOn(): Promise<void> {
    while (next < count) {
      const { status } = await ask(gateway, question(next++))
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: 8 }, askOn))
  gateway.observations.length = 0
  return statuses
}

test('5,000 distinct queries', async () => {
  const question = (index: number) => ({ query: `{ a${index}: users(values: ["1"]) { id username rank } }` })
  // Caches may fill first; what counts is that they stop growing.
  expect(await flood(2500, question)).toEqual({ 200: 2500 })
  const before = heap()
  expect(await flood(2500, (index) => question(index + 2500))).toEqual({ 200: 2500 })
  expect(heap() - before).toBeLessThan(10)
})

test('1,000 distinct queries, each often enough to be compiled', async () => {
  const question = (index: number) => ({
    query: `{ b${index % 1000}: users(values: ["1"]) { id username } }`,
  })
  const before = heap()
  expect(await flood(4000, (index) => question(Math.floor(index / 4)))).toEqual({ 200: 4000 })
  expect(heap() - before).toBeLessThan(60)
})

// Bounds on the number of cached documents alone would let the largest of them fill the memory.
test('distinct queries of 60 KB, valid and not', async () => {
  const padding = '花'.repeat(20_000)
  const before = heap()
  expect(await flood(1100, (index) => ({ query: `{ c${index}: __typename } # ${padding}` }))).toEqual({
    200: 1100,
  })
  expect(await flood(1100, (index) => ({ query: `{ d${index}: __typename # ${padding}` }))).toEqual({
    400: 1100,
  })
  expect(await flood(1100, (index) => ({ query: `{ e${index} # ${padding}\n}` }))).toEqual({ 400: 1100 })
  expect(heap() - before).toBeLessThan(64)
})

// What is made of a text is some hundred times as large, the more so where it has errors or is compiled.
test('distinct queries of as many tokens as may be, valid and not, compiled, and on both ways', async () => {
  const fields = 'id rank banned '.repeat(326)
  // As many fields as are compiled, of as many root fields as these may be.
  const aliases = Array.from({ length: 50 }, (_, index) => `a${index}: users(values: []) { ...f }`)
  const fragment = 'fragment f on User { id username rank }'
  const before = heap()
  expect(await flood(150, (index) => ({ query: `{ users(values: ["f${index}"]) { ${fields} } }` }))).toEqual({
    200: 150,
  })
  expect(await flood(150, (index) => ({ query: `{ g${index} ${'a '.repeat(990)} }` }))).toEqual({ 400: 150 })
  const compiled = (index: number) => ({
    query: `query H${Math.floor(index / 4)} { ${aliases.join(' ')} } ${fragment}`,
  })
  expect(await flood(240, compiled)).toEqual({ 200: 240 })
  expect(heap() - before).toBeLessThan(64)
})
