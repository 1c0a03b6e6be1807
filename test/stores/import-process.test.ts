// Imports into servers by other processes: one that is killed, one whose server is, and two at once.

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { users } from '../../src/data/users.ts'
import { makeTables, openImporter } from '../../src/stores/transfer.ts'
import { startCuttingProxy } from '../kit/cutting-proxy.ts'
import type { DatabaseServer } from '../kit/database-server.ts'
import { type Database, databaseOf } from '../kit/engine.ts'
import { engines } from '../kit/engines.ts'
import { note } from '../kit/figures.ts'
import { fill } from '../kit/gateway.ts'
import { outcomeOf, runLookup, startLookup } from '../kit/run-lookup.ts'
import { csv, user } from './import-data.ts'
import { feedHalf, killHalfFed, makeVersions, OLD_ROWS, progress, ROWS, versions } from './import-process.ts'

/** How the statements begin that rows go in by, and that wait for another import. */
const statements = {
  postgres: { filling: 'COPY users', waiting: 'SELECT pg_advisory_xact_lock' },
  mysql: { filling: 'LOAD DATA LOCAL', waiting: 'SELECT get_lock' },
} as const

describe.for(engines)('an import into $name', (engine) => {
  const { filling, waiting } = statements[engine.kind]
  let server: DatabaseServer
  let database: Database
  let folder: ReturnType<typeof makeVersions>
  beforeAll(async () => {
    folder = makeVersions()
    server = await engine.startServer()
    await server.run('CREATE DATABASE test')
    database = databaseOf(server, 'test', engine.locate)
  })
  afterAll(async () => {
    await server.remove()
    folder.remove()
  })

  beforeEach(async () => {
    await makeTables(database.location)
    await fill(database.location, 'users', join(folder.path, 'old.csv'))
  })
  afterEach(() => database.run('DROP TABLE users'))

  const importing = (file: string, ...flags: string[]) =>
    startLookup(['import', 'users', file, '--replace', '--database', database.url, ...flags], {
      cwd: folder.path,
    })

  async function expectOldDataWhole() {
    expect(await database.run(versions)).toEqual([['version old', OLD_ROWS]])
    expect(await database.run(`SELECT id FROM users WHERE username_key = 'user 7'`)).toEqual([[7]])
  }

  async function expectNextImportWorks() {
    expect(await outcomeOf(importing('new.csv'))).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(progress),
    })
    expect(await database.run(versions)).toEqual([['version new', ROWS]])
  }

  /** Until a session of the import is at a statement. @returns the session */
  async function untilAt(statement: string): Promise<unknown> {
    let sessions: unknown[][] = []
    const look = async () => {
      sessions = await database.run(engine.words.asking(`${statement}%`))
      return sessions
    }
    await expect.poll(look, { interval: 5, timeout: 20_000 }).not.toEqual([])
    return sessions[0]?.[0]
  }

  describe('that is killed half-way', () => {
    test.for([0, 200, 500])(
      '%i ms after it began: the old data is whole, and the next import works',
      async (later) => {
        const child = importing('new.csv')
        const ended = outcomeOf(child)
        await untilAt(filling)
        await sleep(later)
        child.kill('SIGKILL')
        expect(await ended).toMatchObject({ status: 'SIGKILL' })
        await expectOldDataWhole()
        await expectNextImportWorks()
      },
    )

    test('from a pipe: the old data is whole, and the next import works', async (context) => {
      await killHalfFed(importing('-', '--format', 'csv'))
      await expectOldDataWhole()
      await expectNextImportWorks()
      const what = `an import into ${engine.name}, killed half-way`
      note(context, { promise: 11, what, bound: 'the old data whole', measured: 'whole' })
    })

    test.for(['SIGTERM', 'SIGINT'] as const)(
      'or ended by %s: the old data is whole, and the next import works',
      async (signal) => {
        const child = importing('-', '--format', 'csv')
        const ended = outcomeOf(child)
        await feedHalf(child)
        child.kill(signal)
        expect(await ended).toEqual({
          status: signal,
          stdout: '',
          stderr: expect.stringMatching(/^(?:users: .*\n)*Interrupted\. Nothing was changed\.\n$/),
        })
        await expectOldDataWhole()
        await expectNextImportWorks()
      },
    )

    test('or ended while it waits for another', async () => {
      const first = await openImporter(database.location, users, { replace: true, bulk: true })
      const child = importing('new.csv')
      const ended = outcomeOf(child)
      await untilAt(waiting)
      child.kill('SIGTERM')
      expect(await ended).toMatchObject({
        status: 'SIGTERM',
        stderr: expect.stringContaining('Interrupted.'),
      })
      await first.close()
      await expectOldDataWhole()
      await expectNextImportWorks()
    })
  })

  test('that loses its session says so, and what to do', async () => {
    const ended = outcomeOf(importing('new.csv'))
    await database.run(engine.words.endSession(await untilAt(filling)))
    const lost =
      /the connection was lost during the import \(.+\)\. See the log of the server .*, and import again\.\n$/
    expect(await ended).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(lost) })
    await expectOldDataWhole()
  })

  test('that loses its session during COMMIT does not say that nothing was imported', async () => {
    const proxy = await startCuttingProxy(server.port, 'COMMIT')
    onTestFinished(proxy.close)
    const through = database.url.replace(`:${server.port}/`, `:${proxy.port}/`)
    const args = ['import', 'users', 'new.csv', '--replace', '--database', through]
    expect(await outcomeOf(startLookup(args, { cwd: folder.path }))).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^(?:users: .*\n)*The outcome of the import is unknown: .* lost during COMMIT .*\n$/,
      ),
    })
    expect(await database.run(versions)).toEqual([['version new', ROWS]])
  })

  test('that has waited for another for 10 s says so', async () => {
    const first = await openImporter(database.location, users, { replace: true, bulk: true })
    const second = await outcomeOf(importing('new.csv'))
    expect(second).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /another import .*(?:running|in progress|under way).*[:.] try again when it has ended\.\n$/i,
      ),
    })
    await first.close()
    await expectOldDataWhole()
  })

  test('waits for another that is going on', async () => {
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

  test('whose server dies says so, and the old data is whole when it is back', async () => {
    const child = importing('-', '--format', 'csv')
    const ended = outcomeOf(child)
    child.stdin.on('error', () => {})
    child.stdin.write(csv('new', 20_000))
    await sleep(500)
    await server.kill()
    child.stdin.end(csv('new', 20_000, 20_001).replace(/^.*\n/, ''))
    const { status, stdout, stderr } = await ended
    await server.start()
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(
      /Import failed\. Nothing was changed\. The database of DATABASE_URL \(.*\) cannot be used: the connection was lost .*\n$/,
    )
    await expectOldDataWhole()
  })
})
