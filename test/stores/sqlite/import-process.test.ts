// Imports by other processes: one that is killed, and two at once.

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { users } from '../../../src/data/users.ts'
import type { SqliteLocation } from '../../../src/database-location.ts'
import { openImporter } from '../../../src/stores/transfer.ts'
import { note } from '../../kit/figures.ts'
import { fill, temporaryFolder } from '../../kit/gateway.ts'
import { outcomeOf, runLookup, startLookup } from '../../kit/run-lookup.ts'
import { csv } from '../import-data.ts'
import { killHalfFed, makeVersions, OLD_ROWS, progress, ROWS, versions } from '../import-process.ts'
import { query } from './support.ts'

const versionsIn = (path: string) => query(path, versions)

describe('an import that is killed half-way', () => {
  let folder: ReturnType<typeof makeVersions>
  let database: SqliteLocation
  const importing = (file: string, ...flags: string[]) =>
    startLookup(['import', 'users', file, '--replace', '--database', `sqlite:${database.path}`, ...flags], {
      cwd: folder.path,
    })

  beforeEach(async () => {
    folder = makeVersions()
    database = { kind: 'sqlite', path: join(folder.path, 'test.db') }
    await fill(database, 'users', join(folder.path, 'old.csv'))
  })
  afterEach(() => folder.remove())

  async function expectOldDataWhole() {
    expect(versionsIn(database.path)).toEqual([['version old', OLD_ROWS]])
    expect(query(database.path, 'PRAGMA integrity_check')).toEqual([['ok']])
    expect(query(database.path, `SELECT id FROM users WHERE username_key = 'user 7'`)).toEqual([[7]])
  }

  async function expectNextImportWorks() {
    expect(await outcomeOf(importing('new.csv'))).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(progress),
    })
    expect(versionsIn(database.path)).toEqual([['version new', ROWS]])
    expect(query(database.path, 'PRAGMA integrity_check')).toEqual([['ok']])
  }

  test('from a file: the old data is whole, and the next import works', async () => {
    const child = importing('new.csv')
    const ended = outcomeOf(child)
    // New rows are on the disk, in the log beside the database, long before all of them are.
    const log = `${database.path}-wal`
    while ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) < 2 ** 20 && child.exitCode === null)
      await sleep(2)
    child.kill('SIGKILL')
    expect(await ended).toMatchObject({ status: 'SIGKILL' })
    await expectOldDataWhole()
    await expectNextImportWorks()
  })

  test('from a pipe: the old data is whole, and the next import works', async (context) => {
    await killHalfFed(importing('-', '--format', 'csv'))
    await expectOldDataWhole()
    await expectNextImportWorks()
    const what = 'an import into SQLite, killed half-way'
    note(context, { promise: 11, what, bound: 'the old data whole', measured: 'whole' })
  })
})

test('an import waits for another that is going on', async () => {
  const folder = temporaryFolder()
  const database: SqliteLocation = { kind: 'sqlite', path: join(folder.path, 'test.db') }
  const first = await openImporter(database, users, { replace: true, bulk: true })
  await first.add([[1, 'first', null, 'version first', 1, 1, 1, 0]])
  const args = ['import', 'users', '-', '--format', 'csv', '--database', `sqlite:${database.path}`]
  const second = runLookup(args, { cwd: folder.path }, csv('second', 10, 2))
  await sleep(700)
  await first.commit()
  await first.close()
  expect(await second).toMatchObject({ status: 0 })
  expect(versionsIn(database.path)).toEqual([
    ['version first', 1],
    ['version second', 10],
  ])
  folder.remove()
})
