// Where the users are that contenders look up: a SQLite file for each number of them, and one PostgreSQL
// server.

import { provideDatabase, readThrough } from './databases.ts'
import type { Cell } from './measure.ts'
import { FILLED, type Postgres, startFilled } from './postgres.ts'
import { storeOf } from './workloads.ts'

export interface Stores {
  /** The URL of a cell's database. */
  readonly urlOf: (cell: Pick<Cell, 'workload' | 'users'>) => string
  /** Seconds of processor time that a cell's database server has used: none where there is no server. */
  readonly cpuOf: (cell: Pick<Cell, 'workload'>) => number
  readonly close: () => Promise<void>
}

/** Opens what some cells need. PostgreSQL has one size: that of the first cell that asks for it. */
export async function openStores(
  cells: readonly Pick<Cell, 'workload' | 'users'>[],
  progress: (text: string) => void,
): Promise<Stores> {
  const files = new Map<number, string>()
  for (const { users } of cells.filter(({ workload }) => storeOf(workload) === 'sqlite')) {
    if (files.has(users)) continue
    const path = await provideDatabase(users, progress)
    await readThrough(path)
    files.set(users, path)
  }
  const first = cells.find(({ workload }) => storeOf(workload) === 'postgres')
  // Beside wrk: on the contender's core the two would take turns for each answer, which is dear, and rare in
  // life.
  const postgres: Postgres | null = first === undefined ? null : await startFilled(first.users, '1', progress)
  return {
    urlOf: ({ workload, users }) =>
      storeOf(workload) === 'sqlite' ? `sqlite:${files.get(users)}` : (postgres?.url(FILLED) ?? ''),
    cpuOf: ({ workload }) => (storeOf(workload) === 'sqlite' ? 0 : (postgres?.cpu() ?? 0)),
    close: async () => postgres?.stop(),
  }
}
