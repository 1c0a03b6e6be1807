// Columns of every type and character set that a view may show.

import { describe, expect, test } from 'vitest'
import { usernameKey } from '../../../src/model.ts'
import { rowsOf } from '../../../src/stores/items.ts'
import { openStore } from '../../../src/stores/open-store.ts'
import { useDatabase, watchStore } from '../../kit/engines.ts'
import { mysqlEngine } from '../../kit/mysql/engine.ts'
import { flavours } from '../../kit/mysql/programs.ts'

const apps =
  'CREATE TABLE apps (id bigint PRIMARY KEY, title text, version text, category int, changelog_link text, download_link text)'
const textTypes = [
  'varbinary(200)',
  'varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin',
  'varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci',
  'varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci',
  'varchar(100) CHARACTER SET utf8mb3 COLLATE utf8mb3_bin',
  'varchar(100) CHARACTER SET latin1 COLLATE latin1_swedish_ci',
  'varchar(100) CHARACTER SET latin1 COLLATE latin1_german1_ci',
  'varchar(100) CHARACTER SET cp1251',
  'varchar(100) CHARACTER SET ucs2',
  'varchar(100) CHARACTER SET sjis',
  'char(60) CHARACTER SET utf8mb4',
]
const newest = ['varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci']
/** Names of which collations take several for equal; not all character sets have all. */
const names = ['ada', 'adà', 'ada!', 'strasse', 'straße', 'zoë', 'иван', '日本', '🌸', 'plain']

