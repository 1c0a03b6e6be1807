import { type CountsOf, sumOf } from '../../counts.ts'
import { type Html, html } from '../../pages/html.ts'
import { tableOf } from '../../pages/table.ts'
import { count } from '../../text.ts'
import { latencyText } from '../latency.ts'
import type { Looked } from '../looked.ts'
import type { ServerTimes } from '../server-times.ts'
import { age, moment } from '../words.ts'

/** Which database servers are read from, and how queries went. */
export function database({ counts }: Looked, times: ServerTimes): Html {
  return html`${servers(counts, times)}${queries(counts)}`
}

function servers(counts: CountsOf, times: ServerTimes): Html {
  const rows = counts('lookup_server_up').map(({ labels: { server = '' }, value }) => ({ server, value }))
  if (rows.length === 0) return html``
  const of = (name: string, server: string) =>
    count(sumOf(counts(`lookup_server_${name}`).filter(({ labels }) => labels.server === server)))
  const retries = (server: string) =>
    count(sumOf(counts('lookup_store_retries_total').filter(({ labels }) => labels.server === server)))
  type Row = (typeof rows)[number]
  return html`<p>Lookups go to the servers that are up. For each server that is out, <code>server-out</code> in the log has
the reason and what to do.</p>
${tableOf<Row>(
  'Database servers',
  [
    { title: 'server', cell: ({ server }) => server },
    { title: 'state', cell: ({ server, value }) => state(value === 1, times, server) },
    { title: 'times out', cell: ({ server }) => of('outs_total', server), number: true },
    { title: 'queries retried', cell: ({ server }) => retries(server), number: true },
  ],
  rows,
)}`
}

/** The metric is of all processes; when it changed, only this one knows. */
function state(isUp: boolean, times: ServerTimes, server: string): Html {
  const known = times.of(server)
  const word = isUp ? html`up` : html`<strong>out</strong>`
  if (known === undefined) return word
  if (known.isUp !== isUp) return html`${word} for some workers`
  return html`${word} since ${moment(known.since)} (${age(Date.now() - known.since.getTime())})`
}

function queries(counts: CountsOf): Html {
  const buckets = new Map<string, number[]>()
  for (const { labels, value } of counts('lookup_store_query_duration_seconds')) {
    const { lookup = '', le } = labels
    if (le !== undefined) buckets.set(lookup, [...(buckets.get(lookup) ?? []), value])
  }
  const failures = sumOf(counts('lookup_store_failures_total'))
  const failed =
    failures === 0
      ? html`<p>No query has failed since the start.</p>`
      : html`<p class="bad">Queries that failed on every server since the start: ${count(failures)}. See
<code>store-failed</code> in the log.</p>`
  if (buckets.size === 0) return html`${failed}<p>No queries yet.</p>`
  return html`${failed}
${tableOf<readonly [string, readonly number[]]>(
  'Queries',
  [
    { title: 'lookup', cell: ([lookup]) => lookup },
    { title: 'queries, since start', cell: ([, upTo]) => count(upTo.at(-1) ?? 0), number: true },
    { title: 'p50, since start', cell: ([, upTo]) => latencyText(upTo, 0.5), number: true },
    { title: 'p99, since start', cell: ([, upTo]) => latencyText(upTo, 0.99), number: true },
  ],
  [...buckets],
)}`
}
