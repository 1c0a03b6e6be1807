// Counts a metric of this process. prom-client's own counters build a key from the labels of each
// observation, which costs more than the rest of the counting.

import type { MetricCounts } from './counts.ts'

export type Aggregator = 'sum' | 'min' | 'max' | 'first'

interface MetricDescription<Names extends readonly string[]> {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly labels: Names
  /** How the values of several processes become one: by default, they are added up. */
  readonly aggregator?: Aggregator
  /** The upper bounds of a histogram's buckets, ascending. */
  readonly bounds?: readonly number[]
}

/** A value for each label. */
type LabelValues<Names extends readonly string[]> = { readonly [At in keyof Names]: string }

/** The numbers for one combination of label values. */
interface MetricSeries {
  readonly labels: Readonly<Record<string, string>>
  sum: number
  /** By the first bound that a value does not exceed; the last count is of values beyond all bounds. */
  readonly counts: Float64Array
}

/** A tree of maps with a level for each label, so that no key is built. */
interface LabelBranch {
  readonly branches: Map<string, LabelBranch>
  series: MetricSeries | null
}

export class Metric<const Names extends readonly string[]> {
  readonly #description: MetricDescription<Names>
  #root: LabelBranch = { branches: new Map(), series: null }
  #all: MetricSeries[] = []

  constructor(description: MetricDescription<Names>) {
    this.#description = description
    // Without labels, the metric exists from the start, so that Prometheus sees the first event as a step
    // from 0.
    if (description.labels.length === 0) this.#seriesOf([])
  }

  add(amount: number, ...values: LabelValues<Names>): void {
    this.#seriesOf(values).sum += amount
  }

  set(value: number, ...values: LabelValues<Names>): void {
    this.#seriesOf(values).sum = value
  }

  /** Counts a value of a histogram. */
  observe(value: number, ...values: LabelValues<Names>): void {
    const series = this.#seriesOf(values)
    const { bounds = [] } = this.#description
    let at = 0
    while (at < bounds.length && value > (bounds[at] ?? 0)) at++
    series.counts[at] = (series.counts[at] ?? 0) + 1
    series.sum += value
  }

  #seriesOf(values: readonly string[]): MetricSeries {
    let branch = this.#root
    for (const value of values) {
      let next = branch.branches.get(value)
      if (next === undefined) {
        next = { branches: new Map(), series: null }
        branch.branches.set(value, next)
      }
      branch = next
    }
    branch.series ??= this.#create(values)
    return branch.series
  }

  #create(values: readonly string[]): MetricSeries {
    const { labels: names, bounds = [] } = this.#description
    const labels = Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']))
    const series = { labels, sum: 0, counts: new Float64Array(bounds.length + 1) }
    this.#all.push(series)
    return series
  }

  clear(): void {
    this.#root = { branches: new Map(), series: null }
    this.#all = []
  }

  /** In the form in which prom-client exchanges metrics between processes. */
  read(name: string): MetricCounts {
    const { help, type, aggregator = 'sum', bounds = [] } = this.#description
    const valuesOf =
      type === 'histogram' ? bucketsOf : ({ labels, sum }: MetricSeries) => [{ labels, value: sum }]
    return {
      name,
      help,
      type,
      aggregator,
      values: this.#all.flatMap((series) => valuesOf(series, name, bounds)),
    }
  }
}

function bucketsOf(
  { labels, sum, counts }: MetricSeries,
  name: string,
  bounds: readonly number[],
): MetricCounts['values'] {
  // In Prometheus, each bucket also counts the values of the buckets below.
  let value = 0
  const buckets = [...bounds, '+Inf'].map((le, at) => {
    value += counts[at] ?? 0
    return { labels: { le, ...labels }, value, metricName: `${name}_bucket` }
  })
  const [total, count] = [`${name}_sum`, `${name}_count`]
  return [...buckets, { labels, value: sum, metricName: total }, { labels, value, metricName: count }]
}
