import { type Html, html } from '../../pages/html.ts'
import { page, section } from '../../pages/page.ts'
import { tableOf } from '../../pages/table.ts'
import { count, percent } from '../../text.ts'
import { logPart } from '../access-log/describe.ts'
import { chanceOf, explainIgnored, headline, lineCounts, UNSTEADY, verdictNames } from './labels.ts'
import { explainKind, type ReplayReport, type ReportedNoise, share } from './report.ts'

/** The report as a page of its own. */
export function htmlReport(report: ReplayReport): string {
  const verdicts = verdictNames(report).map(([name, title]) => ({ title, ...report.tallies[name] }))
  return page(
    'Replay of legacy requests',
    html`<p class="verdict ${report.proven ? 'good' : ''}">${headline(report)}</p>
<p>Old service: <code>${report.old}</code><br>New service: <code>${report.new}</code><br>Log: <code>${report.logs.join(', ')}</code><br>
Begun ${report.started}, reported ${report.made}.<br>${lineCounts(report)}</p>`,
    html`${section(
      'What came of it',
      tableOf(
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
      ),
    )}
${section(
  'Differences in meaning, by cause',
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
              html`<code>?${group.query}</code><br>old: <code>${group.old}</code><br>new: <code>${group.new}</code><br>${chanceOf(group, report)}`,
          },
        ],
        report.groups,
      ),
)}
${
  report.ignored.length === 0
    ? ''
    : section(
        'Ignored',
        html`<p>Options: <code>${report.noise}</code></p>
${noiseTable(report.ignored, ['old', 'new'])}`,
      )
}
${
  report.unsteady.length === 0
    ? ''
    : section(
        'Where the old service contradicts itself',
        html`<p>${UNSTEADY}</p>
${noiseTable(report.unsteady, ['first', 'second'])}`,
      )
}
${
  report.failures.length === 0
    ? ''
    : section(
        'Not compared, since one did not answer',
        tableOf(
          [
            { title: 'requests', cell: ({ requests }) => count(requests), number: true },
            { title: 'why', cell: ({ reason }) => reason },
          ],
          report.failures,
        ),
      )
}
${logPart(report.log, report.paths)}`,
  )
}

/** @param examples what the two answers that an example shows are called */
function noiseTable(rows: readonly ReportedNoise[], examples: readonly [string, string]): Html {
  const isUnsteady = rows.some(({ reason }) => reason === 'unsteady')
  return tableOf(
    [
      { title: 'share of the traffic', cell: (row) => percent(row.share), number: true },
      { title: 'requests', cell: ({ requests }) => count(requests), number: true },
      { title: 'event', cell: ({ event }) => event },
      { title: 'field', cell: ({ field }) => field },
      {
        title: isUnsteady ? 'what changes' : 'why',
        cell: (row) => (isUnsteady ? explainKind(row.kind) : explainIgnored(row)),
      },
      {
        title: 'example',
        cell: (row) =>
          html`<code>?${row.query}</code><br>${examples[0]}: <code>${row.old}</code><br>${examples[1]}: <code>${row.new}</code>`,
      },
    ],
    rows,
  )
}
