// Counts that are added up as plain numbers are what Prometheus's own client would have counted.

import fc from 'fast-check'
import { Counter, Histogram, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { printMetrics } from '../../src/observe/metrics.ts'
import { TalliedCounter, TalliedHistogram } from '../../src/observe/tallies.ts'
import { seedOf } from '../kit/generate.ts'

const bounds = [0.25, 1, 2.5]
const about = { name: 'things', help: 'Things.', labelNames: ['name'] } as const
const textOf = async (...registries: readonly Registry[]) => {
  const text = await printMetrics(await Promise.all(registries.map((one) => one.getMetricsAsJSON())))
  return text.split('\n').toSorted()
}

test('histograms and counters, read again and again', async () => {
  const value = fc.oneof(fc.constantFrom(0, ...bounds, 1e9), fc.double({ min: 0, max: 4, noNaN: true }))
  const values = fc.array(fc.tuple(fc.constantFrom('a', 'b'), value), { maxLength: 50 })
  const property = fc.asyncProperty(values, fc.nat(50), async (observed, readAt) => {
    const [own, theirs] = [new Registry(), new Registry()]
    const [ownHistogram, ownCounter] = [
      new TalliedHistogram({ ...about, buckets: bounds, registers: [own] }),
      new TalliedCounter({ ...about, name: 'all', registers: [own] }),
    ]
    const histogram = new Histogram({ ...about, buckets: bounds, registers: [theirs] })
    const counter = new Counter({ ...about, name: 'all', registers: [theirs] })
    const tallies = new Map<string, readonly [(value: number) => void, () => void]>()
    for (const [at, [name, value]] of observed.entries()) {
      const tally = tallies.get(name) ?? [ownHistogram.tally({ name }), ownCounter.tally({ name })]
      tallies.set(name, tally)
      tally[0](value)
      tally[1]()
      histogram.observe({ name }, value)
      counter.inc({ name })
      if (at === readAt) expect(await textOf(own)).toEqual(await textOf(theirs))
    }
    for (let time = 0; time < 2; time++) expect(await textOf(own)).toEqual(await textOf(theirs))
  })
  await fc.assert(property, { numRuns: 100, seed: seedOf('observe/tallies.test.ts') })
})

test('those of several processes are added up', async () => {
  const registries = [1, 2].map((value) => {
    const registry = new Registry()
    new TalliedHistogram({ ...about, buckets: bounds, registers: [registry] }).tally({ name: 'a' })(value)
    new TalliedCounter({ ...about, name: 'all', registers: [registry] }).tally({ name: 'a' })()
    return registry
  })
  expect(await textOf(...registries)).toEqual(
    expect.arrayContaining([
      ...[1, 2, 2].map((count, at) => `things_bucket{le="${['1', '2.5', '+Inf'][at]}",name="a"} ${count}`),
      ...['things_sum{name="a"} 3', 'things_count{name="a"} 2', 'all{name="a"} 2'],
    ]),
  )
})
