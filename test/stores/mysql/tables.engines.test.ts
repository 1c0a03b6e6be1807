// `lookup migrate` over MariaDB and MySQL.

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { makeTables } from '../../../src/stores/transfer.ts'
import type { TestDatabase } from '../../kit/engine.ts'
import { openDatabase } from '../../kit/engines.ts'
import { mysqlEngine } from '../../kit/mysql/engine.ts'
import { flavours } from '../../kit/mysql/programs.ts'
import { makeRelations } from '../servers/support.ts'

const published = readFileSync(new URL('../../../schema/mysql.sql', import.meta.url), 'utf8')

describe.for(flavours)('%s', (flavour) => {
  const makeOwn = (options = '') => openDatabase(mysqlEngine(flavour), () => {}, options)
  const shapeOf = async ({ run }: TestDatabase) => [
    await run(
      `SELECT table_name, column_name, column_type, is_nullable, column_key, character_set_name, collation_name
       FROM information_schema.columns WHERE table_schema = database() ORDER BY table_name, ordinal_position`,
    ),
    await run(
      `SELECT table_name, index_name, column_name, non_unique FROM information_schema.statistics
       WHERE table_schema = database() ORDER BY 1, 2, 3`,
    ),
    await run(
      `SELECT table_name, table_type, engine, table_collation FROM information_schema.tables
       WHERE table_schema = database() ORDER BY 1`,
    ),
  ]

  test('makes what schema/mysql.sql says, whatever the defaults of the database', async () => {
    const [ours, theirs] = [await makeOwn('CHARACTER SET latin1'), await makeOwn()]
    await makeTables(ours.location)
    await theirs.run(published)
    expect(await shapeOf(ours)).toEqual(await shapeOf(theirs))
  })

  test('twice is once, also at the same time, and the data stays', async () => {
    const database = await makeOwn()
    await Promise.all([1, 2, 3].map(() => makeTables(database.location)))
    await database.run(`INSERT INTO apps VALUES (1, 'T', '1.0.0', 1, 'x', 'x/1/')`)
    const before = await shapeOf(database)
    await makeTables(database.location)
    expect(await shapeOf(database)).toEqual(before)
    expect(await database.run('SELECT id FROM apps')).toEqual([[1]])
  })

  test('adds what is missing, and leaves views alone', async () => {
    const database = await makeOwn()
    await makeRelations(database, 'views')
    await database.run('DROP VIEW apps')
    await makeTables(database.location)
    expect(
      await database.run(
        `SELECT table_name, table_type FROM information_schema.tables
         WHERE table_schema = database() AND table_name IN ('users', 'apps') ORDER BY 1`,
      ),
    ).toEqual([
      ['apps', 'BASE TABLE'],
      ['users', 'VIEW'],
    ])
  })
})
