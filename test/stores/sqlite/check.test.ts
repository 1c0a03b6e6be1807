// Faults of the relations stop the start, and each column is named.

import { join } from 'node:path'
import { expect } from 'vitest'
import type { Observation } from '../../../src/observe/events.ts'
import { unusableDatabase } from '../../../src/stores/database-errors.ts'
import { openStore } from '../../../src/stores/open-store.ts'
import { test as base } from '../../kit/test.ts'
import { change } from './support.ts'
import { views, writers } from './views.ts'

type Columns = Readonly<Record<string, string | null>>

const user: Columns = {
  ...{ id: 'INTEGER PRIMARY KEY', username: 'TEXT', username_key: 'TEXT', chat_id: 'TEXT' },
  ...{
    display_name: 'TEXT',
    rank: 'INTEGER',
    join_date: 'INTEGER',
    is_confirmed: 'INTEGER',
    banned: 'INTEGER',
  },
}
const app: Columns = {
  ...{ id: 'INTEGER PRIMARY KEY', title: 'TEXT', version: 'TEXT', category: 'INTEGER' },
  ...{ changelog_link: 'TEXT', download_link: 'TEXT' },
}

const table = (name: string, columns: Columns) => {
  const kept = Object.entries(columns).filter(([, type]) => type !== null)
  return `CREATE TABLE ${name} (${kept.map(([column, type]) => `${column} ${type}`).join()});`
}

const test = base
  .extend('path', ({ place }) => join(place.path, 'checked.db'))
  /** Why a database of this SQL cannot be opened; empty if it can. */
  .extend('complain', ({ path }) => async (sql: string): Promise<string> => {
    change(path, `PRAGMA journal_mode = WAL; ${sql}`)
    try {
      await (await openStore({ kind: 'sqlite', path }, () => {})).close()
      return ''
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  })

test.for([
  [{ rank: 'TEXT' }, {}, 'users.rank is of type TEXT, and must be INTEGER'],
  [{ rank: 'varchar(10)' }, {}, 'users.rank is of type varchar(10), and must be INTEGER'],
  [{ banned: 'CHAR(1)' }, {}, 'users.banned is of type CHAR(1), and must be INTEGER (0 or 1)'],
  // People write STRING for TEXT, and SQLite takes it for a number: 1.10 would become 1.1.
  [{}, { version: 'STRING' }, 'apps.version is of type STRING, and must be TEXT'],
  [{ chat_id: 'INTEGER' }, {}, 'users.chat_id is of type INTEGER, and must be TEXT'],
  [{ rank: null }, { title: null }, 'users has no column rank; apps has no column title'],
  [
    { rank: null },
    { category: 'TEXT' },
    'users has no column rank; apps.category is of type TEXT, and must be INTEGER',
  ],
  // Other names of the same types are as good.
  [{ rank: 'BIGINT', join_date: 'DATETIME', is_confirmed: 'BOOLEAN', banned: 'tinyint(1)' }, {}, ''],
  [{ username: 'VARCHAR(64)', display_name: 'nchar(55)', chat_id: 'CLOB' }, {}, ''],
  [{ RANK: 'INTEGER', rank: null }, {}, ''],
  [{ rank: '', username: '' }, {}, ''],
  [{ join_date: 'DOUBLE', rank: 'REAL' }, {}, ''],
  [{ rank: 'ANY', username: 'ANY' }, {}, ''],
] as const)('columns of users %j, of apps %j: "%s"', async ([users, apps, expected], { complain }) => {
  const sql = table('users', { ...user, ...users }) + table('apps', { ...app, ...apps })
  expect(await complain(sql)).toBe(expected)
})

test.for([
  ['rank', "'gold'", 'users.rank of the row with id 7 is text, and must be INTEGER'],
  ['join_date', "x'00'", 'users.join_date of the row with id 7 is blob, and must be INTEGER'],
  ['banned', "'false'", 'users.banned of the row with id 7 is text, and must be INTEGER (0 or 1)'],
  ['display_name', '12', 'users.display_name of the row with id 7 is integer, and must be TEXT'],
  ['display_name', "x'00'", 'users.display_name of the row with id 7 is blob, and must be TEXT'],
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
  const row = (id: number) => `(${id}, 'u${id}', 'u${id}', NULL, '', 1, 1, 1, ${id > 100 ? "'false'" : 0})`
  const rows = Array.from({ length: 101 }, (_, index) => row(index + 1))
  change(
    path,
    `PRAGMA journal_mode = WAL; ${table('users', { ...user, banned: '' })} ${table('apps', app)}
     INSERT INTO users VALUES ${rows.join()}`,
  )
  const observations: Observation[] = []
  const store = await openStore({ kind: 'sqlite', path }, (observation) => observations.push(observation))
  expect(await store.findUsers('ID', ['1', '101'])).toMatchObject([{ id: 1 }, { code: 'Internal' }])
  await store.close()
  const refused = { type: 'rows-refused', relation: 'users', id: '101', column: 'banned', count: 1 }
  expect(observations).toEqual([refused])
})

test.for([
  ['SELECT * FROM members', 'the view users is broken: no such table: main.members'],
  ['SELECT grade(id) AS id FROM apps', 'the view users is broken: no such function: grade'],
] as const)('a view that is broken is named: %s', async ([select, expected], { complain, path }) => {
  const reason = await complain(`${table('apps', app)} CREATE VIEW users AS ${select}`)
  expect(reason).toBe(expected)
  const { message } = unusableDatabase({ kind: 'sqlite', path }, new Error(reason))
  expect(message).toBe(
    `The database ${path} cannot be used: ${expected}. Fix the view, or create the tables that it reads.`,
  )
})

test('views as the documentation shows them are right', async ({ complain }) => {
  expect(await complain(views + writers)).toBe('')
})
