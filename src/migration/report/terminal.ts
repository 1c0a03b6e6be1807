// A report for a terminal: the most frequent rows of each table, in lines of 100 characters.

import { cut, table } from '../../terminal/table.ts'
import { showsUnicode, type Terminal } from '../../terminal/terminal.ts'
import { count, visible } from '../../text.ts'
import type { Report, ReportChart, ReportColumn, ReportExample, ReportStep, ReportTable } from './report.ts'

/** Characters of a line. */
const WIDTH = 100
/** Rows of a table, and examples. */
const MAX_ROWS = 20
/** Days or weeks of a chart, and characters of its longest bar. */
const MAX_PERIODS = 12
const BAR_WIDTH = 20
/** Characters of a hint. */
const MAX_HINT_LENGTH = 3 * WIDTH

/** Ends with the verdict, since the last line is seen first. */
export function printReport(report: Report, terminal: Terminal): string {
  const { verdict, facts, notices, summary, notes = [], chart, examples, tables, text, nextSteps } = report
  const blocks = [
    factLines(facts),
    notices,
    summaryLines(summary),
    notes,
    ...(examples === undefined ? [] : exampleBlocks(examples.title, examples.all)),
    ...tables.filter(({ rows, isPageOnly }) => rows.length > 0 && !isPageOnly).map(tableLines),
    chart === undefined ? [] : chartLines(chart, showsUnicode(terminal) ? '▇' : '#'),
    text === undefined || text.isPageOnly ? [] : [text.title, '', ...text.text.split('\n')],
    nextSteps.length === 0 ? [] : ['Next steps', ...nextSteps.flatMap(stepLines)],
    [verdict.sentence],
  ]
  const lines = blocks.filter((block) => block.length > 0).flatMap((block) => ['', ...block])
  return lines
    .slice(1)
    .map((line) => `${visible(line)}\n`)
    .join('')
}

function factLines(facts: Report['facts']): string[] {
  const width = Math.max(...facts.map(([name]) => name.length))
  return facts.map(([name, value]) => `${name.padEnd(width)}  ${value}`)
}

function summaryLines(summary: Report['summary']): string[] {
  const [title, figures] = 'parts' in summary ? [[summary.title], summary.parts] : [[], summary.figures]
  const rows = figures.map(({ name, value, detail = '' }) => [name, value, detail])
  const [, ...lines] = table([['', '', ''], ...rows], WIDTH)
  return [...title, ...lines]
}

function exampleBlocks(title: string, all: readonly ReportExample[]): string[][] {
  const blocks = all
    .slice(0, MAX_ROWS)
    .map(({ share, title, query, old, new: fresh, hints }) => [
      `${share}: ${cut(title, WIDTH)}`,
      `  ?${cut(query, WIDTH)}`,
      `  old: ${cut(old, WIDTH)}`,
      `  new: ${cut(fresh, WIDTH)}`,
      ...hints.map((hint) => `  ${cut(hint, MAX_HINT_LENGTH)}`),
    ])
  return all.length === 0 ? [] : [[title], ...blocks, moreThan(all.length)]
}

function tableLines({ title, columns, rows, isProse }: ReportTable): string[] {
  if (isProse) return [title, ...rows.map((row) => proseLine(columns, row))]
  const places = [...columns.keys()].filter((at) => !columns[at]?.isPageOnly)
  const shown = rows.slice(0, MAX_ROWS).map((row) => places.map((at) => cellOf(row[at] ?? '', columns[at])))
  const flexible = [...places.keys()].filter((at) => isFlexible(columns[places[at] ?? at]))
  const lines = table([places.map((at) => columns[at]?.title ?? ''), ...shown], WIDTH, flexible)
  return [title, ...lines, ...moreThan(rows.length)]
}

const isFlexible = (column?: ReportColumn) => column?.kind !== 'number' && column?.kind !== 'time'
/** A terminal shows the day of a time. */
const cellOf = (text: string, column?: ReportColumn) => (column?.kind === 'time' ? text.slice(0, 10) : text)

/** `first cell: second column: second cell; third column: third cell` */
function proseLine(columns: readonly ReportColumn[], [first = '', ...cells]: readonly string[]): string {
  const texts = cells.flatMap((cell, at) => (cell === '' ? [] : [`${columns[at + 1]?.title}: ${cell}`]))
  return `  ${first}: ${texts.join('; ')}`
}

function chartLines({ title, units, days, weeks }: ReportChart, block: string): string[] {
  const [all, name] = days.length > MAX_PERIODS ? [weeks, 'week'] : [days, 'day']
  if (all.length === 0) return []
  const shown = all.slice(-MAX_PERIODS)
  const most = Math.max(1, ...shown.map(({ counts }) => counts[0] ?? 0))
  const rows = shown.map(({ from, counts }) => {
    const bar = block.repeat(Math.ceil(((counts[0] ?? 0) / most) * BAR_WIDTH))
    return [from, ...counts.map(count), bar]
  })
  const lines = table([[name === 'week' ? 'week of' : name, ...units, ''], ...rows], WIDTH)
  return [title, ...lines, ...moreThan(all.length, MAX_PERIODS, ` earlier ${name}s`)]
}

function moreThan(all: number, most = MAX_ROWS, what = ''): string[] {
  if (all <= most) return []
  return [`… and ${count(all - most)} more${what}. To see all, add --html FILE or --json FILE.`]
}

function stepLines({ text, command }: ReportStep): string[] {
  return [`  ${text}`, ...(command === undefined ? [] : [`    ${command}`])]
}
