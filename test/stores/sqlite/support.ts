import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { usernameKey } from '../../../src/model.ts'
import type { Observe } from '../../../src/observation.ts'
import { openStore } from '../../../src/stores/open-store.ts'
import type { Awaitable } from '../../../src/stores/store.ts'
import { temporaryFolder } from '../../kit/gateway.ts'
import type { StoreUnderTest } from '../store-suite.ts'

export interface Layout {
  /** Makes the relations, as tables or as views. */
  readonly create: (path: string) => Awaitable<void>
  /** SQL that takes away what the relations are made of. */
  readonly breakDown: string
}

const putUser = `INSERT OR REPLACE INTO users
  (id, username, username_key, chat_id, display_name, rank, join_date, is_confirmed, banned)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`
const putApp = `INSERT OR REPLACE INTO apps (id, title, version, category, changelog_link, download_link)
  VALUES (?, ?, ?, ?, ?, ?)`

/** Makes a real SQLite file of some layout and opens a store over it. */
export async function makeSqliteStore(
  { create, breakDown }: Layout,
  observe: Observe,
): Promise<StoreUnderTest> {
  const folder = temporaryFolder()
  const path = join(folder.path, 'test.db')
  await create(path)
  const other = new DatabaseSync(path)
  const store = await openStore({ kind: 'sqlite', path }, observe)

  function put(sql: string, rows: readonly (readonly (string | number | null)[])[]): void {
    const statement = other.prepare(sql)
    other.exec('BEGIN')
    for (const row of rows) statement.run(...row)
    other.exec('COMMIT')
  }

  return {
    store,
    putUsers: (users) =>
      put(
        putUser,
        users.map((user) => [
          user.id,
          user.username,
          usernameKey(user.username),
          user.chatId,
          user.displayName,
          user.rank,
          user.joinDate,
          Number(user.isConfirmed),
          Number(user.banned),
        ]),
      ),
    putApps: (apps) =>
      put(
        putApp,
        apps.map((app) => [
          app.id,
          app.title,
          app.version,
          app.category,
          app.changelogLink,
          app.downloadLink,
        ]),
      ),
    removeUser: (id) => {
      other.prepare('DELETE FROM users WHERE id = ?').run(id)
    },
    breakDown: () => other.exec(breakDown),
    close: async () => {
      await store.close()
      other.close()
      folder.remove()
    },
  }
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
