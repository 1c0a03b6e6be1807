import { type Html, html } from '../../pages/html.ts'
import { tableOf } from '../../pages/table.ts'
import { count } from '../../text.ts'
import { latencyText } from '../latency.ts'
import type { Looked } from '../looked.ts'
import { durationsBetween, requestsBetween, secondsBetween } from '../rates.ts'
import { rate } from '../words.ts'
import { MINUTE_MS } from './summary.ts'

interface Row {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** What is asked, and what comes of it. */
export function traffic({ counts, now, samples }: Looked): Html {
  const rows = counts('lookup_requests_total').toSorted((a, b) => b.value - a.value)
  if (rows.length === 0) return html`<p>No requests yet.</p>`
  const minute = samples.before(MINUTE_MS)
  const lately = ({ labels }: Row) =>
    requestsBetween(
      minute,
      now,
      (outcome, event, format) =>
        outcome === labels.outcome && event === labels.event && format === labels.format,
    ) / secondsBetween(minute, now)
  return html`<p>Requests by what they ask for and by outcome: <code>ok</code>, <code>passed</code> (the old service
answered), or an error code.</p>
${tableOf<Row>(
  'Traffic',
  [
    { title: 'event', cell: ({ labels }) => labels.event ?? '' },
    { title: 'format', cell: ({ labels }) => labels.format ?? '' },
    { title: 'outcome', cell: ({ labels }) => labels.outcome ?? '' },
    { title: 'requests', cell: ({ value }) => count(value), number: true },
    { title: 'requests/s, last minute', cell: (row) => rate(lately(row)), number: true },
  ],
  rows,
)}`
}

/** How long requests take. */
export function latency({ now, samples }: Looked): Html | null {
  const keys = [...now.durations.keys()]
  if (keys.length === 0) return null
  const minute = samples.before(MINUTE_MS)
  const start = { ...now, durations: new Map<string, readonly number[]>() }
  const rows = keys.map((key) => {
    const [event = '', format = ''] = key.split(' ')
    const [lately, since] = [minute, start].map((older) => durationsBetween(older, now, key))
    return { event, format, lately: lately ?? [], since: since ?? [] }
  })
  type Latencies = (typeof rows)[number]
  return html`<p>From the headers of a request to the end of its response. Requests are counted in classes, so that each
time is an upper bound: half (p50) or 99 % (p99) of the requests took no longer.</p>
${tableOf<Latencies>(
  'Latency',
  [
    { title: 'event', cell: ({ event }) => event },
    { title: 'format', cell: ({ format }) => format },
    { title: 'p50, last minute', cell: ({ lately }) => latencyText(lately, 0.5), number: true },
    { title: 'p99, last minute', cell: ({ lately }) => latencyText(lately, 0.99), number: true },
    { title: 'p50, since start', cell: ({ since }) => latencyText(since, 0.5), number: true },
    { title: 'p99, since start', cell: ({ since }) => latencyText(since, 0.99), number: true },
  ],
  rows,
)}`
}
