// Renders the sections of the page for operators from the counts of all processes.

import { isOurFault } from '../errors.ts'
import { type CountsOf, type CountsOfAll, type MetricValue, sumOf } from '../observe/counts.ts'
import { barChart } from '../pages/charts.ts'
import { verdict } from '../pages/figures.ts'
import { type Html, html } from '../pages/html.ts'
import { section, timeOf } from '../pages/page.ts'
import { type TableColumn, tableOf } from '../pages/table.ts'
import { capitalised, count, counted } from '../text.ts'
import {
  growthOf,
  type HistorySample,
  percentile99,
  type Readiness,
  requestsPerSecond,
  type ServerTimes,
} from './history.ts'

/** Milliseconds between two samples that make a rate, at least. */
const MIN_INTERVAL_MS = 1_000
/** Milliseconds in the chart for a latency above the last bound. */
const BEYOND_MS = 5_000

/** Whether lookups are answered. @param readiness undefined if the check did not end in time */
export function verdictOn(readiness: Readiness | undefined, empty: string | null, isStandIn: boolean): Html {
  const { reason = 'the database did not respond in time', since } = readiness ?? {}
  const when = since === undefined ? '' : html` In every check since ${timeOf(since)}.`
  if (reason === null && empty !== null)
    return verdict('open', 'Ready', `Lookups are answered, but the database has ${empty}`)
  if (reason === null) return verdict('good', 'Ready', html`Lookups are answered.${when}`)
  return isStandIn
    ? verdict('open', 'Ready', html`${capitalised(reason)}; the old service answers lookups.${when}`)
    : verdict('wrong', 'Not ready', html`${capitalised(reason)}. Legacy and GraphQL lookups fail.${when}`)
}

/** @param database its name, without secrets */
export function facts(
  counts: CountsOf,
  { wanted, listening, silent }: Omit<CountsOfAll, 'counted'>,
  database: string,
): Html {
  const version = counts('lookup_info')[0]?.labels.version ?? 'unknown'
  const late = html`<p class="bad">${counted(silent, 'worker')} did not respond in time. Their last figures are shown.</p>`
  return html`${silent === 0 ? '' : late}
<p>Version ${version}, running since ${timeOf(new Date(performance.timeOrigin).toISOString())}.
Processes that answer: ${listening} of ${wanted}. Data: ${database}.</p>`
}

/** @param samples oldest first */
export function charts(samples: readonly HistorySample[]): Html {
  const chart = (
    title: string,
    unit: string,
    measure: (older: HistorySample, newer: HistorySample) => number,
  ) => {
    const points = samples.flatMap((newer, at) => {
      const older = samples[at - 1]
      if (older === undefined || newer.at - older.at < MIN_INTERVAL_MS) return []
      const label = new Date(newer.time).toISOString().slice(11, 19)
      return [{ label, value: Number(measure(older, newer).toPrecision(3)) }]
    })
    return barChart({ title, label: 'UTC', unit, points, withTable: false })
  }
  return section(
    'The last 15 minutes',
    html`<p>One bar for each ten seconds. 99 of 100 requests took no longer than the 99th percentile, which is an upper
bound; ${count(BEYOND_MS)} ms stands for more than 2,500.</p>
<div class="charts">${chart('Requests a second', 'requests/s', requestsPerSecond)}
${chart('99th percentile of the latency', 'ms', (...of) => Math.min(percentile99(...of) * 1000, BEYOND_MS))}</div>`,
  )
}

const columnOf = (name: string): TableColumn<MetricValue> => ({
  title: name,
  cell: ({ labels }) => labels[name] ?? '',
})

/** Requests by event, format and outcome. GraphQL is an event of its own. */
export function traffic(counts: CountsOf): Html {
  const rows = counts('lookup_requests_total').toSorted((a, b) => b.value - a.value)
  const total: TableColumn<MetricValue> = {
    title: 'since start',
    cell: ({ value }) => count(value),
    number: true,
  }
  const columns = [columnOf('event'), columnOf('format'), columnOf('outcome'), total]
  return section(
    'Traffic',
    rows.length === 0 ? html`<p>No requests yet.</p>` : tableOf('Traffic', columns, rows),
  )
}

