// What processes have counted.

/** A number for one combination of labels. */
export interface Count {
  /** Only `le`, the bound of a bucket, may be a number. */
  readonly labels: Readonly<Partial<Record<string, string | number>>>
  readonly value: number
  readonly metricName?: string
}

/** A metric of one process or of several, as prom-client has it in JSON. */
export interface MetricCounts {
  readonly name: string
  readonly help: string
  /** Such as `gauge`; the types of prom-client are wrong about it. */
  readonly type: unknown
  readonly aggregator: string
  readonly values: readonly Count[]
}

export type Counts = readonly MetricCounts[]

/** The values of a metric by its name. */
export type CountsOf = (metric: string) => readonly Count[]

export const countsOf = (counts: Counts): CountsOf => {
  const byName = new Map(counts.map(({ name, values }) => [name, values]))
  return (metric) => byName.get(metric) ?? []
}

export function sumOf(counts: readonly Count[]): number {
  return counts.reduce((sum, { value }) => sum + value, 0)
}
