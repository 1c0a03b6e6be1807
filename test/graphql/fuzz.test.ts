// GraphQL requests nobody would send, to a gateway on a socket. SEED repeats a run.

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../support/gateway.ts'
import { ask, type Params } from './client.ts'
import { anyRequest } from './generator.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)
const BATCH = 25
const stack = /\n\s+at |\\n\s+at |node_modules|node:internal|\.[jt]s:\d|sqlite/i
let answered = 0

async function expectNoFault(params: Params): Promise<void> {
  const started = performance.now()
  const { status, text, data, errors } = await ask(gateway, params)
  const took = performance.now() - started
  const context = `${JSON.stringify(params)}\n${text}`
  expect(status, context).toBeLessThan(500)
  expect(took, context).toBeLessThan(1000)
  expect(text, context).not.toMatch(stack)
  // An answer has data, or says why not.
  if (data == null) expect(errors?.length, context).toBeGreaterThan(0)
  else answered++
}

test(`5,000 requests (SEED=${seed})`, async () => {
  const batches = fc.array(anyRequest, { minLength: BATCH, maxLength: BATCH })
  const property = fc.asyncProperty(batches, async (requests) => {
    await Promise.all(requests.map(expectNoFault))
  })
  await fc.assert(property, { numRuns: 5000 / BATCH, seed })
  expect(gateway.observations.filter(({ type }) => type === 'unexpected')).toEqual([])
  // Otherwise the generator would only make what is refused at the door.
  expect(answered).toBeGreaterThan(500)
}, 60_000)