describe.for(flavours)('%s', (flavour) => {
  const database = useDatabase(mysqlEngine(flavour), ({ run }) => run(apps))
  const open = async () => (await watchStore(database().location)).store

  test.for([...textTypes, ...(flavour === 'mysql' ? newest : [])])('keys in %s', async (type) => {
    await database().run(
      `DROP TABLE IF EXISTS users; CREATE TABLE users (id bigint PRIMARY KEY, username text CHARACTER SET utf8mb4,
         username_key ${type}, chat_id ${type}, display_name text, \`rank\` int, join_date int, is_confirmed int, banned int,
         KEY (username_key), KEY (chat_id)) CHARACTER SET utf8mb4`,
    )
    // Names that the character set lacks come in as question marks.
    await database().run(`SET sql_mode = ''; INSERT INTO users VALUES ?`, [
      names.map((name, index) => [index + 1, name, usernameKey(name), name, '', 1, 1, 0, 0]),
    ])
    const kept = new Set(
      (await database().run('SELECT CONVERT(username_key USING utf8mb4) FROM users')).map(([key]) => key),
    )
    const store = await open()
    const asked = [...names, 'ada ', 'ADA', 'ZOE\u0308', '?', '??', 'nobody', 'ünbekannt', '\u{1f339}', 'имя']
    const expected = asked.map((name) =>
      kept.has(name) && names.includes(name) ? names.indexOf(name) + 1 : null,
    )
    for (const by of ['USERNAME', 'CHAT'] as const) {
      const found = rowsOf(await store.findUsers(by, asked)).map((user) => user?.id ?? null)
      // Where several names came in as the same question marks, any of them is found by these.
      const judged = found.map((id, index) => (asked[index]?.startsWith('?') ? null : id))
      expect(judged).toEqual(expected)
      for (const [index, name] of names.entries())
        expect(rowsOf(await store.findUsers(by, [name]))[0]?.id ?? null).toBe(expected[index])
    }
  })

  test('the username itself as its key, where the collation ignores case', async () => {
    await database().run(
      `DROP TABLE IF EXISTS users; CREATE TABLE users (id bigint PRIMARY KEY,
         username_key varchar(99) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci, username text AS (username_key),
         chat_id varchar(99) AS (username_key), display_name text, \`rank\` int, join_date int, is_confirmed int,
         banned int, KEY (username_key));
       INSERT INTO users (id, username_key, \`rank\`, join_date, is_confirmed, banned) VALUES (1, 'Ada', 1, 1, 1, 0),
         (2, 'ZOË', 1, 1, 1, 0), (3, 'plain', 1, 1, 1, 0)`,
    )
    const store = await open()
    const asked = ['ada', 'zoë', 'plain', 'adà', 'zoe', 'ada ', 'nobody']
    const found = rowsOf(await store.findUsers('USERNAME', asked))
    expect(found.map((user) => user?.id ?? null)).toEqual([1, 2, 3, null, null, null, null])
    // An identifier of the chat platform is another one in another case.
    expect(
      rowsOf(await store.findUsers('CHAT', ['ada', 'Ada', 'zoë'])).map((user) => user?.id ?? null),
    ).toEqual([null, 1, null])
  })

  test.for([
    ['tinyint(1)', '1', '0'],
    ['bit(1)', `b'1'`, `b'0'`],
    ['bit(9)', `b'100000000'`, `b'0'`],
    ['int', '-3', '0'],
    ['bigint unsigned', '9007199254740991', '0'],
    ['tinyint', '127', 'NULL'],
  ])('flags in %s', async ([type, yes, no]) => {
    await database().run(
      `DROP TABLE IF EXISTS users; CREATE TABLE users (id bigint PRIMARY KEY, username text, username_key varbinary(9),
         chat_id varbinary(9), display_name text, \`rank\` int, join_date int, is_confirmed ${type}, banned ${type});
       INSERT INTO users VALUES (1, 'a', 'a', NULL, '', 1, 1, ${yes}, ${no}), (2, 'b', 'b', NULL, '', 1, 1, ${no}, ${yes})`,
    )
    const store = await open()
    const user = { isConfirmed: true, banned: false }
    expect(await store.findUsers('ID', ['1', '2'])).toMatchObject([
      user,
      { isConfirmed: false, banned: true },
    ])
  })

  test.for([
    ['tinyint unsigned', '255', 255],
    ['smallint', '-32768', -32_768],
    ['mediumint unsigned', '16777215', 16_777_215],
    ['int unsigned', '4294967295', 4_294_967_295],
    ['bigint', '-9007199254740991', -9_007_199_254_740_991],
    ['bigint', '9007199254740993', null],
    ['bigint', '-9007199254740993', null],
    ['bigint unsigned', '9007199254740993', null],
    ['bigint unsigned', '18446744073709551615', null],
    ['bigint zerofill', '42', 42],
  ] as const)('numbers in %s: %s', async ([type, text, number]) => {
    await database().run(
      `DROP TABLE IF EXISTS users; CREATE TABLE users (id bigint unsigned PRIMARY KEY, username text,
         username_key varbinary(9), chat_id varbinary(9), display_name text, \`rank\` int, join_date ${type},
         is_confirmed int, banned int);
       INSERT INTO users VALUES (1, 'a', 'a', NULL, '', 1, ${text}, 1, 1)`,
    )
    const store = await open()
    expect(await store.findUsers('ID', ['1'])).toMatchObject([
      number === null ? { code: 'Internal' } : { joinDate: number },
    ])
  })

  test('texts in any character set come out whole, and bytes that are no text are refused', async () => {
    await database().run(
      `DROP TABLE IF EXISTS users; CREATE TABLE users (id bigint PRIMARY KEY, username varchar(50) CHARACTER SET latin1,
         username_key varbinary(99), chat_id varbinary(99), display_name blob, \`rank\` int, join_date int,
         is_confirmed int, banned int);
       INSERT INTO users VALUES (1, 'Zoë', 'zoë', NULL, 'Zoë 🌸', 1, 1, 1, 1), (2, 'b', 'b', NULL, x'5aebff', 1, 1, 1, 1)`,
    )
    const store = await open()
    expect(await store.findUsers('ID', ['1', '2'])).toMatchObject([
      { username: 'Zoë', displayName: 'Zoë 🌸' },
      { code: 'Internal' },
    ])
  })
  test('other types are named as the table has them', async () => {
    const table = (rank: string, banned: string) =>
      `DROP TABLE IF EXISTS users; CREATE TABLE users (id bigint PRIMARY KEY, username enum('Ada'),
         username_key varbinary(99), chat_id varbinary(99), display_name set('x', 'y'), \`rank\` ${rank}, join_date int,
         is_confirmed int, banned ${banned})`
    await database().run(table(`enum('1')`, `set('1')`))
    await expect(openStore(database().location, () => {})).rejects.toThrow(
      /users\.rank is of type enum, and must be an integer .*; users\.banned is of type set, and must be /,
    )
    await database().run(
      `${table('int', 'int')}; INSERT INTO users VALUES (1, 'Ada', 'ada', NULL, 'x,y', 1, 1, 1, 1)`,
    )
    const store = await open()
    expect(await store.findUsers('ID', ['1'])).toMatchObject([{ username: 'Ada', displayName: 'x,y' }])
  })
})
