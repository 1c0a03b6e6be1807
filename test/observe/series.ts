import { parsePrometheus } from './prometheus.ts'

/** One line of /metrics: what it counts, and for whom. */
export interface Series {
  readonly metric: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export function readSeries(text: string): Series[] {
  return [...parsePrometheus(text)].map(([key, value]) => {
    const labels = [...key.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g)]
    return {
      // `x_seconds` for `x_seconds_bucket`.
      metric: key.replace(/\{.*/, '').replace(/_(?:bucket|sum|count)$/, ''),
      labels: Object.fromEntries(labels.map(([, name = '', text = '']) => [name, text])),
      value,
    }
  })
}

/** The labels of each metric, in alphabetical order. */
export function labelsByMetric(series: readonly Series[]): Map<string, string[]> {
  const grouped = Map.groupBy(series, ({ metric }) => metric)
  return new Map(
    [...grouped].map(([metric, all]) => [
      metric,
      [...new Set(all.flatMap(({ labels }) => Object.keys(labels)))].filter((label) => label !== 'le').sort(),
    ]),
  )
}
