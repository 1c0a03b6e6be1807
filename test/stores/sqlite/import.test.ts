import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apps } from '../../../src/data/apps.ts'
import type { Relation } from '../../../src/data/relation.ts'
import { users } from '../../../src/data/users.ts'
import type { SqliteLocation } from '../../../src/database-location.ts'
import { makeTables, openExport, openImporter } from '../../../src/stores/transfer.ts'
import { temporaryFolder } from '../../kit/gateway.ts'
import { importSuite } from '../import-suite.ts'
import { change, query } from './support.ts'
import { views } from './views.ts'

const ada = [1, 'ada', null, 'Ada', 1, 2, 1, 0]

importSuite('SQLite', async () => {
  const folder = temporaryFolder()
  const path = join(folder.path, 'test.db')
  await makeTables({ kind: 'sqlite', path })
  return {
    begin: (relation, options) => openImporter({ kind: 'sqlite', path }, relation, options),
    rows: ({ name, columns, derived }) => {
      const names = columns.map(({ sql }) => sql)
      return query(path, `SELECT ${[...names, derived?.sql ?? []].flat().join()} FROM ${name} ORDER BY id`)
    },
    close: folder.remove,
  }
})

describe('an import into an SQLite file', () => {
  let folder: ReturnType<typeof temporaryFolder>
  beforeAll(() => {
    folder = temporaryFolder()
  })
  afterAll(() => folder.remove())
  const locate = (name: string): SqliteLocation => ({ kind: 'sqlite', path: join(folder.path, name) })

  async function importOne(
    database: SqliteLocation,
    relation: Relation,
    row: readonly (string | number | null)[],
  ) {
    const importer = await openImporter(database, relation, { replace: true, bulk: true })
    try {
      await importer.add([row])
      await importer.commit()
    } finally {
      await importer.close()
    }
  }

  test('makes the file and the tables that are missing', async () => {
    const database = locate('fresh.db')
    await importOne(database, users, ada)
    expect(await Array.fromAsync(openExport(database, users))).toEqual([ada])
  })

  test('leaves the same tables and indexes as migrate', async () => {
    const database = locate('bulk.db')
    await makeTables(database)
    const objects = `SELECT type, name, sql FROM sqlite_schema ORDER BY name`
    const before = query(database.path, objects)
    await importOne(database, users, ada)
    expect(query(database.path, objects)).toEqual(before)
    expect(query(database.path, 'PRAGMA integrity_check')).toEqual([['ok']])
  })

  test("keeps an operator's own index", async () => {
    const database = locate('index.db')
    await makeTables(database)
    change(database.path, 'CREATE INDEX users_by_rank ON users (rank)')
    await importOne(database, users, ada)
    expect(query(database.path, `SELECT name FROM sqlite_schema WHERE name = 'users_by_rank'`)).toHaveLength(
      1,
    )
  })

  test.for([users, apps])('is refused where the relation is a view: $name', async (relation) => {
    const database = locate(`views-${relation.name}.db`)
    change(database.path, views)
    for (const replace of [true, false]) {
      await expect(openImporter(database, relation, { replace, bulk: true })).rejects.toThrow(
        `${relation.name} is a view in this database: import into the tables that it reads`,
      )
    }
    // Nothing is left open or locked.
    change(database.path, 'PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; DROP TABLE ban; COMMIT')
  })
})
