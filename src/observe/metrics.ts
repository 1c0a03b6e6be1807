// The metrics for Prometheus: their table, and what each event counts. docs/operate.md promises their names.
// prom-client is loaded after the start, so that neither the start nor the first responses wait for it.

import { eventLoopUtilization } from 'node:perf_hooks'
import about from '../../package.json' with { type: 'json' }
import { lazily } from '../lazily.ts'
import type { Counts } from './counts.ts'
import type { GraphqlUse, Observations, Observe } from './events.ts'
import { type Aggregator, Metric } from './metric.ts'

/** Upper bounds of the buckets for durations in seconds. */
const durationBounds = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]
/** For durations of an old service. */
const slowBounds = [...durationBounds.slice(2), 5, 10]
/** For numbers of values or lookups. */
const sizeBounds = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000]

const loadPrometheus = lazily(() => import('prom-client'))
/** Milliseconds from the start until the metrics of Node are loaded. */
const LOAD_DELAY_MS = 1_000

/** Values at the moment of a reading. */
interface Readings {
  readonly inFlight: number
  /** Whether only small responses are made, because clients do not read theirs. */
  readonly isMemoryFull?: boolean
  /** `null` for the page for operators, whose readings neither wait for the store nor change the scrapes. */
  readonly storeReady: boolean | null
}

export interface Metrics {
  readonly observe: Observe
  readonly read: (readings: Readings) => Promise<Counts>
}

/** Adds up the counts of several processes. @returns the Prometheus text format */
export async function printMetrics(counted: readonly Counts[]): Promise<string> {
  const { AggregatorRegistry } = await loadPrometheus()
  return AggregatorRegistry.aggregate([...counted]).metrics()
}

/** Adds up the counts of several processes. @param names of the metrics in the result */
export async function addUp(counted: readonly Counts[], names: RegExp): Promise<Counts> {
  const { AggregatorRegistry } = await loadPrometheus()
  const wanted = counted.map((metrics) => metrics.filter(({ name }) => names.test(name)))
  return AggregatorRegistry.aggregate(wanted).getMetricsAsJSON()
}

const counter = <const Names extends readonly string[]>(labels: Names, help: string) =>
  new Metric({ type: 'counter', help, labels })
/** @param aggregator how the values of several processes become one */
const gauge = <const Names extends readonly string[]>(aggregator: Aggregator, labels: Names, help: string) =>
  new Metric({ type: 'gauge', help, labels, aggregator })
const histogram = <const Names extends readonly string[]>(
  bounds: readonly number[],
  labels: Names,
  help: string,
) => new Metric({ type: 'histogram', help, labels, bounds })

