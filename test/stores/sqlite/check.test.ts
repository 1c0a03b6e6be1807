// What is wrong with the relations is said at the start: every column, by its name.

import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Observation } from '../../../src/observation.ts'
import { unusableDatabase } from '../../../src/stores/database-errors.ts'
import { openStore } from '../../../src/stores/open-store.ts'
import { temporaryFolder } from '../../kit/gateway.ts'
import { change } from './support.ts'
import { views, writers } from './views.ts'

let folder: ReturnType<typeof temporaryFolder>
let path: string
beforeEach(() => {
  folder = temporaryFolder()
  path = join(folder.path, 'checked.db')
})
afterEach(() => folder.remove())

const user: Readonly<Record<string, string>> = {
  id: 'INTEGER PRIMARY KEY',
  username: 'TEXT',
  username_key: 'TEXT',
  chat_id: 'TEXT',
  display_name: 'TEXT',
  rank: 'INTEGER',
  join_date: 'INTEGER',
  is_confirmed: 'INTEGER',
  banned: 'INTEGER',
}
const app: Readonly<Record<string, string>> = {
  id: 'INTEGER PRIMARY KEY',
  title: 'TEXT',
  version: 'TEXT',
  category: 'INTEGER',
  changelog_link: 'TEXT',
  download_link: 'TEXT',
}

const table = (name: string, columns: Readonly<Record<string, string | null>>) => {
  const kept = Object.entries(columns).filter(([, type]) => type !== null)
  return `CREATE TABLE ${name} (${kept.map(([column, type]) => `${column} ${type}`).join()});`
}

async function complaint(sql: string): Promise<string> {
  change(path, `PRAGMA journal_mode = WAL; ${sql}`)
  try {
    await (await openStore({ kind: 'sqlite', path }, () => {})).close()
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

test.for([
  [{ rank: 'TEXT' }, {}, 'users.rank is of type TEXT, and must be INTEGER'],
  [{ rank: 'varchar(10)' }, {}, 'users.rank is of type varchar(10), and must be INTEGER'],
  [{ banned: 'CHAR(1)' }, {}, 'users.banned is of type CHAR(1), and must be INTEGER (0 or 1)'],
  // What people write for TEXT, and SQLite takes for a number: 1.10 would become 1.1.
  [{}, { version: 'STRING' }, 'apps.version is of type STRING, and must be TEXT'],
  [{ chat_id: 'INTEGER' }, {}, 'users.chat_id is of type INTEGER, and must be TEXT'],
  [{ rank: null }, { title: null }, 'users has no column rank; apps has no column title'],
  [
    { rank: null },
    { category: 'TEXT' },
    'users has no column rank; apps.category is of type TEXT, and must be INTEGER',
  ],
] as const)('%j %j', async ([users, apps, expected]) => {
  expect(await complaint(table('users', { ...user, ...users }) + table('apps', { ...app, ...apps }))).toBe(
    expected,
  )
})

test.for([
  [{ rank: 'BIGINT', join_date: 'DATETIME', is_confirmed: 'BOOLEAN', banned: 'tinyint(1)' }],
  [{ username: 'VARCHAR(64)', display_name: 'nchar(55)', chat_id: 'CLOB' }],
  [{ RANK: 'INTEGER', rank: null }],
  [{ rank: '', username: '' }],
  [{ join_date: 'DOUBLE', rank: 'REAL' }],
  [{ rank: 'ANY', username: 'ANY' }],
] as const)('other names of the same types are as good: %j', async ([users]) => {
  expect(await complaint(table('users', { ...user, ...users }) + table('apps', app))).toBe('')
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
] as const)('a view whose %s is %s', async ([column, expression, expected]) => {
  const select = Object.keys(user).map((name) => (name === column ? `${expression} AS ${name}` : name))
  const sql = `${table('members', user)} ${table('apps', app)}
    INSERT INTO members VALUES (7, 'a', 'a', NULL, 'A', 1, 1, 1, 0), (8, 'b', 'b', NULL, 'B', 1, 1, 1, 0);
    CREATE VIEW users AS SELECT ${select.join()} FROM members`
  expect(await complaint(sql)).toBe(expected)
})

test('rows of another type in a table that allows them are named, too', async () => {
  const sql = `${table('users', user)} ${table('apps', app)}
    INSERT INTO users VALUES (7, 'a', 'a', NULL, 'A', 'gold', 1, 1, 0)`
  expect(await complaint(sql)).toBe('users.rank of the row with id 7 is text, and must be INTEGER')
})

test('a flag that is a text, in a row that was not looked at, is refused and not answered as true', async () => {
  const rows = Array.from(
    { length: 101 },
    (_, index) => `(${index + 1}, 'u${index}', 'u${index}', NULL, '', 1, 1, 1, 0)`,
  )
  change(
    path,
    `PRAGMA journal_mode = WAL; ${table('users', { ...user, banned: '' })} ${table('apps', app)}
     INSERT INTO users VALUES ${rows.join()}; UPDATE users SET banned = 'false' WHERE id = 101`,
  )
  const observations: Observation[] = []
  const store = await openStore({ kind: 'sqlite', path }, (observation) => observations.push(observation))
  expect(await store.findUsers('ID', ['1', '101'])).toMatchObject([{ id: 1 }, { code: 'Internal' }])
  // A report is made once a second; what is not reported yet is at the end.
  expect(observations).toEqual([])
  await store.close()
  expect(observations).toEqual([
    { type: 'rows-refused', relation: 'users', id: '101', column: 'banned', count: 1 },
  ])
})

test.for([
  ['CREATE VIEW users AS SELECT * FROM members', 'the view users is broken: no such table: main.members'],
  [
    'CREATE VIEW users AS SELECT grade(id) AS id FROM apps',
    'the view users is broken: no such function: grade',
  ],
] as const)('a view that is broken is named: %s', async ([sql, expected]) => {
  const reason = await complaint(`${table('apps', app)} ${sql}`)
  expect(reason).toBe(expected)
  const { message } = unusableDatabase({ kind: 'sqlite', path }, new Error(reason))
  expect(message).toBe(
    `The database ${path} cannot be used: ${expected}. Fix the view, or create the tables that it reads.`,
  )
})

test('views as the documentation shows them are right', async () => {
  expect(await complaint(views + writers)).toBe('')
})
