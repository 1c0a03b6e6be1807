// However hostile requests are, they add no label's value to the metrics: each would cost memory for good.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMetrics, printMetrics } from '../../../src/gateway/observe/metrics.ts'
import { startGateway } from '../../kit/gateway.ts'
import { malformed, wellFormed } from '../http/generator.ts'
import { requestFor, talking } from '../http/raw.ts'
import { codeIn, documented } from './documented.ts'
import { readSeries } from './series.ts'

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)
const TIMES = 400
const BATCH = 20

const word = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    'profilelookup',
    'ProfileLookup\0',
    'ok',
    'none',
    ' ',
  ),
)
const named = fc
  .record({
    path: fc.oneof(fc.constantFrom('/', '/graphql'), fc.webPath()),
    names: fc.array(fc.tuple(fc.constantFrom('Event', 'Format', 'event', 'query'), word), { maxLength: 3 }),
    method: fc.oneof(
      fc.constantFrom('GET', 'HEAD', 'POST', 'PROPFIND', 'QUERY'),
      fc.stringMatching(/^[A-Z]{1,9}$/),
    ),
    accept: fc.constantFrom('*/*', 'text/html', 'application/x'),
  })
  .map(({ path, names, method, accept }) =>
    requestFor(`${path}?${new URLSearchParams(names)}`, ['Host: gateway', `Accept: ${accept}`], method),
  )

test(`labels have no other values than docs/metrics.md says (SEED=${seed})`, async () => {
  const gateway = await startGateway()
  const send = (request: string) =>
    talking(gateway.url, async ({ socket, write, ended }) => {
      write(request)
      socket.end()
      await ended(20_000)
    })
  const property = fc.asyncProperty(
    fc.array(fc.oneof(named, wellFormed, malformed), { minLength: BATCH, maxLength: BATCH }),
    async (requests) => {
      await Promise.all(requests.map(send))
    },
  )
  await fc.assert(property, { numRuns: TIMES / BATCH, seed, endOnFailure: true })
  await gateway.close()

  const metrics = createMetrics()
  for (const observation of gateway.observations) metrics.observe(observation)
  const text = await printMetrics([await metrics.read({ inFlight: 0, storeReady: true })])
  const seen = new Map<string, Set<string>>()
  for (const { metric, labels } of readSeries(text)) {
    if (!metric.startsWith('lookup_request')) continue
    for (const [label, value] of Object.entries(labels))
      seen.set(label, (seen.get(label) ?? new Set()).add(value))
  }
  const allowed = new Map(documented('labels').map(([name, all]) => [codeIn(name)[0], codeIn(all)]))
  for (const label of ['event', 'format', 'outcome'])
    for (const value of seen.get(label) ?? []) expect(allowed.get(label), label).toContain(value)
  // Requests of many kinds have been counted.
  expect(seen.get('event')?.size).toBeGreaterThan(2)
  expect(seen.get('outcome')?.size).toBeGreaterThan(5)
}, 60_000)
