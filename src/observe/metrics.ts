// What has happened, counted for Prometheus. docs/metrics.md says what each metric is for.

import { eventLoopUtilization } from 'node:perf_hooks'
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import about from '../../package.json' with { type: 'json' }
import { createCutoverMetrics } from './cutover-metrics.ts'
import type { Observation, Observe } from './events.ts'
import { createGraphqlUsage } from './graphql-usage.ts'
import { TalliedCounter, TalliedHistogram } from './tallies.ts'

/** Upper bounds of buckets: of durations in seconds, */
const durationBounds = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]
/** and of values or look-ups. */
const sizes = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000]

/** What a look reads: to list the open files of a process, as a scrape does, may take milliseconds. */
const looked = /^lookup_/

/** What has been counted by one process, as data that another one can add up. */
export type Counts = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** How things are at the moment of a reading. */
export interface Readings {
  readonly inFlight: number
  /** `null` for a look between two scrapes, which must neither wait for the store nor change what they say. */
  readonly storeReady: boolean | null
}

export interface Metrics {
  readonly observe: Observe
  readonly read: (readings: Readings) => Promise<Counts>
}

/** In the Prometheus text format: what several processes have counted, added up. */
export function printMetrics(counted: readonly Counts[]): Promise<string> {
  return AggregatorRegistry.aggregate([...counted]).metrics()
}

