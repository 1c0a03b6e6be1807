// Columns of every type and character set that a view may show.

import { describe, expect, test } from 'vitest'
import { usernameKey } from '../../../src/model.ts'
import { makeTables } from '../../../src/stores/transfer.ts'
import { useDatabase, watchStore } from '../../kit/engines.ts'
import { mysqlEngine } from '../../kit/mysql/engine.ts'
import { flavours } from '../../kit/mysql/programs.ts'
import { rowsOf } from '../../kit/rows.ts'

const columns = {
  id: 'bigint PRIMARY KEY',
  username: 'text',
  username_key: 'varbinary(99)',
  chat_id: 'varbinary(99)',
  display_name: 'text',
  rank: 'int',
  join_date: 'int',
  is_confirmed: 'int',
  banned: 'int',
}
const textTypes = [
  'varbinary(200)',
  ...['utf8mb4_bin', 'utf8mb4_general_ci', 'utf8mb4_unicode_ci', 'utf8mb3_bin'],
  ...['latin1_swedish_ci', 'latin1_german1_ci', 'cp1251_general_ci', 'ucs2_general_ci', 'sjis_japanese_ci'],
  'char(60) CHARACTER SET utf8mb4',
].map((type) => (type.endsWith('_ci') || type.endsWith('_bin') ? `varchar(100) COLLATE ${type}` : type))
const newest = 'varchar(100) COLLATE utf8mb4_0900_ai_ci'
/** Collations take several of them for equal, and some character sets lack some. */
const names = ['ada', 'adà', 'ada!', 'strasse', 'straße', 'zoë', 'иван', '日本', '🌸', 'plain']

