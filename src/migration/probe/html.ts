// The report as a page of its own.

import { type Part, stackedBar, verdict } from '../../pages/figures.ts'
import { type Html, html } from '../../pages/html.ts'
import { page, section, timeOf } from '../../pages/page.ts'
import { tableOf } from '../../pages/table.ts'
import { percent } from '../../text.ts'
import type { ProbeReport } from './report.ts'
import {
  countsOf,
  headingOf,
  nextCommandsOf,
  openingOf,
  type Section,
  sectionsOf,
  summaryOf,
} from './words.ts'

export function htmlReport(report: ProbeReport, file: string): string {
  const isAlike = countsOf(report, 'imported').different === 0
  const commands = nextCommandsOf(report, file)
  const requests: Section = {
    title: 'All requests',
    columns: ['request', 'query', 'with imported data', 'with the old service as the store'],
    rows: report.rows.map(({ title, query, imported, over }) => {
      return [title, query, imported?.result ?? 'not compared', over?.result ?? 'not compared']
    }),
  }
  return page(
    'Probe of an old service',
    html`${verdict(isAlike ? 'good' : 'wrong', isAlike ? 'Same' : 'Different', headingOf(report))}
<p class="facts">${openingOf(report)} Created ${timeOf(report.made)}.</p>`,
    html`${section(
      'Summary',
      html`${barOf(report)}
<ul>${summaryOf(report).map((line) => html`<li>${line}</li>\n`)}</ul>`,
    )}
${section(
  'Next steps',
  html`<p>Start the gateway with imported data, or with the old service as the store; then compare the two services:</p>
${codeOf('Commands', commands.join('\n'))}`,
)}
${[...sectionsOf(report), requests].map(sectionOf)}
${section('The dialect', codeOf('Dialect', JSON.stringify(report.dialect, null, 2)))}`,
  )
}

function codeOf(label: string, text: string): Html {
  const lines = text.split('\n').map((line) => html`${line}\n`)
  return html`<pre tabindex="0" aria-label="${label}"><code>${lines}</code></pre>`
}

function sectionOf({ title, columns, rows }: Section): Html {
  const name = title.replace(/:$/, '')
  const table = tableOf(
    name,
    columns.map((column, at) => {
      const cell = (row: readonly string[]) => row[at] ?? ''
      return at === 0 ? { title: column, cell } : { title: column, cell, kind: 'long' as const }
    }),
    rows,
  )
  return section(name, table)
}

function barOf(report: ProbeReport): Html {
  const { bytes, meaning, different, compared } = countsOf(report, 'imported')
  const left = report.rows.length - compared
  const kinds = [
    ['same', 'same bytes', bytes],
    ['alike', 'same meaning', meaning],
    ['other', 'different', different],
    ['left', 'no response', left],
  ] as const
  const parts = kinds.flatMap(([fill, name, number]): Part[] => {
    if (number === 0 && fill === 'left') return []
    const share = number / report.rows.length
    return [{ name, fill, share, value: String(number), detail: percent(share) }]
  })
  return stackedBar(`${report.rows.length} requests`, parts)
}