const createOwn = () => ({
  lookup_requests_total: counter(
    ['event', 'format', 'outcome'],
    'Requests, by outcome: ok, passed, or the error code.',
  ),
  lookup_request_duration_seconds: histogram(
    durationBounds,
    ['event', 'format'],
    'Time from the headers of a request to the end of its response.',
  ),
  lookup_requests_in_flight: gauge('sum', [], 'Requests in flight.'),
  lookup_store_query_duration_seconds: histogram(
    durationBounds,
    ['lookup'],
    'Duration of store queries, failed ones included.',
  ),
  lookup_batch_lookups: histogram(sizeBounds, ['lookup'], 'Number of lookups merged into one store query.'),
  lookup_batch_values: histogram(sizeBounds, ['lookup'], 'Number of values in one store query.'),
  lookup_graphql_operations_total: counter(
    ['client', 'operation'],
    'GraphQL operations executed, by client.',
  ),
  lookup_graphql_fields_total: counter(
    ['client', 'field'],
    'GraphQL operations executed, by client and selected field.',
  ),
  lookup_store_failures_total: counter([], 'Store queries that failed after all retries.'),
  lookup_rows_refused_total: counter(['relation'], 'Rows refused because a value cannot be returned.'),
  lookup_store_retries_total: counter(['server'], 'Queries that failed on this server and were retried.'),
  lookup_store_ready: gauge('min', [], '1 if a lookup could be answered now, 0 if not.'),
  lookup_server_up: gauge(
    'min',
    ['server'],
    '1 if lookups are read from this database server, 0 if it is out.',
  ),
  lookup_server_outs_total: counter(['server'], 'Number of times this database server was taken out.'),
  lookup_workers_lost_total: counter([], 'Workers that exited unexpectedly.'),
  lookup_connections_refused_total: counter(
    [],
    'Connections closed at once because there were too many (MAX_CONNECTIONS).',
  ),
  lookup_slow_clients_cut_total: counter(
    [],
    'Connections closed because the client read its responses too slowly.',
  ),
  lookup_memory_full: gauge(
    'sum',
    [],
    'Processes that make only small responses, because clients do not read theirs.',
  ),
  lookup_log_lines_lost_total: counter(
    [],
    'Log lines that were not written: standard error was closed, not read, or on a full disk.',
  ),
  lookup_shadow_comparisons_total: counter(
    ['result', 'answered_by'],
    "Responses compared with the other side's, by result and by the side that answered the client.",
  ),
  lookup_shadow_differences_total: counter(
    ['event', 'format', 'field', 'kind', 'answered_by'],
    'Differences between the responses of the two sides, by field and kind.',
  ),
  lookup_cutover_requests_total: counter(
    ['side', 'answered_by'],
    'Legacy requests, by the side of the client and the side that answered.',
  ),
  lookup_cutover_failures_total: counter(['side'], 'Requests that this side could not answer.'),
  lookup_cutover_old_duration_seconds: histogram(
    slowBounds,
    [],
    'Response time of the old service for requests passed to it.',
  ),
  // One process sets the share: the others have 0.
  lookup_cutover_share: gauge(
    'max',
    [],
    'Share of the clients that the gateway answers itself, without the shares of single events; 0 without CUTOVER_URL.',
  ),
  lookup_cutover_turned_back: gauge('max', [], '1 if the guard has set the dial to 0.'),
  lookup_unexpected_errors_total: counter([], 'Unexpected errors. Each is logged with its stack.'),
  lookup_event_loop_utilization: gauge('max', [], 'Event-loop utilization since the previous scrape.'),
  lookup_info: gauge('first', ['version'], 'Version of the gateway.'),
})

