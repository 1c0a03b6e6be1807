// The tables.

import { contenders } from './contenders.ts'
import type { Goal, Outcome, Samples } from './goals.ts'
import type { Latency } from './latency.ts'
import { type Cell, keyOf, type Sample } from './measure.ts'
import { startNames, starts } from './starts.ts'
import { type Spread, spreadOf } from './statistics.ts'
import type { Timing, Timings } from './timings.ts'
import { serverKinds, serverTitles, storeOf, workloads } from './workloads.ts'

type Measure = Exclude<keyof Sample, 'disturbance'>

export interface Row extends Readonly<Record<Measure, Spread>> {
  readonly cell: Cell
  readonly title: string
}

const measures = [
  'requestsPerSecond',
  'p50',
  'p99',
  'cpu',
  'databaseCpu',
  'memory',
] as const satisfies Measure[]

/** The spread of each measure of each cell that was measured. */
export function summarize(cells: readonly Cell[], samples: Samples): readonly Row[] {
  return cells.flatMap((cell) => {
    const measured = (samples.get(keyOf(cell)) ?? []).filter((sample) => sample !== null)
    if (measured.length === 0) return []
    const of = (measure: Measure) => spreadOf(measured.map((sample) => sample[measure]))
    const [requestsPerSecond, p50, p99, cpu, databaseCpu, memory] = measures.map(of) as [
      Spread,
      Spread,
      Spread,
      Spread,
      Spread,
      Spread,
    ]
    return { cell, title: titleOf(cell), requestsPerSecond, p50, p99, cpu, databaseCpu, memory }
  })
}

function titleOf({ contender, users }: Cell): string {
  const { title } = contenders[contender]
  return users === 1_000_000 ? title : `${title}, ${users.toLocaleString('en')} users`
}

/**
 * One table for all workloads, in Markdown: median, and in parentheses the least and the most of the rounds.
 */
export function printRows(rows: readonly Row[]): string {
  const header = ['', 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs/request', 'of it the database', 'peak MiB']
  const groups = Map.groupBy(rows, (row) => row.cell.workload)
  const lines = [...groups].flatMap(([workload, members]) => [
    [`**${workloads[workload].title}**`, '', '', '', '', '', ''],
    ...members.map((row) => [
      row.title,
      show(row.requestsPerSecond, 0),
      show(row.p50, 2),
      show(row.p99, 2),
      show(row.cpu, 1),
      storeOf(workload) === 'sqlite' ? '' : show(row.databaseCpu, 1),
      show(row.memory, 0),
    ]),
  ])
  return printTable(header, lines)
}

export function printOutcomes(outcomes: readonly Outcome[]): string {
  const lines = outcomes.map((outcome) => [
    outcome.goal.id,
    outcome.goal.work,
    outcome.goal.against,
    showBound(outcome.goal),
    showFigure(outcome),
    showVerdict(outcome),
  ])
  return printTable(['', 'work', 'against', 'goal', 'measured', ''], lines)
}

/** The same for docs/speed.md: the medians alone, and columns as wide as they come. */
export function printSummary(outcomes: readonly Outcome[]): string {
  const lines = outcomes.map((outcome) => {
    const measured = showFigure(outcome).replace(/ \(.*/, '')
    const verdict = outcome.reached ? measured : `${measured}, ${showVerdict(outcome)}`
    return `| ${outcome.goal.work} | ${outcome.goal.against} | ${showBound(outcome.goal)} | ${verdict} |`
  })
  return ['| work | against | goal | measured |', '|---|---|---|---|', ...lines].join('\n')
}

/** What ran to its end, in seconds. */
export function summarizeTimings(timings: Timings) {
  const pair = (work: string, { ours, theirs }: Pick<Timing, 'ours' | 'theirs'>) => ({
    work,
    ours: spreadOf(ours),
    theirs: spreadOf(theirs),
  })
  const both = (work: string, timing: Timing | undefined) => [
    ...(timing ? [pair(work, timing)] : []),
    ...(timing?.cpu ? [pair('its CPU time, s', timing.cpu)] : []),
  ]
  return [
    ...both('import of 1,000,000 users, s', timings.import),
    ...serverKinds.flatMap((kind) =>
      both(`${serverTitles[kind]}: import of 1,000,000 users, s`, timings[`${kind}Import`]),
    ),
    ...startNames.flatMap((name) => both(`${starts[name].title}, s`, timings[name])),
  ]
}

export function printTimings(timings: Timings): string {
  const lines = summarizeTimings(timings).map(({ work, ours, theirs }) => [
    work,
    show(ours, 3),
    show(theirs, 3),
  ])
  return printTable(['', 'gateway', 'sqlite3, psql, mariadb, node -e 0'], lines)
}

/** Median of the rounds, in milliseconds. */
export function printLatencies(latencies: readonly Latency[]): string {
  const groups = Map.groupBy(latencies, ({ store, title }) => `${store}\n${title}`)
  const lines = [...groups.values()].map((rounds) => {
    const of = (read: (latency: Latency) => number, digits: number) => {
      const { median } = spreadOf(rounds.map(read))
      return median.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
    }
    const [first] = rounds
    const { store = 'sqlite', title = '' } = first ?? {}
    return [
      store === 'sqlite' ? 'SQLite' : serverTitles[store],
      title,
      of(({ rate }) => rate, 0),
      ...(['p50', 'p99', 'p999'] as const).map((name) => of(({ mixed }) => mixed.short[name], 2)),
      of(({ alone }) => alone.short.p99, 2),
      ...(['p50', 'p99', 'p999'] as const).map((name) => of(({ mixed }) => mixed.long[name], 2)),
    ]
  })
  const ofOne = ['p50', 'p99', 'p99.9'].map((name) => `1 id: ${name}`)
  const ofMany = ['p50', 'p99', 'p99.9'].map((name) => `100 ids: ${name}`)
  return printTable(['', '', 'requests/s', ...ofOne, 'p99 alone', ...ofMany], lines)
}

function showBound(goal: Goal): string {
  if (goal.kind === 'faster') return `≥ ${goal.least} ×`
  return goal.kind === 'memory' ? `≤ ${goal.most}` : `≤ ${goal.most} ×`
}

function showFigure({ goal, figure }: Outcome): string {
  if (figure === null) return '–'
  return goal.kind === 'memory'
    ? show({ ...figure, median: figure.max }, 0)
    : show(figure, 2).replace(/^\S+/, '$& ×')
}

function showVerdict({ figure, reached, miss }: Outcome): string {
  if (figure === null) return 'not measured'
  return reached ? 'ok' : `missed by ${Math.max(1, Math.round(miss * 100))} %`
}

function show({ median, min, max }: Spread, digits: number): string {
  const [middle, low, high] = [median, min, max].map((value) =>
    value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  )
  return min === max ? `${middle}` : `${middle} (${low}–${high})`
}

function printTable(header: readonly string[], lines: readonly (readonly string[])[]): string {
  const widths = header.map((title, column) =>
    Math.max(3, title.length, ...lines.map((line) => (line[column] ?? '').length)),
  )
  const pad = (line: readonly string[]) =>
    `| ${line.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`
  return [pad(header), rule, ...lines.map(pad)].join('\n')
}
