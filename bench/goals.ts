// The figures to reach. What has to be measured follows from them.

import type { ContenderName } from './contenders.ts'
import { type Cell, keyOf, type Sample } from './measure.ts'
import { type Spread, spreadOf } from './statistics.ts'
import type { Timings } from './timings.ts'
import { type WorkloadName, workloads } from './workloads.ts'

export const MILLION = 1_000_000

interface Named {
  readonly id: string
  readonly work: string
  readonly against: string
}

/** How many times as fast one cell is as another, by processor time per request. */
interface Faster extends Named {
  readonly kind: 'faster'
  readonly cell: Cell
  readonly other: Cell
  readonly least: number
}

/** How much more processor time per request one cell takes than another. */
interface Dearer extends Named {
  readonly kind: 'dearer'
  readonly cell: Cell
  readonly other: Cell
  readonly most: number
}

/** The most memory any of some cells takes, in MiB. */
interface Memory extends Named {
  readonly kind: 'memory'
  readonly cells: readonly Cell[]
  readonly most: number
}

/** How many times as long a program runs as another. */
interface Slower extends Named {
  readonly kind: 'slower'
  readonly timing: keyof Timings
  readonly most: number
}

export type Goal = Faster | Dearer | Memory | Slower

const cell = (workload: WorkloadName, contender: ContenderName = 'gateway', users = MILLION): Cell => ({
  workload,
  contender,
  users,
})

function faster(
  id: string,
  workload: WorkloadName,
  other: ContenderName,
  against: string,
  least: number,
): Faster {
  const work = workloads[workload].title
  return { id, kind: 'faster', work, against, cell: cell(workload), other: cell(workload, other), least }
}

const xmlAsJson = (ids: 1 | 100): Faster => ({
  id: 'P2',
  kind: 'faster',
  work: workloads[`xml-${ids}`].title,
  against: 'own JSON',
  cell: cell(`xml-${ids}`),
  other: cell(`json-${ids}`),
  least: 0.9,
})

const sizes = [10_000, MILLION, 10 * MILLION] as const
const grown = ['json-1', 'json-100'] as const

const growth = (workload: WorkloadName, users: number): Faster => ({
  id: 'P6',
  kind: 'faster',
  work: `${workloads[workload].title}, ${users.toLocaleString('en')} users`,
  against: 'itself at 10,000 users',
  cell: cell(workload, 'gateway', users),
  other: cell(workload, 'gateway', sizes[0]),
  least: 0.8,
})

export const goals: readonly Goal[] = [
  faster('P1', 'json-1', 'by-hand-obvious', 'by hand, the obvious way', 1.2),
  faster('P1', 'json-1', 'by-hand-tricks', 'by hand, every trick', 0.9),
  faster('P1', 'json-1', 'fastify', 'Fastify 5', 2),
  faster('P1', 'json-1', 'php', 'nginx + PHP-FPM', 2),
  xmlAsJson(1),
  xmlAsJson(100),
  faster('P2', 'xml-1', 'php', "PHP's SimpleXML", 2),
  faster('P2', 'xml-100', 'php', "PHP's SimpleXML", 2),
  faster('P3', 'json-10', 'by-hand-obvious', 'by hand, the obvious way', 1.1),
  faster('P3', 'json-10', 'by-hand-tricks', 'by hand, every trick', 0.9),
  faster('P3', 'json-100', 'by-hand-obvious', 'by hand, the obvious way', 1.1),
  faster('P3', 'json-100', 'by-hand-tricks', 'by hand, every trick', 0.9),
  faster('P4', 'graphql-1', 'mercurius', 'Mercurius 16 + jit', 1.5),
  faster('P4', 'graphql-100', 'mercurius', 'Mercurius 16 + jit', 1.5),
  faster('P4', 'graphql-1', 'apollo', 'Apollo Server 5', 4.5),
  faster('P4', 'graphql-100', 'apollo', 'Apollo Server 5', 3),
  faster('P4', 'graphql-1', 'yoga', 'Yoga as it comes', 4),
  faster('P4', 'graphql-100', 'yoga', 'Yoga as it comes', 2),
  faster('P5', 'hot', 'bare', 'bare node:http', 0.75),
  ...grown.flatMap((workload) => sizes.slice(1).map((users) => growth(workload, users))),
  {
    id: 'P6',
    kind: 'memory',
    work: 'peak memory, MiB',
    against: 'whatever the number of users',
    cells: grown.flatMap((workload) => sizes.map((users) => cell(workload, 'gateway', users))),
    most: 200,
  },
  {
    id: 'P7',
    kind: 'dearer',
    work: `${workloads['json-1-wide'].title}, 2 workers on 2 cores`,
    against: 'one worker',
    cell: cell('json-1-wide', 'gateway-2'),
    other: cell('json-1-wide'),
    most: 1.1,
  },
  {
    id: 'P8',
    kind: 'slower',
    work: 'import of 1,000,000 users',
    against: 'sqlite3 .import + indexes',
    timing: 'import',
    most: 1.5,
  },
  { id: 'P9', kind: 'slower', work: 'start to first answer', against: 'node -e 0', timing: 'start', most: 3 },
  faster('P10', 'postgres-json-1', 'one-query', 'one query per request', 2),
  faster('P10', 'postgres-json-1', 'php', 'nginx + PHP-FPM', 2),
  faster('P10', 'postgres-graphql-1', 'postgraphile', 'PostGraphile 5', 5),
  {
    ...faster('P10', 'postgres-json-1', 'postgraphile', 'PostGraphile 5', 5),
    // It knows nothing but GraphQL.
    other: cell('postgres-graphql-1', 'postgraphile'),
  },
  {
    id: 'P10',
    kind: 'slower',
    work: 'PostgreSQL: import of 1,000,000 users',
    against: 'psql \\copy',
    timing: 'postgresImport',
    most: 1.5,
  },
]

