import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStore } from '../../../src/stores/open-store.ts'
import { openForReading } from '../../../src/stores/sqlite/database.ts'
import { makeTables } from '../../../src/stores/transfer.ts'
import { temporaryFolder } from '../../kit/gateway.ts'
import { storeSuite } from '../store-suite.ts'
import { change, makeSqliteStore, query } from './support.ts'
import { views, writers } from './views.ts'

const createTables = (path: string) => makeTables({ kind: 'sqlite', path })
const ignore = () => {}

storeSuite('SQLite tables', (observe) =>
  makeSqliteStore({ create: createTables, breakDown: 'DROP TABLE users; DROP TABLE apps' }, observe),
)

storeSuite('SQLite views over other tables', (observe) =>
  makeSqliteStore(
    {
      create: (path) => change(path, `PRAGMA journal_mode = WAL; ${views} ${writers}`),
      breakDown: 'DROP TABLE account; DROP TABLE release',
    },
    observe,
  ),
)

describe('an SQLite file', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let path: string
  const insert = `INSERT INTO apps VALUES (1, 'T', '1.0.0', 1, 'https://a.example/', 'https://a.example/1/')`

  beforeAll(() => {
    folder = temporaryFolder()
    path = join(folder.path, 'test.db')
    createTables(path)
    change(path, insert)
  })
  afterAll(() => folder.remove())

  test('is in WAL mode, so that an import does not keep readers out', () => {
    expect(query(path, 'PRAGMA journal_mode')).toEqual([['wal']])
  })

  test.for([
    insert,
    'DELETE FROM apps',
    'UPDATE apps SET title = title',
    'DROP TABLE apps',
    'CREATE TABLE more (id)',
    'PRAGMA user_version = 5',
    'PRAGMA journal_mode = DELETE',
  ])('cannot be changed through the connection for reading: %s', (sql) => {
    const database = openForReading(path, { lockTimeout: 0 })
    const before = query(path, 'SELECT * FROM apps')
    expect(() => database.exec(sql)).toThrow()
    database.close()
    expect(query(path, 'SELECT * FROM apps')).toEqual(before)
  })

  test('is read while another connection has it locked for writing', async () => {
    const writer = new DatabaseSync(path)
    writer.exec('BEGIN IMMEDIATE; DELETE FROM apps')
    const store = await openStore({ kind: 'sqlite', path }, ignore)
    expect(await store.findApps(['1'])).toMatchObject([{ id: 1 }])
    writer.exec('ROLLBACK')
    writer.close()
    await store.close()
  })

  test('is never made by opening it for reading', async () => {
    await expect(openStore({ kind: 'sqlite', path: join(folder.path, 'none.db') }, ignore)).rejects.toThrow(
      /unable to open database file/,
    )
  })

  test('without the relations, or that is none, cannot be opened as a store', async () => {
    const empty = join(folder.path, 'empty.db')
    change(empty, 'CREATE TABLE other (id)')
    await expect(openStore({ kind: 'sqlite', path: empty }, ignore)).rejects.toThrow(/no such table: users/)
    const text = join(folder.path, 'text.db')
    writeFileSync(text, 'id,username\n'.repeat(1000))
    await expect(openStore({ kind: 'sqlite', path: text }, ignore)).rejects.toThrow(/not a database/)
  })

  test('that is cut off under an open store is an outage, not a miss', async () => {
    const location = join(folder.path, 'cut.db')
    createTables(location)
    change(location, `${insert}; PRAGMA wal_checkpoint(TRUNCATE)`)
    const store = await openStore({ kind: 'sqlite', path: location }, ignore)
    // By now, part of the file is read in place.
    expect(await store.findApps(['1'])).toMatchObject([{ id: 1 }])
    truncateSync(location, 4096)
    await expect(async () => store.findApps(['1'])).rejects.toMatchObject({ code: 'Unavailable' })
    await expect(async () => store.findUsers('ID', ['1'])).rejects.toMatchObject({ code: 'Unavailable' })
    await store.close()
  })
})
