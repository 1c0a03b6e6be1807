import { expect, onTestFinished, test } from 'vitest'
import { makeTables } from '../../../src/stores/transfer.ts'
import type { Database } from '../../kit/engine.ts'
import { openDatabase } from '../../kit/engines.ts'
import { postgresEngine } from '../../kit/postgres/engine.ts'
import { PostgresServer } from '../../kit/postgres/server.ts'
import { range, user } from '../import-data.ts'
import { importSuite } from '../import-suite.ts'
import { importUsers, useImportTarget } from '../servers/import-target.ts'

importSuite('PostgreSQL', useImportTarget(postgresEngine))

const open = () => openDatabase(postgresEngine, ({ location }) => makeTables(location))

const idsOf = ({ run }: Database) => run('SELECT id FROM users ORDER BY id')

test('rows of which an index cannot hold one are refused, and the reason is named', async () => {
  const database = await open()
  // As it was before names had a limit.
  await database.run('ALTER TABLE users DROP CONSTRAINT users_username_check')
  // What repeats itself would be stored as less.
  const long = Array.from({ length: 4000 }, (_, index) =>
    String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000)),
  ).join('')
  const rows = [user(1), user(2, long), user(3)]
  await expect(importUsers(database, rows, true)).rejects.toThrow('index row')
  expect(await idsOf(database)).toEqual([])
})

test('rows of which a name is too long for the table are refused, and the reason is named', async () => {
  const database = await open()
  const rows = [user(1), user(2, 'n'.repeat(257)), user(3, 'n'.repeat(256))]
  await expect(importUsers(database, rows, true)).rejects.toThrow('users_username_check')
  expect(await idsOf(database)).toEqual([])
})

test('of hundreds of rows that clash each is refused, with few locks at a time', async () => {
  // Locks for some hundreds of rows in all.
  const settings = 'max_connections = 10\nmax_locks_per_transaction = 10\n'
  const server = await PostgresServer.start(undefined, undefined, settings)
  onTestFinished(() => server.remove())
  const database = server.database('postgres')
  await makeTables(database.location)
  const rows = range(1, 600).map((id) => user(id))
  await importUsers(database, rows, true)
  const { complaints } = await importUsers(database, rows, false)
  expect(new Set(complaints)).toEqual(new Set(['another user has this id']))
})

test('a table under a lock that lets rows in does not make an import fail', async () => {
  const database = await open()
  await database.run('BEGIN; LOCK TABLE users IN SHARE UPDATE EXCLUSIVE MODE') // as VACUUM does
  await importUsers(database, [user(1)], false)
  await database.run('COMMIT')
  expect(await idsOf(database)).toEqual([[1]])
})
