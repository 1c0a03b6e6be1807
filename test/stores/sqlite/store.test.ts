// A store over an SQLite file: of tables, of views, and of whatever an operator points it to.

import { existsSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { openForReading } from '../../../src/stores/sqlite/database.ts'
import { makeTables } from '../../../src/stores/transfer.ts'
import { test as base } from '../../kit/test.ts'
import { storeSuite } from '../store-suite.ts'
import { change, makeSqliteStore, openWatched, query, views } from './support.ts'

const createTables = (path: string) => makeTables({ kind: 'sqlite', path })

storeSuite('SQLite', makeSqliteStore)

const test = base.extend('path', async ({ place }) => {
  const path = join(place.path, 'test.db')
  await createTables(path)
  change(
    path,
    `INSERT INTO apps VALUES (1, 'T', '1.0.0', 1, 'https://a.example/', 'https://a.example/1/');
     PRAGMA wal_checkpoint(TRUNCATE)`,
  )
  return path
})

test('a file cannot be changed through the connection for reading', ({ path }) => {
  const database = openForReading(path, { lockTimeout: 0 })
  const before = query(path, 'SELECT * FROM apps')
  for (const sql of ['DELETE FROM apps', 'DROP TABLE apps', 'PRAGMA journal_mode = DELETE'])
    expect(() => database.exec(sql), sql).toThrow()
  database.close()
  expect(query(path, 'SELECT * FROM apps')).toEqual(before)
})

test.for([
  ['that is missing', () => {}, /unable to open database file/],
  [
    'without the relations',
    (path: string) => change(path, 'CREATE TABLE other (id)'),
    /no such table: users/,
  ],
  ['of text', (path: string) => writeFileSync(path, 'id,name\n'.repeat(1000)), /not a database/],
] as const)('a file %s cannot be opened, and is not made', async ([, make, reason], { place }) => {
  const path = join(place.path, 'other.db')
  make(path)
  const isThere = existsSync(path)
  await expect(openWatched(path)).rejects.toThrow(reason)
  expect(existsSync(path)).toBe(isThere)
})

test('a file that is cut off under an open store is an outage, not a miss', async ({ path }) => {
  const { store } = await openWatched(path)
  // Part of the file is read in place from now on.
  expect(await store.findApps(['1'])).toMatchObject([{ id: 1 }])
  truncateSync(path, 4096)
  await expect(async () => store.findApps(['1'])).rejects.toMatchObject({ code: 'Unavailable' })
  await expect(async () => store.findUsers('ID', ['1'])).rejects.toMatchObject({ code: 'Unavailable' })
})

// A view cannot promise that a key is unique.
test('a key that a view has twice is found once, and the other values keep their places', async ({
  place,
}) => {
  const path = join(place.path, 'twins.db')
  change(
    path,
    `CREATE TABLE members (id INTEGER PRIMARY KEY, login TEXT);
     INSERT INTO members VALUES (1, 'Bob'), (2, 'bob'), (3, 'carol'), (4, NULL);
     CREATE VIEW users AS SELECT id, login AS username, lower(login) AS username_key, 'same' AS chat_id,
       login AS display_name, 0 AS rank, 0 AS join_date, 1 AS is_confirmed, 0 AS banned FROM members;
     CREATE VIEW apps AS SELECT 1 AS id, 't' AS title, '1.0.0' AS version, 1 AS category,
       'https://a.example/' AS changelog_link, 'https://a.example/1/' AS download_link`,
  )
  const { store } = await openWatched(path)
  const carol = { id: 3, username: 'carol' }
  const found = await store.findUsers('USERNAME', ['carol', 'bob', 'nobody', 'carol'])
  expect(found).toMatchObject([carol, { username: expect.stringMatching(/^bob$/i) }, null, carol])
  expect(await store.findUsers('CHAT', ['same'])).toHaveLength(1)
  // A name that is NULL is an empty text.
  expect(await store.findUsers('ID', ['4'])).toMatchObject([{ id: 4, username: '', displayName: '' }])
})

test('schema/views.example.sqlite.sql shows other tables, may run twice, and searches by index', async ({
  place,
}) => {
  const path = join(place.path, 'forum.db')
  change(
    path,
    `${views};
     INSERT INTO forum_members (member_no, login, chat_handle, joined_at, state) VALUES
       (7, 'Ada', 'ada#1', '2012-01-31 10:00:00', 'banned'), (8, 'Bob', NULL, '1970-01-01 00:00:01', 'active');
     UPDATE forum_members SET shown_as = 'Bobby', level = 3, confirmed_at = '2012-02-01' WHERE member_no = 8;
     INSERT INTO shop_releases VALUES (4, 'Almanac', 1, 20, 3, 5)`,
  )
  const objects = 'SELECT type, name, sql FROM sqlite_schema ORDER BY name'
  const before = query(path, objects)
  change(path, views)
  await createTables(path)
  expect(query(path, objects)).toEqual(before)
  const ada = {
    ...{ id: 7, username: 'Ada', displayName: '', rank: 0, joinDate: 1328004000 },
    ...{ isConfirmed: false, banned: true },
  }
  const bob = {
    ...{ id: 8, username: 'Bob', displayName: 'Bobby', rank: 3, joinDate: 1 },
    ...{ isConfirmed: true, banned: false },
  }
  const almanac = {
    ...{ id: 4, title: 'Almanac', version: '1.20.3', category: 5 },
    changelogLink: 'https://shop.example/releases/4/changelog',
    downloadLink: 'https://shop.example/download/4/',
  }
  const { store } = await openWatched(path)
  expect(await store.findUsers('ID', ['8', '7', '9'])).toEqual([bob, ada, null])
  expect(await store.findUsers('USERNAME', ['ada', 'Ada'])).toEqual([ada, null])
  expect(await store.findUsers('CHAT', ['ada#1', ''])).toEqual([ada, null])
  expect(await store.findApps(['4', '5'])).toEqual([almanac, null])
  // A view that cannot be searched is made anew for every lookup, which takes seconds if it has many rows.
  for (const key of ['users.id', 'users.username_key', 'users.chat_id', 'apps.id']) {
    const [relation] = key.split('.')
    const lookup = `SELECT ${relation}.* FROM json_each('["x"]') AS list LEFT JOIN ${relation} ON ${key} = list.value`
    const plan = query(path, `EXPLAIN QUERY PLAN ${lookup}`).map((row) => String(row[3]))
    expect(plan[0]).toMatch(/^SCAN list /)
    expect(plan.slice(1)).toEqual([expect.stringMatching(/^SEARCH (?:forum_members|shop_releases) USING /)])
  }
})
