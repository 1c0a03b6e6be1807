// A lookup that reads a whole table is refused: SQLite runs in the process, and everybody would wait.

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished } from 'vitest'
import { LookupError } from '../../../src/errors.ts'
import type { Observation } from '../../../src/observe/events.ts'
import { openStore } from '../../../src/stores/open-store.ts'
import { test } from '../../kit/test.ts'

const chats = "(SELECT value FROM meta WHERE meta.user_id = account.id AND name = 'chat')"

/** A forum whose chat identifiers are in a table of their own. */
const forum = (members: number, more: string) => `
  CREATE TABLE account (id INTEGER PRIMARY KEY, login TEXT UNIQUE, title TEXT);
  CREATE TABLE meta (user_id INTEGER, name TEXT, value TEXT);
  CREATE TABLE title (name TEXT, rank INTEGER);
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${members})
    INSERT INTO account SELECT i, 'u' || i, 't' || (i % 20) FROM n;
  INSERT INTO meta SELECT id, 'chat', 'c' || id FROM account;
  INSERT INTO title SELECT DISTINCT title, 1 FROM account;
  ${more}
  CREATE VIEW users AS SELECT id, login AS username, login AS username_key, ${chats} AS chat_id,
    login AS display_name, coalesce((SELECT rank FROM title WHERE title.name = account.title), 0) AS rank,
    1 AS join_date, 1 AS is_confirmed, 0 AS banned FROM account;
  CREATE VIEW apps AS SELECT id, login AS title, '1.0.0' AS version, 1 AS category, '' AS changelog_link,
    '' AS download_link FROM account WHERE 0`

const byUser = 'CREATE INDEX meta_by_user ON meta (user_id, name);'

interface Forum {
  readonly members: number
  readonly indexes?: string
  readonly allowScans?: boolean
  /** The table that a warning names; null if all lookups run. */
  readonly scanned: string | null
}

test.for<[name: string, forum: Forum]>([
  ['no index', { members: 8_000, scanned: 'account' }],
  // The view has no index for the search by chat identifier, so all accounts are read.
  ['an index of the subquery', { members: 8_000, indexes: byUser, scanned: 'account' }],
  ['30 accounts', { members: 30, indexes: byUser, scanned: null }],
  ['30 accounts, and 30 rows for each', { members: 60, scanned: 'account' }],
  ['DATABASE_ALLOW_SCANS=on', { members: 100, allowScans: true, scanned: null }],
])('%s', async ([, { members, indexes = '', allowScans = false, scanned }], { place }) => {
  const path = join(place.path, 'forum.db')
  const database = new DatabaseSync(path)
  database.exec(`PRAGMA journal_mode = WAL; ${forum(members, indexes)}`)
  database.close()
  const observed: Observation[] = []
  const store = await openStore({ kind: 'sqlite', path, allowScans }, (one) => observed.push(one))
  onTestFinished(() => store.close())
  const reasons = observed.map((one) => (one.type === 'database-warning' ? one.reason : one.type))
  const before = process.cpuUsage()
  const byChat = async () => await store.findUsers('CHAT', ['c7'])
  if (scanned === null) {
    expect(reasons).toEqual([])
    expect(await byChat()).toMatchObject([{ id: 7 }])
  } else {
    expect(reasons.join()).toContain(`by chat_id are refused: each reads all rows of ${scanned}`)
    await expect(byChat()).rejects.toThrow(new LookupError('Unavailable'))
  }
  // Twenty titles are read for each user.
  if (members === 8_000 && indexes !== '') {
    expect(await store.findUsers('ID', ['7'])).toMatchObject([{ id: 7 }])
    expect(await store.findUsers('USERNAME', ['u7'])).toMatchObject([{ id: 7 }])
  }
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(200)
})

test('an index that fits every row takes as long as a scan', async ({ place }) => {
  const path = join(place.path, 'forum.db')
  const database = new DatabaseSync(path)
  const counted = "(SELECT count(value) FROM meta WHERE name = 'chat' AND +user_id = account.id)"
  database.exec(`PRAGMA journal_mode = WAL;
    ${forum(100_000, 'CREATE INDEX meta_by_name ON meta (name); CREATE INDEX title_by_name ON title (name);')
      .replace(chats, 'login')
      .replace(/coalesce\(.*?, 0\)/, counted)}`)
  database.close()
  const observed: Observation[] = []
  const store = await openStore({ kind: 'sqlite', path }, (one) => observed.push(one))
  onTestFinished(() => store.close())
  const reasons = observed.map((one) => (one.type === 'database-warning' ? one.reason : one.type))
  expect(reasons[0]).toMatch(
    /^Lookups of users by id are refused: each takes \d+ ms, and everybody would wait\. Add /,
  )
  const find = async () => await store.findUsers('ID', ['7'])
  await expect(find()).rejects.toThrow(new LookupError('Unavailable'))
})

test('a first id beyond 2^53 is no reason to refuse the file', async ({ place }) => {
  const path = join(place.path, 'forum.db')
  const database = new DatabaseSync(path)
  database.exec(
    `PRAGMA journal_mode = WAL; ${forum(20, 'UPDATE account SET id = 9007199254740993 WHERE id = 20')
      .replace('CREATE VIEW users', ';CREATE VIEW users')
      .replace('banned FROM account;', 'banned FROM account ORDER BY id DESC;')}`,
  )
  database.close()
  const store = await openStore({ kind: 'sqlite', path }, () => {})
  onTestFinished(() => store.close())
  expect(await store.findUsers('ID', ['7'])).toMatchObject([{ id: 7 }])
})