export function createMetrics(): Metrics {
  const own = createOwn()
  const loadNodeMetrics = lazily(async () => {
    const { collectDefaultMetrics, Registry } = await loadPrometheus()
    const register = new Registry()
    collectDefaultMetrics({ register })
    return register
  })
  setTimeout(() => void loadNodeMetrics().catch(() => {}), LOAD_DELAY_MS).unref()
  const countGraphql = createGraphqlCounter(
    own.lookup_graphql_operations_total,
    own.lookup_graphql_fields_total,
  )

  own.lookup_info.set(1, about.version)
  // Start these series at 0: otherwise an alert on a rate would not see the first failure.
  for (const relation of ['users', 'apps']) own.lookup_rows_refused_total.add(0, relation)
  for (const side of ['old', 'new']) {
    own.lookup_cutover_failures_total.add(0, side)
    for (const answeredBy of ['old', 'new', 'none'])
      own.lookup_cutover_requests_total.add(0, side, answeredBy)
  }

  /** Counts the events of each kind. Other kinds are only logged. */
  const counts: { readonly [Type in keyof Observations]?: (observation: Observations[Type]) => void } = {
    request: ({ about: { event, format, outcome }, duration }) => {
      own.lookup_requests_total.add(1, event, format, outcome)
      own.lookup_request_duration_seconds.observe(duration / 1000, event, format)
    },
    'graphql-operation': countGraphql,
    'store-query': ({ lookup, questions, values, duration }) => {
      own.lookup_store_query_duration_seconds.observe(duration / 1000, lookup)
      own.lookup_batch_lookups.observe(questions, lookup)
      own.lookup_batch_values.observe(values, lookup)
    },
    'store-failed': ({ count }) => own.lookup_store_failures_total.add(count),
    'rows-refused': ({ relation, count }) => own.lookup_rows_refused_total.add(count, relation),
    'store-retried': ({ server }) => own.lookup_store_retries_total.add(1, server),
    reloaded: () => own.lookup_server_up.clear(),
    'server-known': ({ server }) => {
      own.lookup_server_outs_total.add(0, server)
      own.lookup_server_up.set(1, server)
    },
    'server-back': ({ server }) => own.lookup_server_up.set(1, server),
    'server-out': ({ server }) => {
      own.lookup_server_outs_total.add(1, server)
      own.lookup_server_up.set(0, server)
    },
    'worker-lost': () => own.lookup_workers_lost_total.add(1),
    'connections-refused': ({ count }) => own.lookup_connections_refused_total.add(count),
    'slow-clients-cut': ({ count }) => own.lookup_slow_clients_cut_total.add(count),
    'log-lines-lost': ({ count }) => own.lookup_log_lines_lost_total.add(count),
    'shadow-compared': ({ result, answeredBy, count }) =>
      own.lookup_shadow_comparisons_total.add(count, result, answeredBy),
    'shadow-difference': ({ event, format, field, kind, answeredBy }) =>
      own.lookup_shadow_differences_total.add(1, event, format, field, kind, answeredBy),
    'cutover-answered': ({ side, answeredBy }) => own.lookup_cutover_requests_total.add(1, side, answeredBy),
    'cutover-passed': ({ duration }) => own.lookup_cutover_old_duration_seconds.observe(duration / 1000),
    'cutover-failed': ({ side, count }) => own.lookup_cutover_failures_total.add(count, side),
    'cutover-set': (dial) => {
      own.lookup_cutover_share.set(dial.share)
      own.lookup_cutover_turned_back.set(0)
    },
    'cutover-turned-back': () => {
      own.lookup_cutover_share.set(0)
      own.lookup_cutover_turned_back.set(1)
    },
    unexpected: () => own.lookup_unexpected_errors_total.add(1),
  }
  const count = <Type extends keyof Observations>(type: Type, observation: Observations[Type]) =>
    counts[type]?.(observation)

  let before = eventLoopUtilization()
  async function read(readings: Readings): Promise<Counts> {
    own.lookup_requests_in_flight.set(readings.inFlight)
    own.lookup_memory_full.set(readings.isMemoryFull === true ? 1 : 0)
    const isScrape = readings.storeReady !== null
    if (isScrape) {
      const now = eventLoopUtilization()
      own.lookup_event_loop_utilization.set(eventLoopUtilization(now, before).utilization)
      before = now
      own.lookup_store_ready.set(readings.storeReady ? 1 : 0)
    }
    const counted = Object.entries(own).map(([name, metric]) => metric.read(name))
    // Node's metrics take milliseconds: they list the open files.
    return isScrape ? [...counted, ...(await (await loadNodeMetrics()).getMetricsAsJSON())] : counted
  }

  return { observe: (observation) => count(observation.type, observation), read }
}

/** Clients choose names, and each series takes memory forever. Above these limits, a name is `other`. */
const MAX_CLIENTS = 100
/** Pairs of a client and an operation. */
const MAX_OPERATIONS = 1000
const OTHER = 'other'

type PairMetric = Metric<readonly [string, string]>

/** Counts operations and fields of GraphQL by client. */
function createGraphqlCounter(operations: PairMetric, fields: PairMetric): (use: GraphqlUse) => void {
  const clients = new Map<string, Set<string>>()
  let pairs = 0
  return (use) => {
    const client = clients.has(use.client) || clients.size < MAX_CLIENTS ? use.client : OTHER
    const known = clients.get(client) ?? new Set()
    clients.set(client, known)
    const operation = known.has(use.operation) || pairs < MAX_OPERATIONS ? use.operation : OTHER
    if (!known.has(operation)) pairs++
    known.add(operation)
    operations.add(1, client, operation)
    for (const field of use.fields) fields.add(1, client, field)
  }
}
