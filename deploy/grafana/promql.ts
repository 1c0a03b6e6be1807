// Prometheus's own grammar says what an expression is made of.

import { parser } from '@prometheus-io/lezer-promql'

export interface Named {
  readonly metrics: ReadonlySet<string>
  readonly labels: ReadonlySet<string>
}

/**
 * The metrics and labels that an expression names; Grafana's own variables may stand in it.
 * @throws SyntaxError where it is no PromQL
 */
export function namedIn(expression: string): Named {
  const text = expression.replaceAll(/\$__(?:rate_interval|range)/g, '5m')
  const metrics = new Set<string>()
  const labels = new Set<string>()
  parser.parse(text).iterate({
    enter({ type, from, to }) {
      if (type.isError) throw new SyntaxError(`not PromQL from character ${from} on: ${text}`)
      if (type.name === 'Identifier') metrics.add(text.slice(from, to))
      if (type.name === 'LabelName') labels.add(text.slice(from, to))
    },
  })
  return { metrics, labels }
}

/** The metric that a sample belongs to: `x_seconds` for `x_seconds_bucket`. */
export function metricOf(sample: string): string {
  return sample.replace(/_(?:bucket|sum|count)$/, '')
}
