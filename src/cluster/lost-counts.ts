import type { Counted } from '../gateway/observe/metrics.ts'

/**
 * Adds what a process counted that is gone: a counter that fell with it would look to Prometheus as if all of
 * it had happened again. What it measured of the moment is gone with it.
 */
export function addCounts(sum: Counted, more: Counted): Counted {
  const added = new Map(sum.map((metric) => [metric.name, metric]))
  for (const metric of more) {
    if (String(metric.type) === 'gauge') continue
    const before = added.get(metric.name)?.values ?? []
    const samples = new Map(before.map((sample) => [keyOf(sample), sample]))
    for (const sample of metric.values) {
      const value = (samples.get(keyOf(sample))?.value ?? 0) + sample.value
      samples.set(keyOf(sample), { ...sample, value })
    }
    added.set(metric.name, { ...metric, values: [...samples.values()] })
  }
  return [...added.values()]
}

function keyOf({ value: _value, ...rest }: Counted[number]['values'][number]): string {
  return JSON.stringify(rest)
}
