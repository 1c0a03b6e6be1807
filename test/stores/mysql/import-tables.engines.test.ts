// Imports into tables of the operator's own: of other types and engines, with triggers and rules.

import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { users } from '../../../src/data/users.ts'
import { ClashError, type ImportOptions, type Row } from '../../../src/stores/importer.ts'
import { makeTables, openImporter } from '../../../src/stores/transfer.ts'
import type { TestDatabase } from '../../kit/engine.ts'
import { openDatabase, watchStore } from '../../kit/engines.ts'
import { mysqlEngine } from '../../kit/mysql/engine.ts'
import { flavours } from '../../kit/mysql/programs.ts'
import { user } from '../import-data.ts'
import { importUsers } from '../servers/import-target.ts'

const bulk = { bulk: true, replace: true } as const
const careful = { bulk: false, replace: false } as const

describe.for(flavours)('%s: a table', (flavour) => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await openDatabase(mysqlEngine(flavour), ({ location }) => makeTables(location))
  })
  const makeUsers = (sql: string) => database.run(sql)
  const put = (rows: readonly Row[], options: ImportOptions) => importUsers(database, rows, options)
  const ids = async () => (await database.run('SELECT id FROM users ORDER BY id')).flat()

  // LOAD DATA LOCAL would cut these values, or leave the rows out, and say no more than a warning.
  test.for<readonly [what: string, sql: string, bad: Row, reason: RegExp]>([
    ['is too long', 'MODIFY display_name varchar(6)', user(2000), /^Data too long for column 'display_name'/],
    [
      'has characters that the column lacks',
      'MODIFY username varchar(99) CHARACTER SET latin1',
      user(2, '二'),
      /^Incorrect string value: '.+' for column .*username/,
    ],
    [
      'is out of range',
      'MODIFY join_date smallint',
      user(40_000),
      /^Out of range value for column 'join_date'/,
    ],
    ['is NULL', 'MODIFY chat_id varchar(9) NOT NULL', user(2, 'b', null), /^Column 'chat_id' cannot be null/],
    ['breaks a rule', 'ADD CHECK (`rank` < 4)', user(4), /CONSTRAINT|constraint/],
    [
      'is there already by an index of another name',
      'DROP INDEX users_by_username_key, ADD UNIQUE `own.names` (username_key)',
      user(2, 'user 1'),
      /^another user has this username/,
    ],
  ])('refuses a row of which a value %s, and takes the others', async ([, sql, bad, reason]) => {
    await makeUsers(`ALTER TABLE users ${sql}`)
    const rows = [user(1), bad, user(3)]
    await expect(put(rows, bulk)).rejects.toBeInstanceOf(ClashError)
    expect(await ids()).toEqual([])
    const { refused } = await put(rows, careful)
    expect(refused).toEqual([{ index: 1, reason: expect.stringMatching(reason) }])
    expect(await ids()).toEqual([1, 3])
  })

  test('names the column of an index of any name', async () => {
    await makeUsers('ALTER TABLE users DROP INDEX users_by_chat_id, ADD UNIQUE chats (chat_id)')
    const { refused } = await put([user(1, 'a', 'same'), user(2, 'b', 'same')], careful)
    expect(refused).toEqual([{ index: 1, reason: 'another user has this chatId' }])
  })

  test('of BIT is filled, row by row if need be', async () => {
    await makeUsers('ALTER TABLE users MODIFY banned bit(1), MODIFY is_confirmed bit(1)')
    await expect(put([user(1)], bulk)).rejects.toBeInstanceOf(ClashError)
    expect(await put([user(1)], careful)).toMatchObject({ refused: [] })
    expect(await database.run('SELECT banned + 0, is_confirmed + 0 FROM users')).toEqual([[0, 1]])
  })

  test.for([
    [
      'of which a column is missing or of another type',
      // INSERT would take 1 for the first value.
      `ALTER TABLE users MODIFY is_confirmed enum('0', '1'), DROP COLUMN chat_id`,
      /^users has no column chat_id; users\.is_confirmed is of type \w+, and must be an integer, BIT/,
    ],
    [
      'that is a view',
      'RENAME TABLE users TO kept; CREATE VIEW users AS SELECT * FROM kept',
      /^users is a view in this database: import into/,
    ],
    [
      'without transactions',
      'DROP TABLE users; CREATE TABLE users (id bigint PRIMARY KEY) ENGINE = MyISAM',
      /^users uses the engine MyISAM, which has no transactions\. Run ALTER TABLE users ENGINE = InnoDB/,
    ],
  ] as const)('%s is not filled', async ([, sql, reason]) => {
    await makeUsers(sql)
    for (const options of [bulk, careful]) await expect(put([user(1)], options)).rejects.toThrow(reason)
  })

  test('whose trigger refuses a row takes the others', async () => {
    await makeUsers(
      `CREATE TRIGGER refuse BEFORE INSERT ON users FOR EACH ROW
        IF NEW.id = 2 THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'not this one'; END IF`,
    )
    const rows = [user(1), user(2), user(3)]
    await expect(put(rows, bulk)).rejects.toBeInstanceOf(ClashError)
    expect(await put(rows, careful)).toMatchObject({ refused: [{ index: 1, reason: 'not this one' }] })
    expect(await ids()).toEqual([1, 3])
  })

  test('keeps its triggers', async () => {
    await makeUsers(
      'CREATE TABLE seen (id bigint); CREATE TRIGGER see AFTER INSERT ON users FOR EACH ROW INSERT INTO seen VALUES (NEW.id)',
    )
    await put([user(1)], bulk)
    await put([user(2)], bulk)
    expect(await database.run('SELECT id FROM seen')).toEqual([[1], [2]])
    expect(await ids()).toEqual([2])
  })

  test('that other tables refer to keeps its rows', async () => {
    await makeUsers('CREATE TABLE post (author bigint, FOREIGN KEY (author) REFERENCES users (id))')
    await put([user(1)], careful)
    await database.run('INSERT INTO post VALUES (1)')
    await expect(put([user(2)], bulk)).rejects.toMatchObject({ errno: 1451 })
    expect(await ids()).toEqual([1])
  })

  test('shows nothing that is not committed, even where sessions may read that by default', async () => {
    const variable = flavour === 'mysql' ? 'transaction_isolation' : 'tx_isolation'
    await database.run(`SET GLOBAL ${variable} = 'READ-UNCOMMITTED'`)
    onTestFinished(async () => void (await database.run(`SET GLOBAL ${variable} = DEFAULT`)))
    const importer = await openImporter(database.location, users, careful)
    await importer.add([user(1)])
    const { store } = await watchStore(database.location)
    expect(await store.findUsers('ID', ['1'])).toEqual([null])
    await importer.commit()
    expect(await store.findUsers('ID', ['1'])).toMatchObject([{ id: 1 }])
    await importer.close()
  })
})

test('an import waits 10 s for a table that another program has locked', async () => {
  const attempts = flavours.map(async (flavour) => {
    const { location, run, connect } = await openDatabase(mysqlEngine(flavour), (one) =>
      makeTables(one.location),
    )
    await run(`INSERT INTO users VALUES (1, 'a', 'a', 'a', '', 1, 1, 1, 1)`)
    const holder = await connect()
    onTestFinished(holder.end)
    await holder.run('BEGIN; SELECT id FROM users FOR UPDATE')
    await openImporter(location, users, bulk)
  })
  const reason = 'another program has kept users locked for 10 s. Try again when it has ended'
  for (const attempt of await Promise.allSettled(attempts))
    expect(attempt).toMatchObject({ reason: { message: expect.stringContaining(reason) } })
})
