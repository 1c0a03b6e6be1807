import { expect, test } from 'vitest'
import { makeTables } from '../../../src/stores/transfer.ts'
import type { Database } from '../../kit/engine.ts'
import { openDatabase } from '../../kit/engines.ts'
import { postgresEngine } from '../../kit/postgres/engine.ts'
import { user } from '../import-data.ts'
import { importSuite } from '../import-suite.ts'
import { importUsers, useImportTarget } from '../servers/import-target.ts'

importSuite('PostgreSQL', useImportTarget(postgresEngine))

const open = () => openDatabase(postgresEngine, ({ location }) => makeTables(location))

const idsOf = ({ run }: Database) => run('SELECT id FROM users ORDER BY id')

test('rows of which a name is too long for the table are refused, and the reason is named', async () => {
  const database = await open()
  const rows = [user(1), user(2, 'n'.repeat(257)), user(3, 'n'.repeat(256))]
  await expect(importUsers(database, rows, true)).rejects.toThrow('users_username_check')
  expect(await idsOf(database)).toEqual([])
})

test('a table under a lock that lets rows in does not make an import fail', async () => {
  const database = await open()
  await database.run('BEGIN; LOCK TABLE users IN SHARE UPDATE EXCLUSIVE MODE') // as VACUUM does
  await importUsers(database, [user(1)], false)
  await database.run('COMMIT')
  expect(await idsOf(database)).toEqual([[1]])
})