/** What several processes have counted, added up. @param names of the metrics that are wanted */
export function addUp(counted: readonly Counts[], names: RegExp): Promise<Counts> {
  const wanted = counted.map((metrics) => metrics.filter(({ name }) => names.test(name)))
  return AggregatorRegistry.aggregate(wanted).getMetricsAsJSON()
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  const requests = new TalliedCounter({
    name: 'lookup_requests_total',
    help: 'Requests, by outcome: ok, passed, or the error code.',
    labelNames: ['event', 'format', 'outcome'],
    registers,
  })
  const durations = new TalliedHistogram({
    name: 'lookup_request_duration_seconds',
    help: 'Time from the headers of a request to the end of its response.',
    labelNames: ['event', 'format'],
    buckets: durationBounds,
    registers,
  })
  const inFlight = new Gauge({
    name: 'lookup_requests_in_flight',
    help: 'Requests in flight.',
    registers,
  })
  const queryDurations = new TalliedHistogram({
    name: 'lookup_store_query_duration_seconds',
    help: 'Duration of store queries, failed ones included.',
    labelNames: ['lookup'],
    buckets: durationBounds,
    registers,
  })
  const batchLookups = new TalliedHistogram({
    name: 'lookup_batch_lookups',
    help: 'Number of lookups merged into one store query.',
    labelNames: ['lookup'],
    buckets: sizes,
    registers,
  })
  const batchValues = new TalliedHistogram({
    name: 'lookup_batch_values',
    help: 'Number of values in one store query.',
    labelNames: ['lookup'],
    buckets: sizes,
    registers,
  })
  const graphqlUsage = createGraphqlUsage(registers)
  const storeFailures = new Counter({
    name: 'lookup_store_failures_total',
    help: 'Store queries that failed after all retries.',
    registers,
  })
  const rowsRefused = new Counter({
    name: 'lookup_rows_refused_total',
    help: 'Rows refused because a value cannot be returned.',
    labelNames: ['relation'],
    registers,
  })
  // There from the start: an alert on a rate sees the first one, too.
  for (const relation of ['users', 'apps']) rowsRefused.inc({ relation }, 0)
  const storeRetries = new Counter({
    name: 'lookup_store_retries_total',
    help: 'Queries that failed on this server and were retried.',
    labelNames: ['server'],
    registers,
  })
  const storeReady = new Gauge({
    name: 'lookup_store_ready',
    help: '1 if a lookup could be answered now, 0 if not.',
    aggregator: 'min',
    registers,
  })
  const serverUp = new Gauge({
    name: 'lookup_server_up',
    help: '1 if lookups are read from this database server, 0 if it is out.',
    labelNames: ['server'],
    aggregator: 'min',
    registers,
  })
  const serverOuts = new Counter({
    name: 'lookup_server_outs_total',
    help: 'Number of times this database server was taken out.',
    labelNames: ['server'],
    registers,
  })
  const workersLost = new Counter({
    name: 'lookup_workers_lost_total',
    help: 'Workers that exited unexpectedly.',
    registers,
  })
  const connectionsRefused = new Counter({
    name: 'lookup_connections_refused_total',
    help: 'Connections closed at once because there were too many (MAX_CONNECTIONS).',
    registers,
  })
  const slowClientsCut = new Counter({
    name: 'lookup_slow_clients_cut_total',
    help: 'Connections closed because the client read its responses too slowly.',
    registers,
  })
  const logLinesLost = new Counter({
    name: 'lookup_log_lines_lost_total',
    help: 'Log lines that were not written: standard error was closed, not read, or on a full disk.',
    registers,
  })
  const shadowed = new Counter({
    name: 'lookup_shadow_comparisons_total',
    help: "Responses compared with the old service's, by result.",
    labelNames: ['result'],
    registers,
  })
  const differences = new Counter({
    name: 'lookup_shadow_differences_total',
    help: "Differences from the old service's responses, by field and kind.",
    labelNames: ['event', 'format', 'field', 'kind'],
    registers,
  })
  const cutover = createCutoverMetrics(registers)
  const unexpected = new Counter({
    name: 'lookup_unexpected_errors_total',
    help: 'Unexpected errors. Each is logged with its stack.',
    registers,
  })
  const utilization = new Gauge({
    name: 'lookup_event_loop_utilization',
    help: 'Event-loop utilization since the previous scrape.',
    aggregator: 'max',
    registers,
  })
  new Gauge({
    name: 'lookup_info',
    help: 'Version of the gateway.',
    labelNames: ['version'],
    aggregator: 'first',
    registers,
  }).set({ version: about.version }, 1)

  const durationOf = remember((event: string, format: string) => durations.tally({ event, format }))
  const request = remember((event: string, format: string, outcome: string) => ({
    count: requests.tally({ event, format, outcome }),
    measure: durationOf(event, format),
  }))
  const query = remember((lookup: string) => ({
    duration: queryDurations.tally({ lookup }),
    lookups: batchLookups.tally({ lookup }),
    values: batchValues.tally({ lookup }),
  }))

  function observe(observation: Observation): void {
    switch (observation.type) {
      case 'request': {
        const { event, format, outcome } = observation.about
        const { count, measure } = request(event, format, outcome)
        count()
        measure(observation.duration / 1000)
        break
      }
      case 'graphql-operation':
        graphqlUsage.count(observation)
        break
      case 'store-query': {
        const { duration, lookups, values } = query(observation.lookup)
        duration(observation.duration / 1000)
        lookups(observation.questions)
        values(observation.values)
        break
      }
      case 'store-failed':
        storeFailures.inc(observation.count)
        break
      case 'rows-refused':
        rowsRefused.inc({ relation: observation.relation }, observation.count)
        break
      case 'store-retried':
        storeRetries.inc({ server: observation.server })
        break
      case 'reloaded':
        serverUp.reset()
        break
      case 'server-known':
        serverOuts.inc({ server: observation.server }, 0)
        serverUp.set({ server: observation.server }, 1)
        break
      case 'server-back':
        serverUp.set({ server: observation.server }, 1)
        break
      case 'server-out':
        serverOuts.inc({ server: observation.server })
        serverUp.set({ server: observation.server }, 0)
        break
      case 'worker-lost':
        workersLost.inc()
        break
      case 'connections-refused':
        connectionsRefused.inc(observation.count)
        break
      case 'slow-clients-cut':
        slowClientsCut.inc(observation.count)
        break
      case 'log-lines-lost':
        logLinesLost.inc(observation.count)
        break
      case 'shadow-compared':
        shadowed.inc({ result: observation.result }, observation.count)
        break
      case 'shadow-difference': {
        const { event, format, field, kind } = observation
        differences.inc({ event, format, field, kind })
        break
      }
      case 'unexpected':
        unexpected.inc()
        break
      default:
        cutover.count(observation)
    }
  }

  let before = eventLoopUtilization()
  async function read(readings: Readings): Promise<Counts> {
    inFlight.set(readings.inFlight)
    graphqlUsage.flush()
    if (readings.storeReady === null) return look()
    const now = eventLoopUtilization()
    utilization.set(eventLoopUtilization(now, before).utilization)
    before = now
    storeReady.set(readings.storeReady ? 1 : 0)
    return registry.getMetricsAsJSON()
  }

  async function look(): Promise<Counts> {
    const own = registry.getMetricsAsArray().filter(({ name }) => looked.test(name))
    const found = await Promise.all(own.map(({ name }) => registry.getSingleMetric(name)?.get()))
    return found.filter((metric) => metric !== undefined)
  }

  return { observe, read }
}

interface Branch<Made> {
  made: Made | undefined
  readonly branches: Map<string, Branch<Made>>
}

/**
 * Makes each thing once for the same labels, of which there are few. Joining them to a key would cost more
 * than counting.
 */
function remember<Labels extends readonly string[], Made>(
  make: (...labels: Labels) => Made,
): (...labels: Labels) => Made {
  const grow = (): Branch<Made> => ({ made: undefined, branches: new Map() })
  const root = grow()
  return (...labels) => {
    let branch = root
    for (const label of labels) {
      let next = branch.branches.get(label)
      if (next === undefined) {
        next = grow()
        branch.branches.set(label, next)
      }
      branch = next
    }
    branch.made ??= make(...labels)
    return branch.made
  }
}