describe.for(flavours)('%s', (flavour) => {
  const database = useDatabase(mysqlEngine(flavour), ({ location }) => makeTables(location))
  /** Makes `users` with columns of these types, and rows of these values. */
  async function makeUsers(types: Partial<typeof columns>, ...rows: readonly string[]): Promise<void> {
    const list = Object.entries({ ...columns, ...types }).map(([name, type]) => `\`${name}\` ${type}`)
    await database().run(`DROP TABLE users; CREATE TABLE users (${list}) CHARACTER SET utf8mb4`)
    if (rows.length > 0) await database().run(`INSERT INTO users VALUES ${rows.map((row) => `(${row})`)}`)
  }
  const watch = async () => {
    const { store } = await watchStore(database().location)
    const idsOf = async (by: 'USERNAME' | 'CHAT', values: readonly string[]) =>
      rowsOf(await store.findUsers(by, values)).map((user) => user?.id ?? null)
    return { find: (...ids: string[]) => store.findUsers('ID', ids), idsOf }
  }

  test.for([...textTypes, ...(flavour === 'mysql' ? [newest] : [])])('keys in %s', async (type) => {
    await makeUsers({ username_key: `${type}, KEY (username_key)`, chat_id: `${type}, KEY (chat_id)` })
    // Names that the character set lacks come in as question marks.
    await database().run(`SET sql_mode = ''; INSERT INTO users VALUES ?`, [
      names.map((name, index) => [index + 1, name, usernameKey(name), name, '', 1, 1, 0, 0]),
    ])
    const keys = await database().run('SELECT CONVERT(username_key USING utf8mb4) FROM users')
    const isKept = (name: string) => keys.some(([key]) => key === name)
    const { idsOf } = await watch()
    const asked = [...names, 'ada ', 'ADA', 'ZOE\u0308', 'nobody', 'ünbekannt', '\u{1f339}', 'имя']
    const expected = asked.map((name) => (isKept(name) ? names.indexOf(name) + 1 || null : null))
    for (const by of ['USERNAME', 'CHAT'] as const) {
      expect(await idsOf(by, asked)).toEqual(expected)
      for (const [index, name] of names.entries()) expect(await idsOf(by, [name])).toEqual([expected[index]])
    }
  })

  test('the username itself as its key, if the collation ignores case', async () => {
    const key = 'varchar(99) COLLATE utf8mb4_general_ci'
    const rows = ['Ada', 'ZOË', 'plain'].map(
      (name, id) => `${id}, '${name}', '${name}', '${name}', '', 1, 1, 1, 0`,
    )
    await makeUsers({ username_key: key, chat_id: key }, ...rows)
    const { idsOf } = await watch()
    const asked = ['ada', 'zoë', 'plain', 'adà', 'zoe', 'ada ', 'nobody']
    expect(await idsOf('USERNAME', asked)).toEqual([0, 1, 2, null, null, null, null])
    // An identifier of the chat platform is another one in another case.
    expect(await idsOf('CHAT', ['ada', 'Ada', 'zoë'])).toEqual([null, 0, null])
  })

  test.for([
    ['tinyint(1)', '1', '0'],
    ['bit(1)', `b'1'`, `b'0'`],
    ['bit(9)', `b'100000000'`, `b'0'`],
    ['int', '-3', '0'],
    ['bigint unsigned', '9007199254740991', '0'],
  ] as const)('flags in %s', async ([type, yes, no]) => {
    const rows = [`1, 'a', 'a', NULL, '', 1, 1, ${yes}, ${no}`, `2, 'b', 'b', NULL, '', 1, 1, ${no}, ${yes}`]
    await makeUsers({ is_confirmed: type, banned: type }, ...rows)
    const expected = [true, false].map((is) => ({ isConfirmed: is, banned: !is }))
    expect(await (await watch()).find('1', '2')).toMatchObject(expected)
  })

  test.for([
    ['tinyint unsigned', '255', 255],
    ['smallint', '-32768', -32_768],
    ['int unsigned', '4294967295', 4_294_967_295],
    ['bigint', '-9007199254740991', -9_007_199_254_740_991],
    ['bigint', '9007199254740993', null],
    ['bigint unsigned', '18446744073709551615', null],
    ['bigint zerofill', '42', 42],
  ] as const)('numbers in %s: %s', async ([type, text, number]) => {
    await makeUsers({ join_date: type }, `1, 'a', 'a', NULL, '', 1, ${text}, 1, 1`)
    const expected = number === null ? { code: 'Internal' } : { joinDate: number }
    expect(await (await watch()).find('1')).toMatchObject([expected])
  })

  test('texts in any character set come out whole, and bytes that are no text are refused', async () => {
    const rows = [`1, 'Zoë', 'zoë', NULL, 'Zoë 🌸', 1, 1, 1, 1`, `2, 'b', 'b', NULL, x'5aebff', 1, 1, 1, 1`]
    await makeUsers({ username: 'varchar(50) CHARACTER SET latin1', display_name: 'blob' }, ...rows)
    const expected = [{ username: 'Zoë', displayName: 'Zoë 🌸' }, { code: 'Internal' }]
    expect(await (await watch()).find('1', '2')).toMatchObject(expected)
  })

  test('ENUM and SET are texts, and neither numbers nor flags', async () => {
    const texts = { username: `enum('Ada')`, display_name: `set('x', 'y')` }
    await makeUsers({ ...texts, rank: `enum('1')`, banned: `set('1')` })
    await expect(watch()).rejects.toThrow(
      /users\.rank is of type enum, and must be an integer .*; users\.banned is of type set, and must be /,
    )
    await makeUsers(texts, `1, 'Ada', 'ada', NULL, 'x,y', 1, 1, 1, 1`)
    expect(await (await watch()).find('1')).toMatchObject([{ username: 'Ada', displayName: 'x,y' }])
  })

  test('an id that has become another type since the start refuses its rows', async () => {
    await makeUsers({}, `7, 'a', 'a', NULL, '', 1, 1, 1, 0`)
    const { find } = await watch()
    for (const type of ['decimal(20)', 'varchar(20)']) {
      await database().run(`ALTER TABLE users MODIFY id ${type}`)
      expect(await find('7', '8')).toMatchObject([{ code: 'Internal' }, null])
    }
  })
})
