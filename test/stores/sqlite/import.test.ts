// Imports into an SQLite file: one that is there, one that is not, and one that another program has open.

import { existsSync, readdirSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'vitest'
import { apps } from '../../../src/data/apps.ts'
import type { Relation } from '../../../src/data/relation.ts'
import { users } from '../../../src/data/users.ts'
import { beginImport } from '../../../src/stores/sqlite/import.ts'
import { makeTables, openExport, openImporter } from '../../../src/stores/transfer.ts'
import { createClock } from '../../kit/clock.ts'
import { temporaryFolder } from '../../kit/gateway.ts'
import { test as base } from '../../kit/test.ts'
import { importInto, range, staged, stageValid, user } from '../import-data.ts'
import { importSuite } from '../import-suite.ts'
import { change, query, views } from './support.ts'

importSuite('SQLite', async () => {
  const folder = temporaryFolder()
  const path = join(folder.path, 'test.db')
  await makeTables({ kind: 'sqlite', path })
  return {
    begin: (relation, replace) => openImporter({ kind: 'sqlite', path }, relation, replace),
    rows: ({ name, columns, derived }) => {
      const names = columns.map(({ sql }) => sql)
      return query(path, `SELECT ${[...names, derived?.sql ?? []].flat().join()} FROM ${name} ORDER BY id`)
    },
    close: folder.remove,
  }
})

const test = base.extend('path', ({ place }) => join(place.path, 'test.db'))
const begin = (path: string, replace = false, relation: Relation = users) =>
  openImporter({ kind: 'sqlite', path }, relation, replace)
const idsIn = (path: string) => query(path, 'SELECT id FROM users ORDER BY id').flat()
const importOne = async (path: string, id: number) => importInto(await begin(path), [user(id)])

test('an import leaves the same tables and indexes as migrate, and those of the operator', async ({
  path,
}) => {
  await makeTables({ kind: 'sqlite', path })
  change(path, 'CREATE INDEX users_by_rank ON users (rank)')
  const objects = `SELECT type, name, sql FROM sqlite_schema ORDER BY name`
  const before = query(path, objects)
  await importOne(path, 1)
  expect(query(path, objects)).toEqual(before)
  expect(query(path, 'PRAGMA integrity_check')).toEqual([['ok']])
})

test('an import tells how far it is, and what it does', async ({ path }) => {
  await importOne(path, 1)
  const importer = await begin(path, true)
  await importer.stage(range(1, 50_000).map((id) => staged(user(id), id)))
  const steps: string[] = []
  const watcher = { onMove: (share: number, step: string) => steps.push(`${step}: ${share.toFixed(1)}`) }
  expect(await Array.fromAsync(importer.findProblems(watcher))).toEqual([])
  await importer.commit(watcher)
  await importer.close()
  expect([...new Set(steps)]).toEqual([
    'deleting the old rows: 0.0',
    ...['0.0', '0.4', '0.8', '1.0'].map((share) => `moving the rows: ${share}`),
    'creating the indexes: 1.0',
  ])
  expect(query(path, 'SELECT count(DISTINCT username_key) FROM users')).toEqual([[50_000]])
})

test('an import into a view is refused', async ({ path }) => {
  change(path, views)
  await expect(begin(path)).rejects.toThrow(
    'users is a view in this database: import into the tables that it reads',
  )
  // Nothing is left open or locked.
  change(path, 'PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; DROP TABLE shop_releases; COMMIT')
})

test.for([
  ['CREATE UNIQUE INDEX own ON users (display_name)', 'UNIQUE constraint failed: users.display_name'],
  [
    `CREATE TRIGGER own BEFORE INSERT ON users WHEN NEW.id = 2 BEGIN SELECT RAISE(ABORT, 'not this one'); END`,
    'not this one',
  ],
] as const)(
  'an import fails with the reason of a rule of the operator: %s',
  async ([sql, reason], { path }) => {
    await makeTables({ kind: 'sqlite', path })
    change(path, sql)
    const rows = [user(1), user(2).with(3, 'Name 1')]
    for (const replace of [true, false])
      await expect(importInto(await begin(path, replace), rows)).rejects.toThrow(reason)
    await importOne(path, 1)
    expect(idsIn(path)).toEqual([1])
  },
)

test('an import fails if another file takes its place, and leaves that one alone', async ({ path }) => {
  const importer = await begin(path)
  await stageValid(importer, [user(1)])
  change(`${path}.other`, 'CREATE TABLE other (id)')
  renameSync(`${path}.other`, path)
  await expect(importer.commit()).rejects.toThrow(
    /test\.db was replaced by another file during the import\. Run the import again/,
  )
  await importer.close()
  expect(query(path, 'SELECT name FROM sqlite_schema')).toEqual([['other']])
})

test('an import waits for another import, and for 10 s at most', async ({ path }) => {
  const first = await begin(path)
  await stageValid(first, [user(1)])
  const clock = createClock()
  let late = beginImport(path, users, false, clock)
  late.catch(() => {})
  await clock.advance(10_100)
  await expect(late).rejects.toThrow('database is locked')
  late = beginImport(path, users, false, clock)
  await clock.advance(5_000)
  await first.commit()
  await first.close()
  await clock.advance(50)
  await importInto(await late, [user(2)])
  expect(idsIn(path)).toEqual([1, 2])
})

test('an import makes the file and both tables, which nobody sees before the commit', async ({
  place,
  path,
}) => {
  const importer = await begin(path)
  await stageValid(importer, [user(1)])
  expect(query(path, 'SELECT name FROM sqlite_schema')).toEqual([])
  await importer.commit()
  await importer.close()
  expect(readdirSync(place.path)).not.toContain('test.db-wal')
  expect(await Array.fromAsync(openExport({ kind: 'sqlite', path }, users))).toEqual([user(1)])
  expect(query(path, 'SELECT count(*) FROM apps')).toEqual([[0]])
  expect(query(path, 'PRAGMA journal_mode')).toEqual([['wal']])
})

test('an import that fails leaves the file that it has made to another one that waits', async ({ path }) => {
  const first = await begin(path)
  await stageValid(first, [user(1)])
  const second = begin(path)
  await turn()
  await first.close()
  await importInto(await second, [user(2)])
  expect(idsIn(path)).toEqual([2])
})

test('an import that fails does not remove what another program has put there', async ({ path }) => {
  const failing = await begin(path)
  renameSync(path, `${path}.away`)
  change(path, 'CREATE TABLE other (id)')
  await failing.close()
  expect(query(path, 'SELECT count(*) FROM other')).toEqual([[0]])
})

test('an import behind a link makes the file there, and takes it away if it fails', async ({
  place,
  path,
}) => {
  const real = `${path}.real`
  symlinkSync('test.db.real', path)
  const failing = await begin(path)
  expect(existsSync(real)).toBe(true)
  await failing.close()
  expect(readdirSync(place.path).filter((name) => name.startsWith('test.db.real'))).toEqual([])
  await importInto(await begin(path, false, apps), [])
  expect(query(real, 'SELECT count(*) FROM apps')).toEqual([[0]])
})
