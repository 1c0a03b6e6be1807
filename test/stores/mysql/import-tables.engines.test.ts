// Imports into tables of the operator's own: of other types and engines, with triggers and rules.

import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { users } from '../../../src/data/users.ts'
import { makeTables, openImporter } from '../../../src/stores/transfer.ts'
import type { TestDatabase } from '../../kit/engine.ts'
import { openDatabase, watchStore } from '../../kit/engines.ts'
import { mysqlEngine } from '../../kit/mysql/engine.ts'
import { flavours } from '../../kit/mysql/programs.ts'
import { type Row, stageValid, user } from '../import-data.ts'
import { importUsers } from '../servers/import-target.ts'

const replace = true
const add = false

describe.for(flavours)('%s: a table', (flavour) => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await openDatabase(mysqlEngine(flavour), ({ location }) => makeTables(location))
  })
  const makeUsers = (sql: string) => database.run(sql)
  const put = (rows: readonly Row[], how: boolean) => importUsers(database, rows, how)
  const ids = async () => (await database.run('SELECT id FROM users ORDER BY id')).flat()

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
    ['breaks a rule', 'ADD CHECK (`rank` < 4)', user(4), /CONSTRAINT|constraint/],
  ])('refuses rows of which a value %s, and says why', async ([, sql, bad, reason]) => {
    await makeUsers(`ALTER TABLE users ${sql}`)
    await expect(put([user(1), bad, user(3)], add)).rejects.toThrow(reason)
    expect(await ids()).toEqual([])
    expect(await put([user(1), user(3)], add)).toMatchObject({ complaints: [null, null] })
  })

  test('names a clash that the collation takes as equal', async () => {
    await makeUsers('ALTER TABLE users MODIFY username_key varchar(99) COLLATE utf8mb4_general_ci')
    const says = 'another user has this username (case does not count)'
    const rows = [user(1), user(2, 'Usér 1'), user(3)]
    expect(await put(rows, add)).toMatchObject({ complaints: [null, says, null] })
    expect(await put([user(4, 'Usér 1')], add)).toMatchObject({ complaints: [says] })
    expect(await ids()).toEqual([1, 3])
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
    for (const how of [add, replace]) await expect(put([user(1)], how)).rejects.toThrow(reason)
  })

  test('keeps its triggers', async () => {
    await makeUsers(
      'CREATE TABLE seen (id bigint); CREATE TRIGGER see AFTER INSERT ON users FOR EACH ROW INSERT INTO seen VALUES (NEW.id)',
    )
    await put([user(1)], replace)
    await put([user(2)], replace)
    expect(await database.run('SELECT id FROM seen')).toEqual([[1], [2]])
    expect(await ids()).toEqual([2])
  })

  test('that other tables refer to keeps its rows', async () => {
    await makeUsers('CREATE TABLE post (author bigint, FOREIGN KEY (author) REFERENCES users (id))')
    await put([user(1)], add)
    await database.run('INSERT INTO post VALUES (1)')
    await expect(put([user(2)], replace)).rejects.toMatchObject({ errno: 1451 })
    expect(await ids()).toEqual([1])
  })

  test('shows nothing that is not committed, even where sessions may read that by default', async () => {
    const variable = flavour === 'mysql' ? 'transaction_isolation' : 'tx_isolation'
    await database.run(`SET GLOBAL ${variable} = 'READ-UNCOMMITTED'`)
    onTestFinished(async () => void (await database.run(`SET GLOBAL ${variable} = DEFAULT`)))
    const importer = await openImporter(database.location, users, add)
    await stageValid(importer, [user(1)])
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
    await importUsers({ location }, [user(1)], replace)
  })
  const reason = 'another program has kept users locked for 10 s. Try again when it has ended'
  for (const attempt of await Promise.allSettled(attempts))
    expect(attempt).toMatchObject({ reason: { message: expect.stringContaining(reason) } })
})
