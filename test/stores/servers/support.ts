import type { Observe } from '../../../src/observation.ts'
import { openStore } from '../../../src/stores/open-store.ts'
import type { DatabaseServer } from '../../kit/database-server.ts'
import type { TestEngine } from '../../kit/engine.ts'
import type { StoreUnderTest } from '../store-suite.ts'
import type { Layout, Rows } from './layouts.ts'

/** Makes a database of some layout on a real server, and opens a store over it. */
export async function makeServerStore(
  { words }: Pick<TestEngine, 'words'>,
  server: () => Promise<DatabaseServer>,
  { create, users, apps, breakDown }: Layout,
  observe: Observe,
): Promise<StoreUnderTest> {
  const database = await (await server()).makeDatabase()
  await create(database)
  const store = await openStore(database.location, observe)

  function listOf(values: readonly unknown[], from = 0): string {
    return `(${values.map((_, index) => words.parameter(from + index))})`
  }

  async function remove(ids: readonly number[], places: Rows): Promise<void> {
    for (const [table, { id }] of Object.entries(places))
      await database.run(`DELETE FROM ${table} WHERE ${id} IN ${listOf(ids)}`, ids)
  }

  /** Whole rows at a time; one of the same id makes way. */
  async function put(found: readonly { readonly id: number }[], places: Rows): Promise<void> {
    await remove(
      found.map(({ id }) => id),
      places,
    )
    for (const [table, { rows }] of Object.entries(places)) {
      const lists = rows.map((row, index) => listOf(row, index * row.length))
      if (rows.length > 0) await database.run(`INSERT INTO ${table} VALUES ${lists}`, rows.flat())
    }
  }

  return {
    store,
    putUsers: (rows) => put(rows, users(rows)),
    putApps: (rows) => put(rows, apps(rows)),
    removeUser: (id) => remove([id], users([])),
    breakDown: async () => {
      await database.run(breakDown)
    },
    close: async () => {
      await store.close()
      await database.remove()
    },
  }
}
