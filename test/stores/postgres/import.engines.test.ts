import { expect, onTestFinished, test } from 'vitest'
import { ClashError } from '../../../src/stores/importer.ts'
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

test('a row that an index cannot hold is refused, and the others go in', async () => {
  const database = await open()
  // As it was before names had a limit.
  await database.run('ALTER TABLE users DROP CONSTRAINT users_username_check')
  // What repeats itself would be stored as less.
  const long = Array.from({ length: 4000 }, (_, index) =>
    String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000)),
  ).join('')
  const rows = [user(1), user(2, long), user(3)]
  const refused = { index: 1, reason: expect.stringContaining('index row') }
  expect(await importUsers(database, rows, { replace: true, bulk: false })).toMatchObject({
    refused: [refused],
  })
  expect(await idsOf(database)).toEqual([[1], [3]])
  await expect(importUsers(database, rows, { replace: true, bulk: true })).rejects.toBeInstanceOf(ClashError)
})

test('a name that is too long for the table is refused, and the others go in', async () => {
  const database = await open()
  const refused = { index: 1, reason: expect.stringContaining('users_username_check') }
  const rows = [user(1), user(2, 'n'.repeat(257)), user(3, 'n'.repeat(256))]
  expect(await importUsers(database, rows, { replace: true, bulk: false })).toMatchObject({
    refused: [refused],
  })
  expect(await idsOf(database)).toEqual([[1], [3]])
})

test('of hundreds of rows that clash each is refused, with few locks at a time', async () => {
  // Locks for some hundreds of rows in all.
  const settings = 'max_connections = 10\nmax_locks_per_transaction = 10\n'
  const server = await PostgresServer.start(undefined, undefined, settings)
  onTestFinished(() => server.remove())
  const database = server.database('postgres')
  await makeTables(database.location)
  const taken = range(1, 600)
  await importUsers(
    database,
    taken.map((id) => user(id)),
    { replace: true, bulk: true },
  )
  const clashing = taken.map((id) => user(id + 10_000, `User ${id}`, null))
  const { refused } = await importUsers(database, [...clashing, user(5000)], { replace: false, bulk: false })
  expect(refused).toHaveLength(taken.length)
  expect(new Set(refused.map(({ reason }) => reason))).toEqual(
    new Set(['another user has this username (case does not count)']),
  )
  expect(await server.run('SELECT count(*), max(id) FROM users')).toEqual([[601, 5000]])
})

test('a table under a lock that lets rows in does not make an import fail', async () => {
  const database = await open()
  await database.run('BEGIN; LOCK TABLE users IN SHARE UPDATE EXCLUSIVE MODE') // as VACUUM does
  await importUsers(database, [user(1)], { replace: false, bulk: true })
  await database.run('COMMIT')
  expect(await idsOf(database)).toEqual([[1]])
})
