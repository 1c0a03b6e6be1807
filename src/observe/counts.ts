// The counts of one process or of several, in the form in which prom-client exchanges metrics.

/** A number for one combination of labels. */
export interface MetricValue {
  /** Only `le`, the bound of a bucket, may be a number. */
  readonly labels: Readonly<Partial<Record<string, string | number>>>
  readonly value: number
  readonly metricName?: string
}

export interface MetricCounts {
  readonly name: string
  readonly help: string
  /** Such as `gauge`; the types of prom-client are wrong about it. */
  readonly type: unknown
  readonly aggregator: string
  readonly values: readonly MetricValue[]
}

export type Counts = readonly MetricCounts[]

/** The counts of all processes, and how many workers respond. */
export interface CountsOfAll {
  readonly counted: readonly Counts[]
  readonly wanted: number
  readonly listening: number
  /** Processes that did not send their counts in time. */
  readonly silent: number
}

/** The values of a metric by its name. */
export type CountsOf = (metric: string) => readonly MetricValue[]

export const countsOf = (counts: Counts): CountsOf => {
  const byName = new Map(counts.map(({ name, values }) => [name, values]))
  return (metric) => byName.get(metric) ?? []
}

export function sumOf(counts: readonly MetricValue[]): number {
  return counts.reduce((sum, { value }) => sum + value, 0)
}
