import { html } from '../../pages/html.ts'
import { page, section } from '../../pages/page.ts'
import { tableOf } from '../../pages/table.ts'
import type { ProbeReport } from './report.ts'
import {
  clientNames,
  clients,
  headingOf,
  isAlike,
  meaningsTitle,
  nothingLeft,
  openingOf,
  remarksOf,
  sectionsOf,
  stateOf,
} from './words.ts'

/** The report as a page of its own. */
export function htmlReport(report: ProbeReport): string {
  const sections = sectionsOf(report)
  const settings = Object.entries(report.advice).map(([name, value]) => `${name}=${value}\n`)
  return page(
    'Probe of an old service',
    html`<p class="verdict ${report.promise === 'alike' ? 'good' : ''}">${headingOf(report)}</p>
<pre><code>${settings.map((line) => html`${line.trimEnd()}\n`)}</code></pre>
<p>${openingOf(report)} Made ${report.made}.</p>
<ul>${remarksOf(report).map((remark) => html`<li>${remark}</li>\n`)}</ul>
${report.rows.every(isAlike) ? html`<p>${nothingLeft}</p>` : ''}`,
    html`${sections.map(({ title, items }) =>
      section(
        title,
        tableOf(
          [
            { title: 'behaviour', cell: ([name]) => name },
            { title: 'difference', cell: ([, line]) => html`<code>${line}</code>` },
          ],
          items,
        ),
      ),
    )}
${
  report.meanings.length === 0
    ? ''
    : section(
        meaningsTitle,
        tableOf(
          [
            { title: 'difference', cell: ({ what }) => what },
            ...clientNames.map((name) => ({
              title: clients[name],
              cell: (one: (typeof report.meanings)[number]) => one[name],
            })),
          ],
          report.meanings,
        ),
      )
}
${section(
  'What was looked at',
  tableOf(
    [
      { title: 'behaviour', cell: ({ name }) => name },
      { title: 'old service', cell: ({ old }) => html`<code>${old ?? ''}</code>` },
      {
        title: 'gateway as set',
        cell: ({ old, set }) => html`<code>${old === set ? '' : (set ?? '')}</code>`,
      },
      { title: '', cell: (row) => stateOf(row) },
    ],
    report.rows,
  ),
)}`,
  )
}
