// Promise 10: no request costs more than 50 ms of processor time, whatever it holds. Generators look for one
// that does; the worst that each has found is kept, and asked again first.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { figure, note } from '../kit/figures.ts'
import { type GatewayProcess, startGatewayProcess } from '../kit/gateway-process.ts'
import { seedOf } from '../kit/generate.ts'
import * as graphql from './hostile-graphql.ts'
import * as legacy from './hostile-legacy.ts'
import { BOUND_MS, costOf, type Hostile, steadyCostOf } from './meter.ts'

/** Requests of each generator. */
const REQUESTS = Number(process.env.REQUESTS ?? figure(25, 1_500))
const whatever = (requests: fc.Arbitrary<string>): fc.Arbitrary<Hostile> =>
  requests.map((request) => () => request)
const families: Readonly<Record<string, fc.Arbitrary<Hostile>>> = {
  'lists of names': whatever(legacy.nameLists),
  'query strings': whatever(legacy.queryStrings),
  'lists of ids': whatever(legacy.idLists),
  headers: whatever(legacy.headerFloods),
  chunks: whatever(legacy.chunkedBodies),
  'fragment chains': graphql.fragmentChains,
  'wide selections': graphql.wideSelections,
  repetitions: graphql.repetitions,
  differences: graphql.differences,
  variables: graphql.oddVariables,
  literals: graphql.literals,
  introspection: graphql.introspections,
  bodies: graphql.bodies,
}

const NONCE = 'NONCE'
const file = new URL('./worst.json', import.meta.url)
const kept: Record<string, string> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
/** The worst that a generator has found before. */
function keptOf(family: string): Hostile[] {
  const packed = kept[family]
  if (packed === undefined) return []
  const request = gunzipSync(Buffer.from(packed, 'base64')).toString('latin1')
  return [(nonce) => request.replace(NONCE, nonce.padEnd(NONCE.length).slice(0, NONCE.length))]
}
function keep(family: string, hostile: Hostile): void {
  kept[family] = gzipSync(Buffer.from(hostile(NONCE), 'latin1'), { level: 9 }).toString('base64')
}

let gateway: GatewayProcess
beforeAll(async () => {
  gateway = await startGatewayProcess()
  // What runs for the first time is slow, and says nothing about a request.
  for (const family of Object.values(families))
    for (const hostile of fc.sample(family, { numRuns: 6, seed: 1 })) await costOf(gateway, hostile)
})
afterAll(async () => {
  if (figure(false, true)) writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`)
  expect(await gateway.close()).toBe('')
})

test.for(Object.entries(families))('%s', { timeout: 1_800_000 }, async ([family, arbitrary], context) => {
  const seed = seedOf(`work, ${family}`)
  let worst: { cost: number; hostile: Hostile } = { cost: 0, hostile: () => '' }
  const property = fc.asyncProperty(arbitrary, async (hostile) => {
    const cost = await steadyCostOf(gateway, hostile)
    if (cost > worst.cost) worst = { cost, hostile }
    const shown = `${cost.toFixed(1)} ms: ${hostile(NONCE).slice(0, 2_000)}`
    if (cost > BOUND_MS) throw new Error(shown)
  })
  const examples = keptOf(family).map((hostile): [Hostile] => [hostile])
  await fc.assert(property, { seed, numRuns: REQUESTS, examples })
  keep(family, worst.hostile)
  expect(worst.cost).toBeGreaterThan(0)
  note(context, {
    promise: 10,
    what: `processor time of a request, the worst of ${REQUESTS}: ${family}`,
    bound: `≤ ${BOUND_MS} ms`,
    measured: `${worst.cost.toFixed(0)} ms`,
  })
  if (process.env.SHOW !== undefined) {
    const shown = JSON.stringify(worst.hostile(NONCE).slice(0, 400))
    process.stderr.write(`${family}: ${worst.cost.toFixed(1)} ms: ${shown}\n`)
  }
})
