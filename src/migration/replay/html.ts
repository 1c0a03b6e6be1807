// The report of a replay as a page of its own: what came of it, what to do next, and then the details.

import { type Fill, stackedBar, verdict } from '../../pages/figures.ts'
import { type Html, html } from '../../pages/html.ts'
import { markedPair } from '../../pages/mark.ts'
import { page, section, timeOf } from '../../pages/page.ts'
import { inPieces, tableOf } from '../../pages/table.ts'
import { capitalised, count, counted, percent } from '../../text.ts'
import { explainKind } from '../compare/difference.ts'
import { logPart } from '../logs/describe.ts'
import {
  adviceFor,
  assumptionOf,
  chanceOf,
  describeRemedies,
  explainIgnored,
  headline,
  latencyLine,
  lineCounts,
  verdictNames,
} from './labels.ts'
import { type ReplayReport, share } from './report.ts'
import type { Group, Verdict } from './settled.ts'

/** Causes that are shown at once. */
const MAX_CAUSES = 50

export function htmlReport(report: ReplayReport): string {
  const { groups, ignored, failures, log, paths } = report
  return page(
    'Replay of legacy requests',
    html`${verdictOf(report)}
<p class="facts">Old service: <code>${report.old}</code>. New service: <code>${report.new}</code>. Log: <code>${report.logs.join(', ')}</code>.</p>`,
    html`${section('Results', barOf(report))}
${section('Next steps', nextSteps(report))}
${section('Differences in meaning, by cause', groups.length === 0 ? html`<p>None.</p>` : causes(report))}
${ignored.length === 0 ? '' : section(IGNORED, html`<p>Options: <code>${report.noise}</code></p>\n${ignoredTable(ignored)}`)}
${failures.length === 0 ? '' : section(FAILED, failureTable(failures))}
${logPart(log, paths)}`,
  )
}

const IGNORED = 'Ignored differences'
const FAILED = 'Not compared: no response'

function verdictOf(report: ReplayReport): Html {
  const { proven, total, tallies } = report
  if (total.requests === 0) return verdict('open', 'Nothing compared', headline(report))
  if (proven) return verdict('good', 'Same meaning', headline(report))
  const isDifferent = tallies.different.requests > 0
  return verdict(isDifferent ? 'wrong' : 'open', isDifferent ? 'Different' : 'Incomplete', headline(report))
}

const fills: Readonly<Record<Verdict | 'left', Fill>> = {
  bytes: 'same',
  meaning: 'alike',
  ignored: 'ignored',
  different: 'other',
  failed: 'failed',
  left: 'left',
}

function barOf(report: ReplayReport): Html {
  const { tallies, total } = report
  const parts = verdictNames(report).map(([verdict, name]) => {
    const { requests, hits } = tallies[verdict]
    const part = share(hits, total.hits)
    const detail = counted(requests, 'distinct request')
    return { name, share: part, value: percent(part), detail, fill: fills[verdict] }
  })
  return html`${stackedBar('Share of traffic', parts)}
<p>${lineCounts(report)} Started ${timeOf(report.started)}, reported ${timeOf(report.made)}. ${latencyLine(report)}</p>`
}

function nextSteps(report: ReplayReport): Html {
  const { proven, total, tallies, groups } = report
  const steps = [
    groups.length > 0 && html`<p>${adviceFor(report)} ${assumptionOf(report)}</p>`,
    tallies.failed.requests + tallies.left.requests > 0 &&
      html`<p>Run the same command again: it sends the requests that failed or were not sent yet.</p>`,
    total.requests === 0 && html`<p>Set the path of the old service with <code>--path</code>.</p>`,
    proven &&
      html`<p>Compare live requests (<code>SHADOW_URL</code>), then move the clients in steps (<code>CUTOVER_URL</code>).</p>`,
  ].filter((step) => step !== false)
  return html`<ol>${steps.map((step) => html`<li>${step}</li>\n`)}</ol>`
}

function causes(report: ReplayReport): Html {
  return inPieces(
    'Differences',
    report.groups,
    MAX_CAUSES,
    (groups) => html`${groups.map((group) => cause(group, report))}`,
  )
}

function cause(group: ReplayReport['groups'][number], report: ReplayReport): Html {
  const { event, method, format, field } = group
  const remedies = describeRemedies(group)
  return html`<article class="cause"><h3>${[event, method, format, field].filter(Boolean).join(' ')}: ${explainKind(group.kind)}</h3>
<p><strong>${percent(group.share)}</strong> of the traffic, ${counted(group.requests, 'request')}. ${chanceOf(group, report)}</p>
${
  remedies === ''
    ? ''
    : html`<p>${capitalised(remedies)}.</p>
`
}${example(group)}</article>
`
}

const example = ({ query, old, new: fresh }: Pick<Group, 'query' | 'old' | 'new'>) =>
  html`<code class="query">?${query}</code>${markedPair({ names: ['old', 'new'], old, new: fresh })}`

function ignoredTable(rows: ReplayReport['ignored']): Html {
  return tableOf(
    IGNORED,
    [
      { title: 'share of traffic', cell: (row) => percent(row.share), number: true },
      { title: 'requests', cell: ({ requests }) => count(requests), number: true },
      { title: 'event', cell: ({ event }) => event, kind: 'name' },
      { title: 'field', cell: ({ field }) => field, kind: 'name' },
      { title: 'reason', cell: explainIgnored },
      { title: 'example', cell: example, kind: 'long' },
    ],
    rows,
  )
}

function failureTable(failures: ReplayReport['failures']): Html {
  return tableOf(
    FAILED,
    [
      { title: 'requests', cell: ({ requests }) => count(requests), number: true },
      { title: 'reason', cell: ({ reason }) => reason, kind: 'long' },
    ],
    failures,
  )
}
