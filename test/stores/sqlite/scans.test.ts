// A lookup that reads a whole table is refused: SQLite runs in the process, and everybody would wait.

import { join } from 'node:path'
import { expect } from 'vitest'
import { LookupError } from '../../../src/errors.ts'
import { test as base } from '../../kit/test.ts'
import { change, openWatched } from './support.ts'

const chats = "(SELECT value FROM meta WHERE meta.user_id = account.id AND name = 'chat')"
const ranks = 'coalesce((SELECT rank FROM title WHERE title.name = account.title), 0)'

/** A forum whose chat identifiers are in a table of their own. */
const forum = (members: number, more = '', chat = chats, rank = ranks) => `
  PRAGMA journal_mode = WAL;
  CREATE TABLE account (id INTEGER PRIMARY KEY, login TEXT UNIQUE, title TEXT);
  CREATE TABLE meta (user_id INTEGER, name TEXT, value TEXT);
  CREATE TABLE title (name TEXT, rank INTEGER);
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${members})
    INSERT INTO account SELECT i, 'u' || i, 't' || (i % 20) FROM n;
  INSERT INTO meta SELECT id, 'chat', 'c' || id FROM account;
  INSERT INTO title SELECT DISTINCT title, 1 FROM account;
  ${more};
  CREATE VIEW users AS SELECT id, login AS username, login AS username_key, ${chat} AS chat_id,
    login AS display_name, ${rank} AS rank, 1 AS join_date, 1 AS is_confirmed, 0 AS banned FROM account;
  CREATE VIEW apps AS SELECT id, login AS title, '1.0.0' AS version, 1 AS category, '' AS changelog_link,
    '' AS download_link FROM account WHERE 0`

const byUser = 'CREATE INDEX meta_by_user ON meta (user_id, name)'

const test = base.extend('open', ({ place }) => async (sql: string, allowScans = false) => {
  const path = join(place.path, 'forum.db')
  change(path, sql)
  const { store, observations } = await openWatched(path, { allowScans })
  const reasons = observations.map((one) => (one.type === 'database-warning' ? one.reason : one.type))
  return { store, reasons }
})

test.for<[name: string, sql: string, allowScans?: boolean]>([
  ['30 accounts', forum(30, byUser)],
  ['DATABASE_ALLOW_SCANS=on', forum(100), true],
  [
    'a first id beyond 2^53',
    `${forum(30, `UPDATE account SET id = -9007199254740993 WHERE id = 20; ${byUser}`)}`,
  ],
])('every lookup runs: %s', async ([, sql, allowScans], { open }) => {
  const { store, reasons } = await open(sql, allowScans)
  expect(reasons).toEqual([])
  expect(await store.findUsers('CHAT', ['c7'])).toMatchObject([{ id: 7 }])
})

test.for<[name: string, sql: string]>([
  ['no index', forum(8_000)],
  // The view has no index for the search by chat identifier, so all accounts are read.
  ['an index of the subquery', forum(8_000, byUser)],
  ['60 accounts, and 60 rows for each', forum(60)],
])('lookups by chat identifier are refused: %s', async ([name, sql], { open }) => {
  const { store, reasons } = await open(sql)
  const before = process.cpuUsage()
  expect(reasons.join()).toContain('by chat_id are refused: each reads all rows of account')
  await expect(async () => store.findUsers('CHAT', ['c7'])).rejects.toThrow(new LookupError('Unavailable'))
  // Twenty titles are read for each user.
  if (name === 'an index of the subquery') {
    expect(await store.findUsers('ID', ['7'])).toMatchObject([{ id: 7 }])
    expect(await store.findUsers('USERNAME', ['u7'])).toMatchObject([{ id: 7 }])
  }
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(200)
})

test('an index that fits every row takes as long as a scan', async ({ open }) => {
  const counted = "(SELECT count(value) FROM meta WHERE name = 'chat' AND +user_id = account.id)"
  const indexes = 'CREATE INDEX meta_by_name ON meta (name)'
  const { store, reasons } = await open(forum(100_000, indexes, 'login', counted))
  expect(reasons[0]).toMatch(/^Lookups of users by id are refused: each takes \d+ ms, and .*\. Add /)
  await expect(async () => store.findUsers('ID', ['7'])).rejects.toThrow(new LookupError('Unavailable'))
})
