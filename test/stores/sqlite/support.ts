import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { onTestFinished } from 'vitest'
import { apps } from '../../../src/data/apps.ts'
import type { Cell } from '../../../src/data/fields.ts'
import { type Relation, storedColumns } from '../../../src/data/relation.ts'
import { users } from '../../../src/data/users.ts'
import type { Observation, Observe } from '../../../src/observe/events.ts'
import { openStore } from '../../../src/stores/open-store.ts'
import { stagedCells } from '../../../src/stores/staging.ts'
import { makeTables } from '../../../src/stores/transfer.ts'
import { createClock } from '../../kit/clock.ts'
import { temporaryFolder } from '../../kit/gateway.ts'
import { staged } from '../import-data.ts'
import type { StoreUnderTest } from '../store-suite.ts'

/** The published example: tables of a forum, and the views over them. */
export const views = readFileSync(
  new URL('../../../schema/views.example.sqlite.sql', import.meta.url),
  'utf8',
)

/** Makes a real SQLite file, and opens a store over it. */
export async function makeSqliteStore(observe: Observe): Promise<StoreUnderTest> {
  const folder = temporaryFolder()
  const path = join(folder.path, 'test.db')
  await makeTables({ kind: 'sqlite', path })
  const other = new DatabaseSync(path)
  const store = await openStore({ kind: 'sqlite', path }, observe)

  /** A row of the same id makes way. */
  function put(relation: Relation, rows: readonly object[]): void {
    const columns = storedColumns(relation).map(({ sql }) => sql)
    const places = columns.map(() => '?')
    const statement = other.prepare(`INSERT OR REPLACE INTO ${relation.name} (${columns}) VALUES (${places})`)
    other.exec('BEGIN')
    for (const row of rows) {
      const values = new Map<string, Cell | boolean>(Object.entries(row))
      const cells = relation.columns.map(({ name }) => values.get(name) ?? null)
      const stored = cells.map((value) => (typeof value === 'boolean' ? Number(value) : value))
      statement.run(...stagedCells(relation, staged(stored, 0)).slice(3))
    }
    other.exec('COMMIT')
  }

  return {
    store,
    putUsers: (rows) => put(users, rows),
    putApps: (rows) => put(apps, rows),
    removeUser: (id) => void other.prepare('DELETE FROM users WHERE id = ?').run(id),
    breakDown: () => other.exec('DROP TABLE users; DROP TABLE apps'),
    close: async () => {
      await store.close()
      other.close()
      folder.remove()
    },
  }
}

/** Opens a store over a file, which the test closes, with all that it observes. */
export async function openWatched(path: string, options: { readonly allowScans?: boolean } = {}) {
  const observations: Observation[] = []
  const clock = createClock()
  const observe = (observation: Observation) => observations.push(observation)
  const store = await openStore({ kind: 'sqlite', path, ...options }, observe, clock)
  onTestFinished(() => store.close())
  return { store, observations, clock }
}

/** What a program other than the gateway sees in a database. */
export function query(path: string, sql: string): unknown[][] {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const statement = database.prepare(sql)
    statement.setReturnArrays(true)
    return statement.all().map((row) => Object.values(row))
  } finally {
    database.close()
  }
}

/** Changes a database as a program other than the gateway would. */
export function change(path: string, sql: string): void {
  const database = new DatabaseSync(path)
  try {
    database.exec(sql)
  } finally {
    database.close()
  }
}
