// The figures to reach. What has to be measured follows from them.

import type { ContenderName } from './contenders.ts'
import { type LatencyStore, latencyStores } from './latency.ts'
import { type Cell, keyOf, type Sample } from './measure.ts'
import { type Spread, spreadOf } from './statistics.ts'
import type { TimingName, Timings } from './timings.ts'
import {
  benchedClients,
  keepingLegacyClients,
  type ServerKind,
  serverTitles,
  type WorkloadName,
  workloads,
} from './workloads.ts'

export const MILLION = 1_000_000

interface Named {
  readonly id: string
  readonly work: string
  readonly against: string
}

interface Pair {
  readonly cell: Cell
  readonly other: Cell
}

/** How many times as fast one cell is as another, by processor time per request. */
interface Faster extends Named {
  readonly kind: 'faster'
  /** The figure is that of the pair in which it is least. */
  readonly pairs: readonly Pair[]
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
  readonly timing: TimingName
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
  return { id, kind: 'faster', work, against, pairs: [pairOf(workload, other)], least }
}

const pairOf = (workload: WorkloadName, other: ContenderName): Pair => ({
  cell: cell(workload),
  other: cell(workload, other),
})

/** By the worst of the clients. */
function fasterForClients(ids: 1 | 100, other: ContenderName, against: string, least: number): Faster {
  const work = `GraphQL, ${ids === 1 ? '1 id' : `${ids} ids`}, the worst of three clients`
  const pairs = benchedClients.map((client) => pairOf(`${client}-${ids}`, other))
  return { id: 'P4', kind: 'faster', work, against, pairs, least }
}

const xmlAsJson = (ids: 1 | 100): Faster => ({
  id: 'P2',
  kind: 'faster',
  work: workloads[`xml-${ids}`].title,
  against: 'own JSON',
  pairs: [{ cell: cell(`xml-${ids}`), other: cell(`json-${ids}`) }],
  least: 0.9,
})

const compressed = (ids: 100 | 1000): Dearer => ({
  id: 'P11',
  kind: 'dearer',
  work: workloads[`graphql-${ids}-gzip`].title,
  against: 'not compressed',
  cell: cell(`graphql-${ids}-gzip`),
  other: cell(`graphql-${ids}`),
  most: 1.5,
})

const importInto = (id: string, kind: ServerKind, against: string): Slower => ({
  id,
  kind: 'slower',
  work: `${serverTitles[kind]}: import of 1,000,000 users`,
  against,
  timing: `${kind}Import`,
  most: 1.5,
})

const overMysql = (kind: 'mariadb' | 'mysql'): readonly Goal[] => [
  faster('P12', `${kind}-json-1`, 'one-query', 'one query per request', 2),
  faster('P12', `${kind}-json-1`, 'by-hand-mysql2', 'by hand with mysql2, one query per request', 2),
  faster('P12', `${kind}-json-1`, 'php', 'nginx + PHP-FPM + mysqli', 2),
  importInto('P12', kind, 'LOAD DATA LOCAL by mariadb'),
]

/** By the worst of the kinds of clients. */
function fasterForLegacyClients(other: ContenderName, against: string, least: number): Faster {
  const work = 'Legacy JSON, 1 id, the worst of three clients'
  const pairs = keepingLegacyClients.map((client) => pairOf(`${client}-1`, other))
  return { id: 'P1', kind: 'faster', work, against, pairs, least }
}

const sizes = [10_000, MILLION, 10 * MILLION] as const
const grown = ['json-1', 'json-100'] as const

/** Against the same work by hand over the same file: what SQLite itself costs more is no part of it. */
const growth = (workload: WorkloadName, users: number, most: number): Dearer => ({
  id: 'P6',
  kind: 'dearer',
  work: `${workloads[workload].title}, ${users.toLocaleString('en')} users`,
  against: 'by hand, every trick, over the same file',
  cell: cell(workload, 'gateway', users),
  other: cell(workload, 'by-hand-tricks', users),
  most,
})

const inPlace = (workload: WorkloadName): Dearer => ({
  id: 'P6',
  kind: 'dearer',
  work: `${workloads[workload].title}, 10,000,000 users, DATABASE_MMAP of 2 GiB`,
  against: 'the default of 48 MiB',
  cell: cell(workload, 'gateway-mmap', 10 * MILLION),
  other: cell(workload, 'gateway', 10 * MILLION),
  most: 0.9,
})

const titleOfStore = (store: LatencyStore) => (store === 'sqlite' ? 'SQLite' : serverTitles[store])

