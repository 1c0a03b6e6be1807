// Metrics of what happens with each request. Prometheus's client looks up the labels of every observation,
// which costs more than counting it: here numbers are added up, and the client gets them when they are read.

import { Counter, type CounterConfiguration, Histogram, type HistogramConfiguration } from 'prom-client'

type Labels<Name extends string> = Readonly<Record<Name, string>>

/** A counter; and what counts with the same labels again and again. */
export class TalliedCounter<Name extends string> extends Counter<Name> {
  readonly #tallies: { readonly labels: Labels<Name>; count: number }[] = []

  constructor(configuration: CounterConfiguration<Name>) {
    super({
      ...configuration,
      collect: () => {
        for (const tally of this.#tallies) {
          this.inc(tally.labels, tally.count)
          tally.count = 0
        }
      },
    })
  }

  /** To be made once for the same labels. */
  tally(labels: Labels<Name>): () => void {
    const tally = { labels, count: 0 }
    this.#tallies.push(tally)
    return () => {
      tally.count++
    }
  }
}

interface Series<Name extends string> {
  readonly labels: Labels<Name>
  /**
   * Of observations, by the first bound that they do not exceed; the last one is of those beyond all bounds.
   */
  readonly counts: Float64Array
  sum: number
}

/** A histogram whose observations all come through `tally`. */
export class TalliedHistogram<Name extends string> extends Histogram<Name> {
  readonly #name: string
  readonly #bounds: readonly number[]
  readonly #series: Series<Name>[] = []

  constructor(configuration: HistogramConfiguration<Name> & { readonly buckets: number[] }) {
    super(configuration)
    this.#name = configuration.name
    this.#bounds = configuration.buckets
  }

  /** To be made once for the same labels. */
  tally(labels: Labels<Name>): (value: number) => void {
    const bounds = this.#bounds
    const series = { labels, counts: new Float64Array(bounds.length + 1), sum: 0 }
    this.#series.push(series)
    return (value) => {
      let at = 0
      while (at < bounds.length && value > (bounds[at] ?? 0)) at++
      series.counts[at] = (series.counts[at] ?? 0) + 1
      series.sum += value
    }
  }

  override async get(): ReturnType<Histogram<Name>['get']> {
    const empty = await super.get()
    return { ...empty, values: this.#series.flatMap((series) => this.#valuesOf(series)) }
  }

  /** As Prometheus has them: each bucket counts those below it, too. */
  #valuesOf({ labels, counts, sum }: Series<Name>) {
    const metricName = `${this.#name}_bucket`
    let count = 0
    const buckets = [...this.#bounds, '+Inf'].map((le, at) => {
      count += counts[at] ?? 0
      return { labels: { le, ...labels }, value: count, metricName }
    })
    return [
      ...buckets,
      { labels, value: sum, metricName: `${this.#name}_sum` },
      { labels, value: count, metricName: `${this.#name}_count` },
    ]
  }
}
