import { usernameKey } from '../../../src/model.ts'
import type { Observe } from '../../../src/observation.ts'
import { openStore } from '../../../src/stores/open-store.ts'
import { makeDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import type { StoreUnderTest } from '../store-suite.ts'

export interface Layout {
  /** Makes the relations, as tables or as views. */
  readonly create: (database: TestDatabase) => Promise<unknown>
  /** SQL that takes away what the relations are made of. */
  readonly breakDown: string
}

const userColumns = 'id, username, username_key, chat_id, display_name, rank, join_date, is_confirmed, banned'
const appColumns = 'id, title, version, category, changelog_link, download_link'

/** Makes a database of some layout on the real server, and opens a store over it. */
export async function makePostgresStore(
  { create, breakDown }: Layout,
  observe: Observe,
): Promise<StoreUnderTest> {
  const database = await makeDatabase()
  await create(database)
  const store = await openStore(database.location, observe)

  // Whole relations at a time; a row of the same id makes way.
  async function put(relation: string, columns: string, rows: readonly object[]): Promise<void> {
    await database.run(
      `WITH gone AS (DELETE FROM ${relation} WHERE id IN (SELECT (row->>'id')::bigint FROM json_array_elements($1) AS row))
      SELECT 1`,
      [JSON.stringify(rows)],
    )
    await database.run(
      `INSERT INTO ${relation} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${relation}, $1)`,
      [JSON.stringify(rows)],
    )
  }

  return {
    store,
    putUsers: (users) =>
      put(
        'users',
        userColumns,
        users.map((user) => ({
          id: user.id,
          username: user.username,
          username_key: usernameKey(user.username),
          chat_id: user.chatId,
          display_name: user.displayName,
          rank: user.rank,
          join_date: user.joinDate,
          is_confirmed: user.isConfirmed,
          banned: user.banned,
        })),
      ),
    putApps: (apps) =>
      put(
        'apps',
        appColumns,
        apps.map((app) => ({ ...app, changelog_link: app.changelogLink, download_link: app.downloadLink })),
      ),
    removeUser: async (id) => {
      await database.run('DELETE FROM users WHERE id = $1', [id])
    },
    breakDown: async () => {
      await database.run(breakDown)
    },
    close: async () => {
      await store.close()
      await database.remove()
    },
  }
}
