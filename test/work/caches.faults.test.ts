// What is kept of a request is its query, never the 64 KiB that it came in.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { requestFor, talking } from '../gateway/http/raw.ts'
import { type GatewayProcess, startGatewayProcess } from '../kit/gateway-process.ts'
import { posted } from './hostile-graphql.ts'
import { residentMemory } from './meter.ts'

let gateway: GatewayProcess
beforeAll(async () => {
  gateway = await startGatewayProcess({})
})
afterAll(() => gateway.close())

const pad = 'x'.repeat(64_000)
const requests: Readonly<Record<string, (nonce: number) => string>> = {
  'a lookup in an absolute target': (nonce) => requestFor(`http://${pad}/?Event=AppLookup&Apps=${nonce}`),
  'a query in a query string': (nonce) => requestFor(`/graphql?query={a${nonce}:__typename}&x=${pad}`),
  'a query in a form': (nonce) =>
    posted(`query={b${nonce}:__typename}&x=${pad}`, 'application/x-www-form-urlencoded'),
  'a query in JSON': (nonce) => posted(`{"query":"{c${nonce}:__typename}","extensions":{"x":"${pad}"}}`),
}
/** Of which each would keep 64 KiB. */
const COUNT = 3_000
const BOUND_MIB = 90

/** Sends each of so many requests twice, over one connection. */
const sendAll = (request: (nonce: number) => string, from: number, count: number) =>
  talking(gateway.url, async ({ write, answer }) => {
    for (let nonce = from; nonce < from + count; nonce++)
      for (let use = 0; use < 2; use++) {
        write(request(nonce))
        expect((await answer()).status).toBe(200)
      }
  })

test.each(Object.entries(requests))('%s', { timeout: 120_000 }, async (_what, request) => {
  await sendAll(request, 1, 300)
  const before = residentMemory(gateway.pid)
  await sendAll(request, 1_000, COUNT)
  expect(residentMemory(gateway.pid) - before).toBeLessThan(BOUND_MIB)
})
