// A report as an HTML page in one file: the verdict, what to do next, then the details.

import { barChart } from '../../pages/charts.ts'
import { figuresOf, stackedBar, verdict } from '../../pages/figures.ts'
import { type Html, html } from '../../pages/html.ts'
import { markedPair } from '../../pages/mark.ts'
import { notice, page, section } from '../../pages/page.ts'
import { inPieces, tableOf } from '../../pages/table.ts'
import { capitalised, counted } from '../../text.ts'
import type { Report, ReportChart, ReportColumn, ReportExample, ReportStep, ReportTable } from './report.ts'

/** Examples that are shown at once, and rows of a table. */
const MAX_EXAMPLES = 50
const MAX_ROWS = 200
/** Days that have a bar each. The chart of a longer time has a bar for each week. */
const MAX_DAYS = 120

/** The generator that a page names: it marks a file as a report. */
export const GENERATOR = 'Lookup Service report'

export function reportPage(report: Report): string {
  const { title, facts, notices, summary, notes = [], chart, examples, tables, text, nextSteps } = report
  return page(
    title,
    html`${verdict(report.verdict.kind, report.verdict.word, report.verdict.sentence)}
${notices.map(notice)}
<dl class="pair facts">${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>\n`)}</dl>`,
    html`${section(
      'Summary',
      html`${'parts' in summary ? stackedBar(summary.title, summary.parts) : figuresOf(summary.figures)}
${notes.length === 0 ? '' : html`<ul>${notes.map((note) => html`<li>${note}</li>\n`)}</ul>`}
${chart === undefined ? '' : chartOf(chart)}`,
    )}
${nextSteps.length === 0 ? '' : section('Next steps', html`<ol>${nextSteps.map(stepOf)}</ol>`)}
${examples === undefined || examples.all.length === 0 ? '' : examplesOf(examples)}
${tables.filter(({ rows }) => rows.length > 0).map(tableSection)}
${text === undefined ? '' : section(text.title, codeOf(text.title, text.text))}`,
    GENERATOR,
  )
}

function chartOf({ units, days, weeks }: ReportChart): Html {
  const [points, name] = days.length > MAX_DAYS ? [weeks, 'week'] : [days, 'day']
  return html`${units.map((unit, at) =>
    barChart({
      title: `${capitalised(unit)} per ${name}`,
      label: name === 'week' ? 'week of' : name,
      unit,
      points: points.map(({ from, counts }) => ({ label: from, value: counts[at] ?? 0 })),
    }),
  )}`
}

function stepOf({ text, command }: ReportStep): Html {
  return html`<li>${text}${command === undefined ? '' : codeOf('Command', command)}</li>\n`
}

function codeOf(label: string, text: string): Html {
  const lines = text.split('\n').map((line) => html`${line}\n`)
  return html`<pre tabindex="0" aria-label="${label}"><code>${lines}</code></pre>`
}

function examplesOf({ title, all }: NonNullable<Report['examples']>): Html {
  return section(
    title,
    inPieces(title, all, MAX_EXAMPLES, (some) => html`${some.map(exampleOf)}`),
  )
}

function exampleOf({ title, share, query, old, new: fresh, hints }: ReportExample): Html {
  return html`<article class="cause"><h3>${title}</h3>
<p><strong>${share}</strong></p>
${hints.map((hint) => html`<p>${hint}</p>\n`)}<code class="query">?${query}</code>${markedPair({ names: ['old', 'new'], old, new: fresh })}</article>
`
}

function tableSection({ title, columns, rows }: ReportTable): Html {
  const cells = columns.map((column, at) => ({
    title: column.title,
    cell: (row: readonly string[]) => cellOf(row[at] ?? '', column),
    ...layoutOf(column),
  }))
  const more = rows.length - MAX_ROWS
  return section(
    title,
    html`${tableOf(title, cells, rows.slice(0, MAX_ROWS))}
${more > 0 ? html`<p>${counted(more, 'more row')}: see <code>--json FILE</code>.</p>` : ''}`,
  )
}

function cellOf(text: string, { kind }: ReportColumn) {
  return kind === 'time' && text !== ''
    ? html`${text.slice(0, 10)}<br><small>${text.slice(11, 16)}</small>`
    : text
}

function layoutOf({ kind }: ReportColumn) {
  if (kind === 'text') return {}
  if (kind === 'number') return { number: true } as const
  return { kind: kind === 'time' ? 'word' : kind } as const
}
