// Where the users are that contenders look up: a SQLite file for each number of them, and one server of each
// engine.

import { cpuOfServer, type DatabaseServer, FILLED, startFilled } from './database-server.ts'
import { provideDatabase, readThrough } from './databases.ts'
import { engines } from './engines.ts'
import type { Cell } from './measure.ts'
import { type StoreKind, storeOf } from './workloads.ts'

export interface Stores {
  /** The URL of a cell's database. */
  readonly urlOf: (cell: Pick<Cell, 'workload' | 'users'>) => string
  /** Reads a cell's file once more, since other databases may have taken its place in the system's cache. */
  readonly prepare: (cell: Pick<Cell, 'workload' | 'users'>) => Promise<void>
  /** Seconds of processor time that a cell's database server has used: none where there is no server. */
  readonly cpuOf: (cell: Pick<Cell, 'workload'>) => number
  readonly close: () => Promise<void>
}

/** Opens what some cells need. A server has one size: that of the first cell that asks for it. */
export async function openStores(
  cells: readonly Pick<Cell, 'workload' | 'users'>[],
  progress: (text: string) => void,
): Promise<Stores> {
  const files = new Map<number, string>()
  const servers = new Map<StoreKind, DatabaseServer>()
  for (const { workload, users } of cells) {
    const store = storeOf(workload)
    if (store !== 'sqlite') {
      // Beside wrk: on the contender's core the two would take turns for each answer, which is dear, and rare
      // in life.
      if (!servers.has(store)) servers.set(store, await startFilled(engines[store], users, '1', progress))
    } else if (!files.has(users)) {
      files.set(users, await provideDatabase(users, progress))
    }
  }
  return {
    urlOf: ({ workload, users }) =>
      servers.get(storeOf(workload))?.url(FILLED) ?? `sqlite:${files.get(users)}`,
    prepare: async ({ workload, users }) => {
      const path = storeOf(workload) === 'sqlite' ? files.get(users) : undefined
      if (path !== undefined) await readThrough(path)
    },
    cpuOf: ({ workload }) => {
      const server = servers.get(storeOf(workload))
      return server === undefined ? 0 : cpuOfServer(server)
    },
    close: async () => {
      for (const server of servers.values()) await server.remove()
    },
  }
}
