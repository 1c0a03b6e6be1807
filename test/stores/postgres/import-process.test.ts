// Imports into PostgreSQL by other processes: one that is killed, one whose server is, and two at once.

import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { users } from '../../../src/data/users.ts'
import { makeTables, openImporter } from '../../../src/stores/transfer.ts'
import { note } from '../../support/figures.ts'
import { fill, temporaryFolder } from '../../support/gateway.ts'
import { locate, makeDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { PostgresServer } from '../../support/postgres/server.ts'
import { outcomeOf, runLookup, startLookup } from '../../support/run-lookup.ts'
import { csv, user } from '../import-data.ts'

const ROWS = 200_000
/** What a slow machine gives time to say. */
const progress = /^(?:users: .*\n)*$/
const OLD_ROWS = 1000
const versions = 'SELECT display_name, count(*) FROM users GROUP BY display_name'

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
  writeFileSync(join(folder.path, 'old.csv'), csv('old', OLD_ROWS))
  writeFileSync(join(folder.path, 'new.csv'), csv('new', ROWS))
})
afterEach(() => folder.remove())

const importing = (url: string, file: string, ...flags: string[]) =>
  startLookup(['import', 'users', file, '--replace', '--database', url, ...flags], { cwd: folder.path })

describe('an import that is killed half-way', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await makeDatabase()
    await makeTables(database.location)
    await fill(database.location, 'users', join(folder.path, 'old.csv'))
  })
  afterEach(() => database.remove())

  async function expectOldDataWhole() {
    expect(await database.run(versions)).toEqual([['version old', OLD_ROWS]])
    expect(await database.run(`SELECT id FROM users WHERE username_key = 'user 7'`)).toEqual([[7]])
  }

  async function expectNextImportWorks() {
    expect(await outcomeOf(importing(database.url, 'new.csv'))).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(progress),
    })
    expect(await database.run(versions)).toEqual([['version new', ROWS]])
  }

  /** Until a session of the import is at a statement. */
  async function untilAt(statement: string) {
    const sessions = `SELECT count(*) FROM pg_stat_activity WHERE query LIKE '${statement}%' AND state = 'active'`
    await expect.poll(() => database.run(sessions), { interval: 5, timeout: 20_000 }).toEqual([[1]])
  }

  test.for([0, 200, 500])(
    '%i ms after it began: the old data is whole, and the next import works',
    async (later) => {
      const child = importing(database.url, 'new.csv')
      const ended = outcomeOf(child)
      await untilAt('COPY users')
      await sleep(later)
      child.kill('SIGKILL')
      expect(await ended).toMatchObject({ status: 'SIGKILL' })
      await expectOldDataWhole()
      await expectNextImportWorks()
    },
  )

  test('from a pipe: the old data is whole, and the next import works', async (context) => {
    const child = importing(database.url, '-', '--format', 'csv')
    const ended = outcomeOf(child)
    child.stdin.on('error', () => {})
    if (!child.stdin.write(csv('new', ROWS / 2))) await once(child.stdin, 'drain')
    await sleep(100)
    child.kill('SIGKILL')
    expect(await ended).toMatchObject({ status: 'SIGKILL' })
    await expectOldDataWhole()
    await expectNextImportWorks()
    const what = 'an import into PostgreSQL, killed half-way'
    note(context, { promise: 11, what, bound: 'the old data whole', measured: 'whole' })
  })

  test.for(['SIGTERM', 'SIGINT'] as const)(
    'or ended by %s: the old data is whole, and the next import works',
    async (signal) => {
      const child = importing(database.url, '-', '--format', 'csv')
      const ended = outcomeOf(child)
      child.stdin.on('error', () => {})
      if (!child.stdin.write(csv('new', ROWS / 2))) await once(child.stdin, 'drain')
      child.kill(signal)
      expect(await ended).toEqual({
        status: signal,
        stdout: '',
        stderr: expect.stringMatching(/^(?:users: .*\n)*Interrupted\. Nothing was imported\.\n$/),
      })
      await expectOldDataWhole()
      await expectNextImportWorks()
    },
  )

  test('or ended while it waits for another', async () => {
    const first = await openImporter(database.location, users, { replace: true, bulk: true })
    const child = importing(database.url, 'new.csv')
    const ended = outcomeOf(child)
    await untilAt('SELECT pg_advisory_xact_lock')
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ status: 'SIGTERM', stderr: expect.stringContaining('Interrupted.') })
    await first.close()
    await expectOldDataWhole()
    await expectNextImportWorks()
  })

  test('an import waits for another that is going on', async () => {
    const first = await openImporter(database.location, users, { replace: true, bulk: true })
    await first.add([user(1, 'first')])
    const args = ['import', 'users', '-', '--format', 'csv', '--replace', '--database', database.url]
    const second = runLookup(args, { cwd: folder.path }, csv('second', 10, 2))
    await sleep(700)
    await first.commit()
    await first.close()
    expect(await second).toMatchObject({ status: 0 })
    expect(await database.run(versions)).toEqual([['version second', 10]])
  })
})

test('an import whose server dies says so, and the old data is whole when it is back', async () => {
  const server = await PostgresServer.start(inject('postgres').programs)
  const location = locate(server.url())
  await makeTables(location)
  await fill(location, 'users', join(folder.path, 'old.csv'))
  const child = importing(server.url(), '-', '--format', 'csv')
  const ended = outcomeOf(child)
  child.stdin.on('error', () => {})
  child.stdin.write(csv('new', 20_000))
  await sleep(500)
  await server.kill()
  child.stdin.end(csv('new', 20_000, 20_001).replace(/^.*\n/, ''))
  const { status, stdout, stderr } = await ended
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toMatch(/Nothing was imported\. The database of DATABASE_URL \(.*\) cannot be used: .*\n$/)
  await server.start()
  expect(await server.run(versions)).toEqual([['version old', String(OLD_ROWS)]])
  await server.stop()
})
