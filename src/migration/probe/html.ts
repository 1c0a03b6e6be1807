// The report as a page of its own.

import { type Part, stackedBar, verdict } from '../../pages/figures.ts'
import { type Html, html } from '../../pages/html.ts'
import { page, section, timeOf } from '../../pages/page.ts'
import { tableOf } from '../../pages/table.ts'
import { percent } from '../../text.ts'
import { isSame, type ProbeReport } from './report.ts'
import * as words from './words.ts'

export function htmlReport(report: ProbeReport, file: string): string {
  const isAlike = isSame(report)
  const requests: words.Table = {
    title: 'All requests',
    columns: ['request', 'query', 'with imported data', 'with the old service as the store'],
    rows: report.rows.map(({ title, query, imported, over }) => {
      return [title, query, imported?.result ?? 'not compared', over?.result ?? 'not compared']
    }),
  }
  return page(
    'Probe of an old service',
    html`${verdict(isAlike ? 'good' : 'wrong', isAlike ? 'Same' : 'Different', words.headingOf(report))}
<p class="facts">${words.openingOf(report)} Created ${timeOf(report.made)}.</p>`,
    html`${section(
      'Summary',
      html`${barOf(report)}
<ul>${words.summaryOf(report).map((line) => html`<li>${line}</li>\n`)}</ul>`,
    )}
${section(
  'Next steps',
  html`<p>Start the gateway with imported data, or with the old service as the store; then compare the two services:</p>
${codeOf('Commands', words.nextCommandsOf(report, file).join('\n'))}`,
)}
${[...words.tablesOf(report), requests].map(sectionOf)}
${section('The dialect', codeOf('Dialect', words.dialectText(report)))}`,
  )
}

function codeOf(label: string, text: string): Html {
  const lines = text.split('\n').map((line) => html`${line}\n`)
  return html`<pre tabindex="0" aria-label="${label}"><code>${lines}</code></pre>`
}

function sectionOf({ title, columns, rows }: words.Table): Html {
  const name = title.replace(/:$/, '')
  const all = columns.map((column, at) => {
    const cell = (row: readonly string[]) => row[at] ?? ''
    return at === 0 ? { title: column, cell } : { title: column, cell, kind: 'long' as const }
  })
  return section(name, tableOf(name, all, rows))
}

function barOf(report: ProbeReport): Html {
  const { bytes, meaning, different, compared } = words.countsOf(report, 'imported')
  const total = report.rows.length
  const partOf = (fill: Part['fill'], name: string, number: number): Part => {
    const share = number / total
    return { name, fill, share, value: String(number), detail: percent(share) }
  }
  return stackedBar(`${total} requests`, [
    partOf('same', 'same bytes', bytes),
    partOf('alike', 'same meaning', meaning),
    partOf('other', 'different', different),
    ...(compared < total ? [partOf('left', 'no response', total - compared)] : []),
  ])
}
