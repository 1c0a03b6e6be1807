import { type CountsOf, sumOf } from '../../counts.ts'
import { verdict } from '../../pages/figures.ts'
import { type Html, html } from '../../pages/html.ts'
import { capitalised, count, counted } from '../../text.ts'
import { isFailure, isOurs } from '../advice.ts'
import { latencyText } from '../latency.ts'
import type { Looked } from '../looked.ts'
import { durationsBetween, requestsBetween, secondsBetween } from '../rates.ts'
import { age, rate, shareText } from '../words.ts'

/** Milliseconds: what "now" is about, and what "the last minute" is. */
const NOW_MS = 10_000
export const MINUTE_MS = 60_000

interface Shown {
  /** Why lookups cannot be answered; `null` where they can, `undefined` where that is not known in time. */
  readonly reason: string | null | undefined
  /** Which tables are empty, and what to do, as a sentence; `null` for none. */
  readonly empty: string | null
  readonly isStandIn: boolean
  readonly notes: readonly string[]
  readonly database: string
}

/** The first thing to see: whether all is well. */
export function summary(looked: Looked | undefined, shown: Shown): Html {
  return html`${readiness(shown)}
${shown.notes.map((note) => html`<p class="bad">${note}</p>`)}
${looked === undefined ? html`<p class="bad">No figures: the processes did not respond in time.</p>` : figuresOf(looked, shown)}`
}

function readiness({ reason, empty, isStandIn }: Shown): Html {
  if (reason === null && empty !== null)
    return verdict('open', 'Ready', `Lookups are answered, but the database has ${empty}`)
  if (reason === null) return verdict('good', 'Ready', 'Lookups are answered.')
  const why = reason === undefined ? 'the database did not respond in time' : reason
  if (isStandIn) return verdict('open', 'Ready', `${capitalised(why)}; the old service answers lookups.`)
  return verdict('wrong', 'Not ready', `${capitalised(why)}. Legacy and GraphQL lookups fail.`)
}

function figuresOf({ now, samples, counts, processes }: Looked, { database }: Shown): Html {
  const recent = samples.before(NOW_MS)
  const minute = samples.before(MINUTE_MS)
  const [all, failed, ours] = [() => true, isFailure, isOurs].map((isMeant) =>
    requestsBetween(minute, now, isMeant),
  )
  const durations = durationsBetween(minute, now)
  const total = (name: string) => sumOf(counts(`lookup_${name}`))
  const overloaded = counts('lookup_requests_total').filter(({ labels }) => labels.outcome === 'Overloaded')
  const perSecond = requestsBetween(recent, now) / secondsBetween(recent, now)
  const cpu = (now.cpu - recent.cpu) / secondsBetween(recent, now)
  return html`<dl class="numbers">${[
    ['requests/s now', rate(perSecond)],
    ['requests in flight', count(total('requests_in_flight'))],
    ['median, last minute', latencyText(durations, 0.5)],
    ['p99, last minute', latencyText(durations, 0.99)],
    ['failed on our side, last minute', shareText(ours ?? 0, all ?? 0)],
    ['answered with an error, last minute', shareText(failed ?? 0, all ?? 0)],
    ['refused because of overload, since start', count(sumOf(overloaded))],
    ['connections refused, since start', count(total('connections_refused_total'))],
    ['uptime', age(Date.now() - performance.timeOrigin)],
    ['processes that answer', `${processes.listening} of ${processes.wanted}`],
    ['CPU, of one core', `${Math.round(Math.max(cpu, 0) * 100)} %`],
    ['memory', `${count(Math.round(sumOf(counts('process_resident_memory_bytes')) / 2 ** 20))} MiB`],
  ].map(([name, value]) => html`<div><dt>${name ?? ''}</dt><dd>${value ?? ''}</dd></div>`)}</dl>
${processes.silent === 0 ? '' : html`<p class="bad">${counted(processes.silent, 'worker')} did not respond in time. Their last figures are shown.</p>`}
${troubles(counts)}
<p class="faint">Version ${counts('lookup_info')[0]?.labels.version ?? 'unknown'}. Data: ${database}.</p>`
}

/** What should not have happened, by the metric that counts it. */
const unwanted = {
  lookup_workers_lost_total: 'worker exited unexpectedly',
  lookup_unexpected_errors_total: 'unexpected error',
  lookup_rows_refused_total: 'row refused',
  lookup_slow_clients_cut_total: 'slow client disconnected',
  lookup_log_lines_lost_total: 'log line lost',
}

function troubles(counts: CountsOf): Html {
  const said = Object.entries(unwanted)
    .map(([metric, what]) => [sumOf(counts(metric)), what] as const)
    .filter(([times]) => times > 0)
    .map(([times, what]) => `${what} (${count(times)} ×)`)
  return said.length === 0
    ? html``
    : html`<p>Since the start: ${said.join(', ')}. See the log; <code>docs/log-events.md</code> explains its lines.</p>`
}
