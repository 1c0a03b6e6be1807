import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished } from 'vitest'
import { temporaryFolder } from '../kit/gateway.ts'
import { test } from '../kit/test.ts'
import { displayNames, orderIn, writeNames } from './support/collations.ts'

test.for([
  ['displayName', 'BINARY', ''],
  ['displayName desc', 'BINARY', 'DESC'],
  ['displayName, no case', 'NOCASE', ''],
  ['displayName, no case desc', 'NOCASE', 'DESC'],
] as const)('entries.users %s is ORDER BY name COLLATE %s %s of SQLite', async (row, { withSettings }) => {
  const [order, collation, direction] = row
  const { path, remove } = temporaryFolder()
  const database = new DatabaseSync(':memory:')
  onTestFinished(() => {
    database.close()
    remove()
  })
  database.exec('CREATE TABLE names (id INTEGER PRIMARY KEY, name TEXT)')
  const insert = database.prepare('INSERT INTO names (name) VALUES (?)')
  for (const name of displayNames) insert.run(name)
  const sorted = database.prepare(`SELECT id FROM names ORDER BY name COLLATE ${collation} ${direction}, id`)
  const { url } = await withSettings({ 'entries.users': order }, writeNames(path))
  expect(await orderIn(url)).toEqual(sorted.all().map(({ id }) => id))
})
