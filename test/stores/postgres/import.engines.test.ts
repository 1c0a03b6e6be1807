import { expect, inject, onTestFinished, test } from 'vitest'
import { users } from '../../../src/data/users.ts'
import { ClashError } from '../../../src/stores/importer.ts'
import { makeTables, openImporter } from '../../../src/stores/transfer.ts'
import { locate, makeDatabase } from '../../kit/postgres/database.ts'
import { PostgresServer } from '../../kit/postgres/server.ts'
import { range, user } from '../import-data.ts'
import { importSuite } from '../import-suite.ts'

importSuite('PostgreSQL', async () => {
  const database = await makeDatabase()
  await makeTables(database.location)
  return {
    begin: (relation, options) => openImporter(database.location, relation, options),
    rows: ({ name, columns, derived }) => {
      const names = [...columns.map(({ sql }) => sql), derived?.sql ?? []].flat()
      return database.run(`SELECT ${names.join()} FROM ${name} ORDER BY id`)
    },
    close: database.remove,
  }
})

test('a row that an index cannot hold is refused, and the others go in', async () => {
  const database = await makeDatabase()
  await makeTables(database.location)
  // As it was before names had a limit.
  await database.run('ALTER TABLE users DROP CONSTRAINT users_username_check')
  // What repeats itself would be stored as less.
  const long = Array.from({ length: 4000 }, (_, index) =>
    String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000)),
  ).join('')
  const rows = [user(1), user(2, long), user(3)]
  const careful = await openImporter(database.location, users, { replace: true, bulk: false })
  expect(await careful.add(rows)).toEqual([{ index: 1, reason: expect.stringContaining('index row') }])
  await careful.commit()
  await careful.close()
  expect(await database.run('SELECT id FROM users ORDER BY id')).toEqual([[1], [3]])
  const bulk = await openImporter(database.location, users, { replace: true, bulk: true })
  await bulk.add(rows)
  await expect(bulk.commit()).rejects.toBeInstanceOf(ClashError)
  await bulk.close()
  await database.remove()
})

test('a name that is too long for the table is refused, and the others go in', async () => {
  const database = await makeDatabase()
  await makeTables(database.location)
  const careful = await openImporter(database.location, users, { replace: true, bulk: false })
  const refused = { index: 1, reason: expect.stringContaining('users_username_check') }
  expect(await careful.add([user(1), user(2, 'n'.repeat(257)), user(3, 'n'.repeat(256))])).toEqual([refused])
  await careful.commit()
  await careful.close()
  expect(await database.run('SELECT id FROM users ORDER BY id')).toEqual([[1], [3]])
  await database.remove()
})

test('of thousands of rows that clash each is told, with few locks at a time', async () => {
  // Room for some hundreds of locks in all.
  const settings = 'max_connections = 10\nmax_locks_per_transaction = 10\n'
  const server = await PostgresServer.start(inject('postgres').programs, undefined, settings)
  onTestFinished(() => server.stop())
  const location = locate(server.url())
  await makeTables(location)
  const taken = range(1, 3000)
  const first = await openImporter(location, users, { replace: true, bulk: true })
  await first.add(taken.map((id) => user(id)))
  await first.commit()
  await first.close()
  const careful = await openImporter(location, users, { replace: false, bulk: false })
  const refused = await careful.add([...taken.map((id) => user(id + 10_000, `User ${id}`, null)), user(5000)])
  await careful.commit()
  await careful.close()
  expect(refused).toHaveLength(taken.length)
  expect(new Set(refused.map(({ reason }) => reason))).toEqual(
    new Set(['another user has this username (case does not count)']),
  )
  expect(await server.run('SELECT count(*), max(id) FROM users')).toEqual([[3001, 5000]])
})

test('a table under a lock that lets rows in does not make an import fail', async () => {
  const database = await makeDatabase()
  await makeTables(database.location)
  await database.run('BEGIN; LOCK TABLE users IN SHARE UPDATE EXCLUSIVE MODE') // as VACUUM does
  const importer = await openImporter(database.location, users, { replace: false, bulk: true })
  await importer.add([user(1)])
  await importer.commit()
  await importer.close()
  await database.run('COMMIT')
  expect(await database.run('SELECT id FROM users')).toEqual([[1]])
  await database.remove()
})
