import type { Counted } from '../gateway/observe/metrics.ts'

/**
 * Series of a metric that are told apart of the processes that are gone. Clients of GraphQL choose their
 * names, and each process that follows may meet other ones.
 */
const MAX_SERIES = 3000
/** Labels that clients choose, and what they are beyond that. */
const chosen: ReadonlySet<string> = new Set(['client', 'operation'])
const OTHER = 'other'

type Sample = Counted[number]['values'][number]

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
    for (const given of metric.values) {
      const isKept = samples.size < MAX_SERIES || samples.has(keyOf(given))
      const sample = isKept ? given : ofOthers(given)
      const value = (samples.get(keyOf(sample))?.value ?? 0) + sample.value
      samples.set(keyOf(sample), { ...sample, value })
    }
    added.set(metric.name, { ...metric, values: [...samples.values()] })
  }
  return [...added.values()]
}

/** What a process has counted, as it said last of each metric: of some it may say nothing anew. */
export function renewCounts(known: Counted, newer: Counted): Counted {
  return [...new Map([...known, ...newer].map((metric) => [metric.name, metric])).values()]
}

function ofOthers(sample: Sample): Sample {
  const labels = Object.entries(sample.labels).map(([name, value]) => [
    name,
    chosen.has(name) ? OTHER : value,
  ])
  return { ...sample, labels: Object.fromEntries(labels) }
}

function keyOf({ value: _value, ...rest }: Sample): string {
  return JSON.stringify(rest)
}