/** Advice to the operator about requests with an outcome. */
const adviceByOutcome: Readonly<Record<string, string>> = {
  Internal: 'A defect. The log has the stack, on lines of the type "unexpected". Report it.',
  Overloaded: 'The gateway is overloaded. Add WORKERS or gateways, or set RATE_LIMIT.',
  Unavailable: 'The database did not respond. See "store-failed" in the log.',
  CallerLeft: 'Clients closed the connection before the response. Compare their timeouts with the latency.',
  TooManyRequests: 'Clients exceed RATE_LIMIT. Raise it if these are legitimate clients.',
  TooManyValues: 'Clients exceed LEGACY_MAX_VALUES. Compare it with the old service.',
  MalformedRequest: 'Requests that are not HTTP: a port scan, TLS on a plain port, or a broken client.',
  MalformedHost: 'Requests without a valid Host header: scans, or a proxy that rewrites it.',
  NotFound: 'Paths that do not exist. If clients use another path of the old service, set LEGACY_PATHS.',
  DocumentNotTrusted: 'A GraphQL document is not in the manifest. Add it to the file of GRAPHQL_DOCUMENTS.',
  PersistedQueryNotFound: 'No action needed: the client sends the query again with its text.',
}
const otherwise =
  'The client made a mistake; the response says which. If the old service accepts it, run "lookup probe".'

/** The name of a failure without a response, and what to do, by its metric. */
const otherFailures = {
  lookup_workers_lost_total: ['worker lost', 'A worker exited unexpectedly. See "worker-lost" in the log.'],
  lookup_rows_refused_total: ['row refused', 'A value cannot be returned. See "rows-refused" in the log.'],
  lookup_connections_refused_total: ['connection refused', 'Raise MAX_CONNECTIONS, or add gateways.'],
  lookup_slow_clients_cut_total: ['slow client cut', 'Clients read their responses too slowly.'],
  lookup_log_lines_lost_total: ['log line lost', 'Standard error is not read, or its disk is full.'],
} as const

/** Failures and what to do. The gateway's failures come first, then the mistakes of clients. */
export function errors(counts: CountsOf, minuteAgo: HistorySample | undefined, now: HistorySample): Html {
  const recent = growthOf(minuteAgo?.requests, now.requests)
  const ofRequests = [...now.requests].map(([what, total]) => {
    return {
      what,
      isOurs: isOurFault(what),
      total,
      recent: count(recent.get(what) ?? 0),
      advice: adviceByOutcome[what] ?? otherwise,
    }
  })
  const others = Object.entries(otherFailures).map(([metric, [what, advice]]) => {
    return { what, isOurs: true, total: sumOf(counts(metric)), recent: '', advice }
  })
  const rows = [...ofRequests, ...others]
    .filter(({ what, total }) => total > 0 && what !== 'ok' && what !== 'passed')
    .toSorted((a, b) => Number(b.isOurs) - Number(a.isOurs) || b.total - a.total)
  if (rows.length === 0) return html``
  const columns: readonly TableColumn<(typeof rows)[number]>[] = [
    { title: 'what', cell: ({ what, isOurs }) => (isOurs ? html`<strong>${what}</strong>` : what) },
    { title: 'since start', cell: ({ total }) => count(total), number: true },
    { title: 'last minute', cell: ({ recent }) => recent, number: true },
    { title: 'what to do', cell: ({ advice }) => html`<p class="sentence">${advice}</p>` },
  ]
  return section('Errors', tableOf('Errors', columns, rows))
}

/** Empty if the store has no database servers. */
export function servers(counts: CountsOf, times: ServerTimes): Html {
  const rows = counts('lookup_server_up')
  if (rows.length === 0) return html``
  // The metric is the lowest value of all processes. Show the time only if this process sees the same state.
  const state = ({ labels: { server }, value }: MetricValue) => {
    const word = value === 1 ? html`up` : html`<strong>out</strong>`
    const known = times.of(String(server))
    return known?.isUp === (value === 1) ? html`${word} since ${timeOf(known.since)}` : word
  }
  return section(
    'Database servers',
    html`<p>For each server that is out, <code>server-out</code> in the log has the reason and what to do.</p>
${tableOf('Database servers', [columnOf('server'), { title: 'state', cell: state }], rows)}`,
  )
}
