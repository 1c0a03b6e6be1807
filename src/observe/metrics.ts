import type { Observation, Surface } from './observation.ts'

/** Upper bounds of the duration buckets, in milliseconds. */
const bounds = [0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 1000]

interface Durations {
  readonly buckets: number[]
  count: number
  /** Milliseconds. */
  sum: number
}

export interface Metrics {
  readonly observe: (observation: Observation) => void
  /** In the Prometheus text format. */
  readonly print: () => string
}

/** Counts observations. Counting is a few additions, because every request pays for it. */
export function createMetrics(): Metrics {
  const requests = new Map<Surface, Map<number, number>>()
  const durations = new Map<Surface, Durations>()
  const queries = new Map<string, { queries: number; values: number }>()
  const failures = { store: 0, unexpected: 0 }

  function observe(observation: Observation): void {
    if (observation.type === 'request')
      countRequest(observation.surface, observation.status, observation.duration)
    else if (observation.type === 'store-query') {
      const counted = entryOf(queries, observation.lookup, () => ({ queries: 0, values: 0 }))
      counted.queries += 1
      counted.values += observation.values
    } else if (observation.type === 'store-failed') failures.store += 1
    else if (observation.type === 'unexpected') failures.unexpected += 1
  }

  function countRequest(surface: Surface, status: number, duration: number): void {
    const statuses = entryOf(requests, surface, () => new Map<number, number>())
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    const spread = entryOf(durations, surface, () => ({ buckets: bounds.map(() => 0), count: 0, sum: 0 }))
    let bucket = 0
    while (bucket < bounds.length && duration > (bounds[bucket] ?? 0)) bucket++
    if (bucket < bounds.length) spread.buckets[bucket] = (spread.buckets[bucket] ?? 0) + 1
    spread.count += 1
    spread.sum += duration
  }

  function print(): string {
    const lines: string[] = []
    const metric = (name: string, type: string, help: string) =>
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`)
    metric('lookup_requests_total', 'counter', 'Requests answered.')
    for (const [surface, statuses] of requests) {
      for (const [status, count] of statuses) {
        lines.push(`lookup_requests_total{surface="${surface}",status="${status}"} ${count}`)
      }
    }
    metric('lookup_request_duration_seconds', 'histogram', 'Time from the request to the end of its answer.')
    for (const [surface, { buckets, count, sum }] of durations) {
      const name = `lookup_request_duration_seconds`
      let below = 0
      for (const [index, bound] of bounds.entries()) {
        below += buckets[index] ?? 0
        lines.push(`${name}_bucket{surface="${surface}",le="${bound / 1000}"} ${below}`)
      }
      lines.push(`${name}_bucket{surface="${surface}",le="+Inf"} ${count}`)
      lines.push(
        `${name}_sum{surface="${surface}"} ${sum / 1000}`,
        `${name}_count{surface="${surface}"} ${count}`,
      )
    }
    metric('lookup_store_queries_total', 'counter', 'Queries sent to the store.')
    for (const [lookup, counted] of queries) {
      lines.push(`lookup_store_queries_total{lookup="${lookup}"} ${counted.queries}`)
    }
    metric('lookup_store_values_total', 'counter', 'Values those queries looked up.')
    for (const [lookup, counted] of queries) {
      lines.push(`lookup_store_values_total{lookup="${lookup}"} ${counted.values}`)
    }
    metric('lookup_store_failures_total', 'counter', 'Queries the store could not answer.')
    lines.push(`lookup_store_failures_total ${failures.store}`)
    metric('lookup_unexpected_errors_total', 'counter', 'Errors nobody foresaw; each has a line in the log.')
    lines.push(`lookup_unexpected_errors_total ${failures.unexpected}`)
    metric('process_resident_memory_bytes', 'gauge', 'Resident memory of this process.')
    lines.push(`process_resident_memory_bytes ${process.memoryUsage.rss()}`)
    return `${lines.join('\n')}\n`
  }

  return { observe, print }
}

/** Adds up what several processes have counted. */
export function sumMetrics(texts: readonly string[]): string {
  const sums = new Map<string, number | null>()
  for (const line of texts.flatMap((text) => text.split('\n'))) {
    if (line === '') continue
    const space = line.lastIndexOf(' ')
    const series = line.slice(0, space)
    if (line.startsWith('#')) sums.set(line, null)
    else sums.set(series, (sums.get(series) ?? 0) + Number(line.slice(space + 1)))
  }
  return [...sums].map(([series, sum]) => `${sum === null ? series : `${series} ${sum}`}\n`).join('')
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
