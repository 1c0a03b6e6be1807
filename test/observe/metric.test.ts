// A metric has the numbers that prom-client's own counter or histogram would have.

import { expect, test } from 'vitest'
import { Metric } from '../../src/observe/metric.ts'
import { printMetrics } from '../../src/observe/metrics.ts'

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
