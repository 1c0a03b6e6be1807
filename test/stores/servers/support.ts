// Users and apps on a real server: in tables as the gateway makes them, or in views over a table of another
// application, with other names and types.

import { usernameKey } from '../../../src/model.ts'
import type { Observe } from '../../../src/observe/events.ts'
import { openStore } from '../../../src/stores/open-store.ts'
import { makeTables } from '../../../src/stores/transfer.ts'
import type { Database, DatabaseServer } from '../../kit/database-server.ts'
import type { TestEngine } from '../../kit/engine.ts'
import type { StoreUnderTest } from '../store-suite.ts'

export const layouts = ['tables', 'views'] as const
export type Layout = (typeof layouts)[number]

const member = {
  postgres: `account_no bigint PRIMARY KEY, login varchar(200) NOT NULL, login_key varchar(200) NOT NULL UNIQUE,
    handle varchar(200) UNIQUE, nickname text, level bigint, created bigint, confirmed boolean, banned boolean`,
  mysql: `account_no int8 unsigned PRIMARY KEY, login varchar(200) CHARACTER SET utf8mb4 NOT NULL,
    login_key varbinary(400) NOT NULL UNIQUE, handle varbinary(400) UNIQUE, nickname longtext CHARACTER SET utf8mb4,
    level decimal(20), created bigint, confirmed bit(1), banned int`,
}
const rank = { postgres: 'level AS rank', mysql: 'CAST(level AS SIGNED) AS `rank`' }

/** Makes the relations, as tables or as views. */
export async function makeRelations({ location, run }: Database, layout: Layout): Promise<void> {
  if (layout === 'tables') await makeTables(location)
  else
    await run(`
      CREATE TABLE member (${member[location.kind]});
      CREATE TABLE app_release (number bigint PRIMARY KEY, name varchar(200), version varchar(20), shelf int,
        notes text, place text) ${location.kind === 'mysql' ? 'CHARACTER SET utf8mb4' : ''};
      CREATE VIEW users AS SELECT account_no AS id, login AS username, login_key AS username_key, handle AS chat_id,
        coalesce(nickname, '') AS display_name, ${rank[location.kind]}, created AS join_date,
        confirmed AS is_confirmed, banned = true AS banned FROM member;
      CREATE VIEW apps AS SELECT number AS id, name AS title, version, shelf AS category, notes AS changelog_link,
        concat('https://apps.example/download/', number, '/') AS download_link FROM app_release`)
}

type KeyColumn = readonly [table: string, id: string]
const keysOf: Readonly<Record<Layout, Readonly<Record<'users' | 'apps', KeyColumn>>>> = {
  tables: { users: ['users', 'id'], apps: ['apps', 'id'] },
  views: { users: ['member', 'account_no'], apps: ['app_release', 'number'] },
}

/** Makes a database of some layout on a real server, and opens a store over it. */
export async function makeServerStore(
  { words }: Pick<TestEngine, 'words'>,
  server: () => Promise<DatabaseServer>,
  layout: Layout,
  observe: Observe,
): Promise<StoreUnderTest> {
  const database = await (await server()).makeDatabase()
  await makeRelations(database, layout)
  const store = await openStore(database.location, observe)
  const { users, apps } = keysOf[layout]
  const listOf = (values: readonly unknown[], from = 0) =>
    `(${values.map((_, index) => words.parameter(from + index))})`
  const remove = async ([table, id]: KeyColumn, ids: readonly unknown[]) =>
    void (await database.run(`DELETE FROM ${table} WHERE ${id} IN ${listOf(ids)}`, ids))

  /** A row of the same id makes way. */
  async function put(into: KeyColumn, rows: readonly (readonly unknown[])[]): Promise<void> {
    const ids = rows.map(([id]) => id)
    await remove(into, ids)
    const lists = rows.map((row, index) => listOf(row, index * row.length))
    await database.run(`INSERT INTO ${into[0]} VALUES ${lists}`, rows.flat())
  }

  return {
    store,
    putUsers: (all) => {
      const rows = all.map((user) => [
        ...[user.id, user.username, usernameKey(user.username), user.chatId, user.displayName],
        ...[user.rank, user.joinDate, user.isConfirmed, user.banned],
      ])
      return put(users, rows)
    },
    putApps: (all) => {
      const rows = all.map(({ id, title, version, category, changelogLink, downloadLink }) => [
        ...[id, title, version, category, changelogLink, downloadLink],
      ])
      return put(apps, rows)
    },
    removeUser: (id) => remove(users, [id]),
    breakDown: async () => {
      await database.run(`DROP TABLE ${users[0]} CASCADE; DROP TABLE ${apps[0]} CASCADE`)
    },
    close: async () => {
      await store.close()
      await database.remove()
    },
  }
}
