// Faults of the relations stop the start, and each column is named.

import { join } from 'node:path'
import { expect } from 'vitest'
import { unusableDatabase } from '../../../src/stores/database-errors.ts'
import { test as base } from '../../kit/test.ts'
import { change, openWatched } from './support.ts'

type ColumnTypes = Readonly<Record<string, string | null>>

const user: ColumnTypes = {
  ...{ id: 'INTEGER PRIMARY KEY', username: 'TEXT', username_key: 'TEXT', chat_id: 'TEXT' },
  ...{ display_name: 'TEXT', rank: 'INTEGER', join_date: 'INTEGER', is_confirmed: 'INTEGER' },
  banned: 'INTEGER',
}
const app: ColumnTypes = {
  ...{ id: 'INTEGER PRIMARY KEY', title: 'TEXT', version: 'TEXT', category: 'INTEGER' },
  ...{ changelog_link: 'TEXT', download_link: 'TEXT' },
}

const table = (name: string, columns: ColumnTypes) => {
  const kept = Object.entries(columns).filter(([, type]) => type !== null)
  return `CREATE TABLE ${name} (${kept.map(([column, type]) => `${column} ${type}`).join()});`
}

const test = base
  .extend('path', ({ place }) => join(place.path, 'checked.db'))
  /** Why a database of this SQL cannot be opened; empty if it can. */
  .extend('complain', ({ path }) => async (sql: string): Promise<string> => {
    change(path, `PRAGMA journal_mode = WAL; ${sql}`)
    return openWatched(path).then(
      () => '',
      (error: Error) => error.message,
    )
  })

test.for([
  [{ rank: 'varchar(10)' }, {}, 'users.rank is of type varchar(10), and must be INTEGER'],
  [{ banned: 'CHAR(1)' }, {}, 'users.banned is of type CHAR(1), and must be INTEGER (0 or 1)'],
  // People write STRING for TEXT, and SQLite takes it for a number: 1.10 would become 1.1.
  [{}, { version: 'STRING' }, 'apps.version is of type STRING, and must be TEXT'],
  [{ chat_id: 'INTEGER' }, {}, 'users.chat_id is of type INTEGER, and must be TEXT'],
  [
    { rank: null },
    { category: 'TEXT' },
    'users has no column rank; apps.category is of type TEXT, and must be INTEGER',
  ],
  // Other names of the same types are as good.
  [{ rank: 'BIGINT', join_date: 'DATETIME', is_confirmed: 'BOOLEAN', banned: 'tinyint(1)' }, {}, ''],
  [{ username: 'VARCHAR(64)', display_name: 'nchar(55)', chat_id: 'CLOB' }, {}, ''],
  [{ RANK: 'REAL', rank: null, join_date: '', username: 'ANY' }, {}, ''],
] as const)('columns of users %j, of apps %j: "%s"', async ([users, apps, expected], { complain }) => {
  const sql = table('users', { ...user, ...users }) + table('apps', { ...app, ...apps })
  expect(await complain(sql)).toBe(expected)
})

test.for([
  ['join_date', "x'00'", 'users.join_date of the row with id 7 is blob, and must be INTEGER'],
  ['banned', "'false'", 'users.banned of the row with id 7 is text, and must be INTEGER (0 or 1)'],
  ['display_name', '12', 'users.display_name of the row with id 7 is integer, and must be TEXT'],
  ['rank', 'NULL', ''],
  ['join_date', '12.0', ''],
  ['join_date', '12.5', 'users.join_date of the row with id 7 is real, and must be INTEGER'],
  ['rank', '9007199254740993', ''],
] as const)('a view whose %s is %s: "%s"', async ([column, expression, expected], { complain }) => {
  const select = Object.keys(user).map((name) => (name === column ? `${expression} AS ${name}` : name))
  const sql = `${table('members', user)} ${table('apps', app)}
    INSERT INTO members VALUES (7, 'a', 'a', NULL, 'A', 1, 1, 1, 0), (8, 'b', 'b', NULL, 'B', 1, 1, 1, 0);
    CREATE VIEW users AS SELECT ${select.join()} FROM members`
  expect(await complain(sql)).toBe(expected)
})

test('a row beyond those that the start looks at is refused when it is read', async ({ path }) => {
  change(
    path,
    `PRAGMA journal_mode = WAL; ${table('users', { ...user, banned: '' })} ${table('apps', app)}
     WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < 101)
     INSERT INTO users SELECT id, 'u' || id, 'u' || id, NULL, '', 1, 1, 1, iif(id > 100, 'false', 0) FROM n`,
  )
  const { store, observations } = await openWatched(path)
  expect(await store.findUsers('ID', ['1', '101'])).toMatchObject([{ id: 1 }, { code: 'Internal' }])
  const refused = { type: 'rows-refused', relation: 'users', id: '101', column: 'banned', count: 1 }
  expect(observations).toEqual([refused])
})

test('a view that is broken is named', async ({ complain, path }) => {
  const reason = await complain(`${table('apps', app)} CREATE VIEW users AS SELECT * FROM members`)
  expect(reason).toBe('the view users is broken: no such table: main.members')
  expect(unusableDatabase({ kind: 'sqlite', path }, new Error(reason)).message).toMatch(
    /cannot be used: the view users is broken: .*\. Fix the view, or create the tables that it reads\.$/,
  )
})
