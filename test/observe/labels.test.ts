// Hostile requests add no label values to the metrics: each would take memory forever.

import fc from 'fast-check'
import { expect } from 'vitest'
import { createMetrics, printMetrics } from '../../src/observe/metrics.ts'
import { malformed, wellFormed } from '../http/generator.ts'
import { requestFor, talking } from '../http/raw.ts'
import { runs, seedOf } from '../kit/generate.ts'
import { inParallel } from '../kit/in-parallel.ts'
import { test } from '../kit/test.ts'
import { codeIn, documented } from './documented.ts'
import { readSeries } from './series.ts'

const special = [
  '__proto__',
  'constructor',
  'toString',
  'profilelookup',
  'ProfileLookup\0',
  'ok',
  'none',
  ' ',
]
const word = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.constantFrom(...special))
const named = fc
  .record({
    path: fc.oneof(fc.constantFrom('/', '/graphql'), fc.webPath()),
    names: fc.array(fc.tuple(fc.constantFrom('Event', 'Format', 'event', 'query'), word), { maxLength: 3 }),
    method: fc.oneof(fc.constantFrom('GET', 'HEAD', 'POST', 'QUERY'), fc.stringMatching(/^[A-Z]{1,9}$/)),
    accept: fc.constantFrom('*/*', 'text/html', 'application/x'),
  })
  .map(({ path, names, method, accept }) =>
    requestFor(`${path}?${new URLSearchParams(names)}`, ['Host: gateway', `Accept: ${accept}`], method),
  )

test('labels have no other values than docs/operate.md says', async ({ gateway }) => {
  const seed = seedOf('observe/labels.test.ts')
  const requests = fc.sample(fc.oneof(named, wellFormed, malformed), { seed, numRuns: runs(200, 2_000) })
  await inParallel(requests, 20, (request) =>
    talking(gateway.url, async ({ socket, write, ended }) => {
      write(request)
      socket.end()
      await ended(20_000)
    }),
  )
  const { observe, read } = createMetrics()
  for (const observation of gateway.observations) observe(observation)
  const text = await printMetrics([await read({ inFlight: 0, storeReady: true })])
  const requestSeries = readSeries(text).filter(({ metric }) => metric.startsWith('lookup_request'))
  const allowed = new Map(documented('labels').map(([name, all]) => [codeIn(name)[0], codeIn(all)]))
  for (const [label, least] of [
    ['event', 3],
    ['format', 2],
    ['outcome', 6],
  ] as const) {
    const seen = new Set(requestSeries.flatMap(({ labels }) => labels[label] ?? []))
    for (const value of seen) expect(allowed.get(label), label).toContain(value)
    expect(seen.size).toBeGreaterThanOrEqual(least)
  }
})