/** What must not get slower from one commit to the next. */
export const regressions: readonly Goal[] = (
  ['json-1', 'json-100', 'xml-1', 'xml-100', 'graphql-1', 'graphql-100', 'hot'] as const
).map((workload) => ({
  id: 'R',
  kind: 'dearer',
  work: workloads[workload].title,
  against: 'the earlier commit',
  cell: cell(workload),
  other: cell(workload, 'before'),
  most: 1.1,
}))

/** The cells a goal compares. */
export function cellsOf(goal: Goal): readonly Cell[] {
  if (goal.kind === 'memory') return goal.cells
  return goal.kind === 'slower' ? [] : [goal.cell, goal.other]
}

/** Samples by cell, in the order of the rounds; a hole where one failed. */
export type Samples = ReadonlyMap<string, readonly (Sample | null)[]>

export interface Outcome {
  readonly goal: Goal
  /** The ratio, or for memory the MiB; `null` where it could not be measured. */
  readonly figure: Spread | null
  readonly reached: boolean
  /** By how much it was missed; negative where it was reached with room to spare. */
  readonly miss: number
}

/** Compares within each round, so that a slow minute of the machine meets both sides. */
export function judge(goal: Goal, samples: Samples, timings: Timings): Outcome {
  const figures = figuresOf(goal, samples, timings)
  if (figures.length === 0) return { goal, figure: null, reached: false, miss: Number.NaN }
  const figure = spreadOf(figures)
  const miss =
    goal.kind === 'faster'
      ? 1 - figure.median / goal.least
      : (goal.kind === 'memory' ? figure.max : figure.median) / goal.most - 1
  return { goal, figure, reached: miss <= 0, miss }
}

function figuresOf(goal: Goal, samples: Samples, timings: Timings): readonly number[] {
  const of = (cell: Cell) => samples.get(keyOf(cell)) ?? []
  switch (goal.kind) {
    case 'memory':
      return goal.cells.flatMap((cell) => of(cell).flatMap((sample) => sample?.memory ?? []))
    case 'slower':
      return ratios(timings[goal.timing]?.ours ?? [], timings[goal.timing]?.theirs ?? [])
    default: {
      const cpu = (cell: Cell) => of(cell).map((sample) => sample?.cpu ?? null)
      const [ours, others] = [cpu(goal.cell), cpu(goal.other)]
      return goal.kind === 'faster' ? ratios(others, ours) : ratios(ours, others)
    }
  }
}

function ratios(above: readonly (number | null)[], below: readonly (number | null)[]): number[] {
  return above.flatMap((value, round) => {
    const divisor = below[round] ?? null
    return value === null || divisor === null ? [] : value / divisor
  })
}
