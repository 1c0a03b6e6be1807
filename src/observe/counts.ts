// What processes have counted.

/** A metric of one process or of several, as prom-client has it in JSON. */
export interface MetricCounts {
  readonly name: string
  readonly help: string
  /** Such as `gauge`. prom-client declares it otherwise than it is. */
  readonly type: unknown
  readonly aggregator: string
  readonly values: readonly {
    readonly labels: Readonly<Partial<Record<string, string | number>>>
    readonly value: number
    readonly metricName?: string
  }[]
}
export type Counts = readonly MetricCounts[]

/** The values of a metric in all processes together: a number for each combination of labels. */
export type CountsOf = (metric: string) => readonly Count[]

export interface Count {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export function sumOf(counts: readonly Count[]): number {
  return counts.reduce((sum, { value }) => sum + value, 0)
}
