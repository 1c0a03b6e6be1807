import { count, percent } from '../../text.ts'
import { html, page, tableOf } from '../html.ts'
import { headline, lineCounts, verdictNames } from './labels.ts'
import { explainKind, type ReplayReport, share } from './report.ts'

/** The report as a page of its own. */
export function htmlReport(report: ReplayReport): string {
  const verdicts = verdictNames.map(([name, title]) => ({ title, ...report.tallies[name] }))
  return page(
    'Replay of legacy requests',
    html`<p class="verdict ${report.proven ? 'good' : ''}">${headline(report)}</p>
<p>Old service: <code>${report.old}</code><br>New service: <code>${report.new}</code><br>Log: <code>${report.logs.join(', ')}</code><br>
Begun ${report.started}, reported ${report.made}.<br>${lineCounts(report)}</p>
<h2>What came of it</h2>
${tableOf(
  [
    { title: '', cell: ({ title }) => title },
    { title: 'distinct requests', cell: ({ requests }) => count(requests), number: true },
    {
      title: 'share of the traffic',
      cell: ({ hits }) => percent(share(hits, report.total.hits)),
      number: true,
    },
  ],
  verdicts,
)}
<h2>Differences in meaning, by cause</h2>
${
  report.groups.length === 0
    ? html`<p>None.</p>`
    : tableOf(
        [
          { title: 'share of the traffic', cell: (group) => percent(group.share), number: true },
          { title: 'requests', cell: ({ requests }) => count(requests), number: true },
          { title: 'event', cell: ({ event, method }) => [event, ' ', method] },
          { title: 'format', cell: ({ format }) => format },
          { title: 'field', cell: ({ field }) => field },
          { title: 'what differs', cell: ({ kind }) => explainKind(kind) },
          {
            title: 'example',
            cell: (group) =>
              html`<code>?${group.query}</code><br>old: <code>${group.old}</code><br>new: <code>${group.new}</code>`,
          },
        ],
        report.groups,
      )
}
${
  report.failures.length === 0
    ? ''
    : html`<h2>Not compared, since one did not answer</h2>
${tableOf(
  [
    { title: 'requests', cell: ({ requests }) => count(requests), number: true },
    { title: 'why', cell: ({ reason }) => reason },
  ],
  report.failures,
)}`
}`,
  )
}
