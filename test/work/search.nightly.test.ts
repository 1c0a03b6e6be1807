// Promise 10: no request costs more than 50 ms of processor time, whatever it holds. Generators look for one
// that does; the worst that each has found is kept, and asked again first.

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { note } from '../kit/figures.ts'
import { type GatewayProcess, startGatewayProcess } from '../kit/gateway-process.ts'
import { seedOf } from '../kit/generate.ts'
import { families, keepWorst, keptOf, NONCE, warmUp } from './families.ts'
import { BOUND_MS, costOf, type Hostile, steadyCostOf } from './meter.ts'

/** Requests of each generator. */
const REQUESTS = 1_500

describe('processor time of a generated request', () => {
  let gateway: GatewayProcess
  const found = new Map<string, Hostile>()
  beforeAll(async () => {
    gateway = await startGatewayProcess()
    for (const hostile of warmUp) await costOf(gateway, hostile)
  })
  afterAll(async () => {
    keepWorst(found)
    expect(await gateway.close()).toBe('')
  })

  test.for(Object.entries(families))('%s', { timeout: 1_800_000 }, async ([family, arbitrary], context) => {
    const seed = seedOf(`work, ${family}`)
    let most = 0
    const property = fc.asyncProperty(arbitrary, async (hostile) => {
      const cost = await steadyCostOf(gateway, hostile)
      if (cost > most) found.set(family, hostile)
      most = Math.max(most, cost)
      if (cost > BOUND_MS) throw new Error(`${cost.toFixed(1)} ms: ${hostile(NONCE).slice(0, 2_000)}`)
    })
    const examples = keptOf(family).map((hostile): [Hostile] => [hostile])
    await fc.assert(property, { seed, numRuns: REQUESTS, examples })
    const what = `processor time of a request, the worst of ${REQUESTS}: ${family}`
    note(context, { promise: 10, what, bound: `≤ ${BOUND_MS} ms`, measured: `${most.toFixed(0)} ms` })
    expect(most).toBeGreaterThan(0)
  })
})
