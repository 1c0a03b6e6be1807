// The table that a run prints.

import { table } from '../src/terminal/table.ts'
import { type Contenders, type Sample, showFigure } from './measure.ts'
import { type Workload, workloads } from './workloads.ts'

/** Writes the median of some figures, the least and the most. */
function show(figures: readonly number[], write: (figure: number) => string): string {
  return `${write(medianOf(figures))} (${write(Math.min(...figures))}-${write(Math.max(...figures))})`
}

export function medianOf(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2
}

/** Groups samples by workload and contender. */
export function rowsOf(samples: readonly Sample[], contenders: Contenders) {
  return Object.keys(workloads).flatMap((workload) => {
    const own = samples.filter((sample) => sample.workload === workload)
    return Object.keys(contenders).flatMap((contender, _, [reference]) => {
      const members = own.filter((sample) => sample.contender === contender)
      // Within each round: the first figure by that of the first contender.
      const ratios = members.flatMap(({ round, figures: [figure = 0] }) => {
        const other = own.find((sample) => sample.round === round && sample.contender === reference)
        return other === undefined ? [] : [figure / (other.figures[0] ?? 0)]
      })
      const columns = members[0]?.figures.map((_, at) =>
        members.map(({ figures }) => figures[at] ?? Number.NaN),
      )
      return columns === undefined ? [] : [{ workload, contender, columns, ratios }]
    })
  })
}

type Rows = ReturnType<typeof rowsOf>

export function print(rows: Rows, titles: readonly string[], contenders: Contenders): string {
  const lines = Object.entries<Workload>(workloads).flatMap(([workload, { title }]) => {
    const own = rows.filter((row) => row.workload === workload)
    const cells = own.map(({ contender, columns, ratios }) => [
      `  ${contenders[contender]?.title}`,
      ...columns.map((figures) => show(figures, showFigure)),
      ratios.length === 0 ? '' : show(ratios, (ratio) => ratio.toFixed(3)),
    ])
    return own.length === 0 ? [] : [[title, ...titles.map(() => ''), ''], ...cells]
  })
  return table([['', ...titles, `x ${Object.values(contenders)[0]?.title}`], ...lines]).join('\n')
}