/** Latencies at half of what each can answer. */
const tails = (store: LatencyStore): readonly Slower[] => [
  {
    id: 'P13',
    kind: 'slower',
    work: `${titleOfStore(store)}: p99 of 1 id at half of what nginx + PHP-FPM can answer`,
    against: 'nginx + PHP-FPM',
    timing: `${store}Tail`,
    most: 1,
  },
  {
    id: 'P13',
    kind: 'slower',
    work: `${titleOfStore(store)}: p99 of 1 id beside lists of 100`,
    against: 'without these',
    timing: `${store}Beside`,
    most: 2,
  },
]

export const goals: readonly Goal[] = [
  faster('P1', 'json-1', 'by-hand-obvious', 'by hand, the obvious way', 1.1),
  fasterForLegacyClients('by-hand-obvious', 'by hand, the obvious way', 1.1),
  faster('P1', 'php-1', 'by-hand-obvious', 'by hand, the obvious way', 0.5),
  faster('P1', 'php-1', 'php', 'nginx + PHP-FPM', 0.7),
  faster('P1', 'mix', 'by-hand-obvious', 'by hand, the obvious way', 1.2),
  faster('P1', 'mix', 'php', 'nginx + PHP-FPM', 3),
  faster('P1', 'json-1', 'by-hand-tricks', 'by hand, every trick', 0.9),
  faster('P1', 'json-1', 'fastify', 'Fastify 5', 1.3),
  faster('P1', 'json-1', 'php', 'nginx + PHP-FPM', 2),
  xmlAsJson(1),
  xmlAsJson(100),
  faster('P2', 'xml-1', 'php', "PHP's SimpleXML", 2),
  faster('P2', 'xml-100', 'php', "PHP's SimpleXML", 2),
  faster('P3', 'json-10', 'by-hand-obvious', 'by hand, the obvious way', 1.1),
  faster('P3', 'json-10', 'by-hand-tricks', 'by hand, every trick', 0.9),
  faster('P3', 'json-100', 'by-hand-obvious', 'by hand, the obvious way', 1.1),
  faster('P3', 'json-100', 'by-hand-tricks', 'by hand, every trick', 0.9),
  fasterForClients(1, 'mercurius', 'Mercurius 16 + jit', 1.4),
  fasterForClients(100, 'mercurius', 'Mercurius 16 + jit', 1.2),
  faster('P4', 'apollo-persisted-1', 'mercurius', 'Mercurius 16 + jit', 1.4),
  faster('P4', 'apollo-persisted-100', 'mercurius', 'Mercurius 16 + jit', 1.2),
  fasterForClients(1, 'apollo', 'Apollo Server 5', 4.5),
  fasterForClients(100, 'apollo', 'Apollo Server 5', 2),
  fasterForClients(1, 'yoga', 'Yoga as it comes', 4),
  fasterForClients(100, 'yoga', 'Yoga as it comes', 1.5),
  faster('P5', 'hot', 'bare', 'bare node:http', 0.6),
  ...sizes.slice(1).flatMap((users) => [growth('json-1', users, 1.1), growth('json-100', users, 1)]),
  ...grown.map(inPlace),
  {
    id: 'P6',
    kind: 'memory',
    work: 'Legacy JSON, 1 and 100 ids: peak memory, MiB',
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
    most: 1.25,
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
    pairs: [{ cell: cell('postgres-json-1'), other: cell('postgres-graphql-1', 'postgraphile') }],
  },
  importInto('P10', 'postgres', 'psql \\copy'),
  compressed(100),
  compressed(1000),
  ...overMysql('mariadb'),
  ...overMysql('mysql'),
  ...latencyStores.flatMap(tails),
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
  if (goal.kind === 'faster') return goal.pairs.flatMap(({ cell, other }) => [cell, other])
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
  const cpu = (cell: Cell) => of(cell).map((sample) => sample?.cpu ?? null)
  switch (goal.kind) {
    case 'memory':
      return goal.cells.flatMap((cell) => of(cell).flatMap((sample) => sample?.memory ?? []))
    case 'slower':
      return ratios(timings[goal.timing]?.ours ?? [], timings[goal.timing]?.theirs ?? [])
    case 'faster': {
      const figures = goal.pairs.map(({ cell, other }) => ratios(cpu(other), cpu(cell)))
      // One that could not be measured is no best of them.
      if (figures.some(({ length }) => length === 0)) return []
      return figures.toSorted((a, b) => spreadOf(a).median - spreadOf(b).median)[0] ?? []
    }
    default:
      return ratios(cpu(goal.cell), cpu(goal.other))
  }
}

function ratios(above: readonly (number | null)[], below: readonly (number | null)[]): number[] {
  return above.flatMap((value, round) => {
    const divisor = below[round] ?? null
    return value === null || divisor === null ? [] : value / divisor
  })
}
