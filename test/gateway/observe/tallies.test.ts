// What is added up in numbers is what Prometheus's own client would have counted.

import fc from 'fast-check'
import { Counter, Histogram, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { printMetrics } from '../../../src/gateway/observe/metrics.ts'
import { TalliedCounter, TalliedHistogram } from '../../../src/gateway/observe/tallies.ts'

const names = ['a', 'b'] as const
const bounds = [0.25, 1, 2.5]
const about = { name: 'things', help: 'Things.', labelNames: ['name'] } as const

const text = async (registry: Registry) => printMetrics([await registry.getMetricsAsJSON()])
const sorted = (metrics: string) => metrics.split('\n').toSorted()

/** Names, and values on the bounds, between them and beyond. */
const observations = fc.array(
  fc.tuple(
    fc.constantFrom(...names),
    fc.oneof(fc.constantFrom(0, ...bounds, 1e9), fc.double({ min: 0, max: 4, noNaN: true })),
  ),
  { maxLength: 50 },
)

test('a histogram', async () => {
  const check = async (observed: [name: 'a' | 'b', value: number][]) => {
    const [own, theirs] = [new Registry(), new Registry()]
    const tallied = new TalliedHistogram({ ...about, buckets: bounds, registers: [own] })
    const plain = new Histogram({ ...about, buckets: [...bounds], registers: [theirs] })
    const tallies = new Map<string, (value: number) => void>()
    for (const [name, value] of observed) {
      if (!tallies.has(name)) tallies.set(name, tallied.tally({ name }))
      tallies.get(name)?.(value)
      plain.observe({ name }, value)
    }
    expect(sorted(await text(own))).toEqual(sorted(await text(theirs)))
    // Reading changes nothing.
    expect(sorted(await text(own))).toEqual(sorted(await text(theirs)))
  }
  await fc.assert(fc.asyncProperty(observations, check), { numRuns: 200 })
})

test('a counter, read again and again', async () => {
  const [own, theirs] = [new Registry(), new Registry()]
  const tallied = new TalliedCounter({ ...about, registers: [own] })
  const plain = new Counter({ ...about, registers: [theirs] })
  const count = { a: tallied.tally({ name: 'a' }), b: tallied.tally({ name: 'b' }) }
  for (let turn = 0; turn < 20; turn++) {
    const name = names[turn % 3 === 0 ? 0 : 1] ?? 'a'
    count[name]()
    plain.inc({ name })
    if (turn > 2) expect(sorted(await text(own))).toEqual(sorted(await text(theirs)))
  }
})

test('processes are added up', async () => {
  const counted = await Promise.all(
    [1, 2].map(async (value) => {
      const registry = new Registry()
      new TalliedHistogram({ ...about, buckets: bounds, registers: [registry] }).tally({ name: 'a' })(value)
      new TalliedCounter({ ...about, name: 'all', registers: [registry] }).tally({ name: 'a' })()
      return registry.getMetricsAsJSON()
    }),
  )
  const lines = (await printMetrics(counted)).split('\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      'things_bucket{le="1",name="a"} 1',
      'things_bucket{le="2.5",name="a"} 2',
      'things_bucket{le="+Inf",name="a"} 2',
      'things_sum{name="a"} 3',
      'things_count{name="a"} 2',
      'all{name="a"} 2',
    ]),
  )
})
