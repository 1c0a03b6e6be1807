// A metric has the numbers that prom-client's own counter or histogram would have.

import fc from 'fast-check'
import { Counter, Histogram, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { Metric } from '../../src/observe/metric.ts'
import { printMetrics } from '../../src/observe/metrics.ts'
import { seedOf } from '../kit/generate.ts'

const bounds = [0.25, 1, 2.5]
const things = { name: 'things', help: 'Things.' } as const
const all = { name: 'all', help: 'All.' } as const
const labels = ['name', 'kind'] as const

function createOwn() {
  const histogram = new Metric({ help: things.help, type: 'histogram', labels, bounds })
  const counter = new Metric({ help: all.help, type: 'counter', labels })
  return { histogram, counter, read: () => [histogram.read(things.name), counter.read(all.name)] }
}
const linesOf = (text: string) => text.split('\n').toSorted()

test('histograms and counters, read again and again', async () => {
  const value = fc.oneof(fc.constantFrom(0, ...bounds, 1e9), fc.double({ min: 0, max: 4, noNaN: true }))
  const label = fc.constantFrom('a', 'b', '__proto__')
  const values = fc.array(fc.tuple(label, label, value), { maxLength: 50 })
  const property = fc.asyncProperty(values, fc.nat(50), async (observed, readAt) => {
    const own = createOwn()
    const registry = new Registry()
    const registers = [registry]
    const histogram = new Histogram({ ...things, labelNames: labels, buckets: bounds, registers })
    const counter = new Counter({ ...all, labelNames: labels, registers })
    const expectSame = async () =>
      expect(linesOf(await printMetrics([own.read()]))).toEqual(
        linesOf(await printMetrics([await registry.getMetricsAsJSON()])),
      )
    for (const [at, [name, kind, value]] of observed.entries()) {
      own.histogram.observe(value, name, kind)
      own.counter.add(value, name, kind)
      histogram.observe({ name, kind }, value)
      counter.inc({ name, kind }, value)
      if (at === readAt) await expectSame()
    }
    for (let time = 0; time < 2; time++) await expectSame()
  })
  await fc.assert(property, { numRuns: 100, seed: seedOf('observe/metric.test.ts') })
})

test('those of several processes are added up', async () => {
  const processes = [1, 2].map((value) => {
    const own = createOwn()
    own.histogram.observe(value, 'a', 'b')
    own.counter.add(1, 'a', 'b')
    return own.read()
  })
  expect(linesOf(await printMetrics(processes))).toEqual(
    expect.arrayContaining([
      ...[1, 2, 2].map(
        (count, at) => `things_bucket{le="${['1', '2.5', '+Inf'][at]}",name="a",kind="b"} ${count}`,
      ),
      ...['things_sum{name="a",kind="b"} 3', 'things_count{name="a",kind="b"} 2', 'all{name="a",kind="b"} 2'],
    ]),
  )
})
