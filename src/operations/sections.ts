// The sections of the page for operators: from counters to HTML.

import { isOurFault } from '../errors.ts'
import { type Count, type CountsOf, sumOf } from '../observe/counts.ts'
import { barChart } from '../pages/charts.ts'
import { verdict } from '../pages/figures.ts'
import { type Html, html } from '../pages/html.ts'
import { section, timeOf } from '../pages/page.ts'
import { type Column, tableOf } from '../pages/table.ts'
import { capitalised, count, counted } from '../text.ts'
import { adviceOn, metrics } from './advice.ts'
import { type CountsOfAll, growthOf, percentile99, requestsPerSecond, type Sample } from './samples.ts'
import type { Readiness, ServerTimes } from './since.ts'

/** Milliseconds between two samples that make a rate, at least. */
const MIN_INTERVAL_MS = 1_000
/** Milliseconds that the chart shows for latencies beyond the last bound. */
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
export function charts(samples: readonly Sample[]): Html {
  const chart = (title: string, unit: string, measure: (older: Sample, newer: Sample) => number) => {
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

const columnOf = (name: string): Column<Count> => ({ title: name, cell: ({ labels }) => labels[name] ?? '' })

/** Requests by event, format and outcome. GraphQL is an event of its own. */
export function traffic(counts: CountsOf): Html {
  const rows = counts('lookup_requests_total').toSorted((a, b) => b.value - a.value)
  const total: Column<Count> = { title: 'since start', cell: ({ value }) => count(value), number: true }
  const columns = [columnOf('event'), columnOf('format'), columnOf('outcome'), total]
  return section(
    'Traffic',
    rows.length === 0 ? html`<p>No requests yet.</p>` : tableOf('Traffic', columns, rows),
  )
}

/** Failures and what to do. Failures that clients could not have avoided come first. */
export function errors(counts: CountsOf, minuteAgo: Sample | undefined, now: Sample): Html {
  const recent = growthOf(minuteAgo?.requests, now.requests)
  const ofRequests = [...now.requests].map(([what, total]) => {
    return {
      what,
      isOurs: isOurFault(what),
      total,
      recent: count(recent.get(what) ?? 0),
      advice: adviceOn(what),
    }
  })
  const others = Object.entries(metrics).map(([metric, [what, advice]]) => {
    return { what, isOurs: true, total: sumOf(counts(metric)), recent: '', advice }
  })
  const rows = [...ofRequests, ...others]
    .filter(({ what, total }) => total > 0 && what !== 'ok' && what !== 'passed')
    .toSorted((a, b) => Number(b.isOurs) - Number(a.isOurs) || b.total - a.total)
  if (rows.length === 0) return html``
  const columns: readonly Column<(typeof rows)[number]>[] = [
    { title: 'what', cell: ({ what, isOurs }) => (isOurs ? html`<strong>${what}</strong>` : what) },
    { title: 'since start', cell: ({ total }) => count(total), number: true },
    { title: 'last minute', cell: ({ recent }) => recent, number: true },
    { title: 'what to do', cell: ({ advice }) => html`<p class="sentence">${advice}</p>` },
  ]
  return section('Errors', tableOf('Errors', columns, rows))
}

/** Empty for stores without database servers. */
export function servers(counts: CountsOf, times: ServerTimes): Html {
  const rows = counts('lookup_server_up')
  if (rows.length === 0) return html``
  // The metric is the lowest value of all processes. The time is known only if this process sees the same state.
  const state = ({ labels: { server }, value }: Count) => {
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
