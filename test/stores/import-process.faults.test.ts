// Imports by other processes: one that is killed, one whose session or server is, and two at once.

import { once } from 'node:events'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { OwnDatabase } from '../../src/config/database.ts'
import { users } from '../../src/data/users.ts'
import { makeTables, openImporter } from '../../src/stores/transfer.ts'
import type { DatabaseServer } from '../kit/database-server.ts'
import type { Database, TestEngine } from '../kit/engine.ts'
import { engines } from '../kit/engines.ts'
import { note } from '../kit/figures.ts'
import { fill, temporaryFolder } from '../kit/gateway.ts'
import { startCuttingProxy } from '../kit/proxy.ts'
import { outcomeOf, startLookup } from '../kit/run-lookup.ts'
import { csv, stageValid, user } from './import-data.ts'
import { query } from './sqlite/support.ts'

const ROWS = 100_000
const OLD_ROWS = 1_000
/** A slow machine gives time to report the progress. */
const progress = /^(?:users: .*\n)*$/
const inputCsv = ['-', '--format', 'csv']

interface ImportedDatabase {
  readonly location: OwnDatabase
  readonly url: string
  readonly run: (sql: string) => unknown[][] | Promise<unknown[][]>
}

/** The promise that holds over SQLite and over servers, and what its tests need. */
function killedSuite(name: string, target: () => ImportedDatabase, folder: string) {
  const importing = (file: readonly string[], ...flags: readonly string[]) => {
    const args = ['import', 'users', ...file, '--replace', '--database', target().url, ...flags]
    const child = startLookup(args, { cwd: folder })
    child.stdin.on('error', () => {})
    return { child, ended: outcomeOf(child) }
  }
  const versions = () => target().run('SELECT display_name, count(*) FROM users GROUP BY display_name')
  async function expectOldDataWhole() {
    expect(await versions()).toEqual([['version old', OLD_ROWS]])
    expect(await target().run(`SELECT id FROM users WHERE username_key = 'user 7'`)).toEqual([[7]])
  }
  /** Ends an import, and makes another one. */
  async function expectWhole(
    { child, ended }: ReturnType<typeof importing>,
    signal: NodeJS.Signals,
    stderr: unknown = expect.any(String),
  ) {
    child.kill(signal)
    expect(await ended).toMatchObject({ status: signal, stdout: '', stderr })
    await expectOldDataWhole()
    const outcome = await importing(['next.csv']).ended
    expect(outcome).toMatchObject({ status: 0, stderr: expect.stringMatching(progress) })
    expect(await versions()).toEqual([['version next', OLD_ROWS]])
  }
  /** An import from a pipe that has taken half of the rows, and waits for more. */
  async function feedHalf() {
    const { child, ended } = importing(inputCsv)
    if (!child.stdin.write(csv('new', ROWS / 2))) await once(child.stdin, 'drain')
    return { child, ended }
  }

  beforeEach(async () => {
    await makeTables(target().location)
    await fill(target().location, 'users', join(folder, 'old.csv'))
  })

  test('killed half-way from a pipe: the old rows are whole, and the next import works', async (context) => {
    const fed = await feedHalf()
    await sleep(100)
    await expectWhole(fed, 'SIGKILL')
    const what = `an import into ${name}, killed half-way`
    note(context, { promise: 11, what, bound: 'the old data whole', measured: 'whole' })
  })
  return { importing, feedHalf, versions, expectOldDataWhole, expectWhole }
}

const { path: folder, remove } = temporaryFolder()
beforeAll(() => {
  writeFileSync(join(folder, 'old.csv'), csv('old', OLD_ROWS))
  writeFileSync(join(folder, 'new.csv'), csv('new', ROWS))
  writeFileSync(join(folder, 'next.csv'), csv('next', OLD_ROWS))
})
afterAll(remove)

describe('an import into SQLite', () => {
  const path = join(folder, 'test.db')
  const run = (sql: string) => query(path, sql)
  const location = { kind: 'sqlite', path } as const
  const suite = killedSuite('SQLite', () => ({ location, url: `sqlite:${path}`, run }), folder)
  afterEach(() => expect(run('PRAGMA integrity_check')).toEqual([['ok']]))

  test('killed while much is in the WAL: the old rows are whole, and the next import works', async () => {
    const started = suite.importing(['new.csv'])
    const written = () => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
    while (written() < 2 ** 20 && started.child.exitCode === null) await sleep(2)
    await suite.expectWhole(started, 'SIGKILL')
  })
})

/**
 * How the statements begin that wait for other writers, move the rows, wait for another import, and commit.
 */
const statements = {
  postgres: {
    locking: 'LOCK TABLE users',
    filling: 'INSERT INTO users',
    waiting: 'SELECT pg_advisory_xact_lock',
    // And not the table that is dropped ON COMMIT.
    committing: 'COMMIT\0',
  },
  mysql: {
    locking: 'DELETE FROM `users`',
    filling: 'INSERT INTO `users`',
    waiting: 'SELECT get_lock',
    committing: 'COMMIT',
  },
} as const

describe.for(engines)('an import into $name', (engine: TestEngine) => {
  const { locking, filling, waiting, committing } = statements[engine.kind]
  let server: DatabaseServer
  let database: Database
  const suite = killedSuite(engine.name, () => database, folder)
  beforeAll(async () => {
    server = await engine.startServer()
    await server.run('CREATE DATABASE test')
    database = server.database('test')
  })
  afterAll(() => server.remove())
  afterEach(() => database.run('DROP TABLE users'))

  /** Waits until a session is at a statement. @returns the session */
  async function untilAt(statement: string): Promise<unknown> {
    let sessions: unknown[][] = []
    const look = async () => {
      sessions = await database.run(engine.words.asking(`${statement}%`))
      return sessions
    }
    await expect.poll(look, { interval: 5, timeout: 20_000 }).not.toEqual([])
    return sessions[0]?.[0]
  }

  test('killed while rows go in: the old rows are whole', async () => {
    const started = suite.importing(['new.csv'])
    await untilAt(filling)
    await sleep(300)
    await suite.expectWhole(started, 'SIGKILL')
  })

  const interrupted = expect.stringMatching(/^(?:users: .*\n)*Interrupted\. Nothing was changed\.\n$/)
  test('ended by SIGTERM: the old rows are whole', async () => {
    await suite.expectWhole(await suite.feedHalf(), 'SIGTERM', interrupted)
  })

  test('that loses its session says so, and what to do', async () => {
    const writer = await database.connect()
    await writer.run('BEGIN; UPDATE users SET join_date = 0')
    const { ended } = suite.importing(['new.csv'])
    await untilAt(locking)
      .then((session) => database.run(engine.words.endSession(session)))
      .finally(writer.end)
    const lost =
      /the connection was lost during the import \(.+\)\. See the log of the server .*, and import again\.\n$/
    expect(await ended).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(lost) })
    await suite.expectOldDataWhole()
  })

  test('that loses its session during COMMIT does not say that nothing was imported', async () => {
    const proxy = await startCuttingProxy(server.port, committing)
    onTestFinished(proxy.close)
    const through = database.url.replace(`:${server.port}/`, `:${proxy.port}/`)
    const unknown = /^(?:users: .*\n)*The outcome of the import is unknown: .* lost during COMMIT .*\n$/
    const outcome = await suite.importing(['new.csv'], '--database', through).ended
    expect(outcome).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(unknown) })
    expect(await suite.versions()).toEqual([['version new', ROWS]])
  })

  test('waits for another import, which SIGTERM ends, and for 10 s at most', async () => {
    const first = await openImporter(database.location, users, true)
    await stageValid(first, [user(1, 'first')])
    const late = await suite.importing(['new.csv']).ended
    const isBusy =
      /another import .*(?:running|in progress|under way).*[:.] try again when it has ended\.\n$/i
    expect(late).toMatchObject({ status: 1, stderr: expect.stringMatching(isBusy) })
    const { child, ended } = suite.importing(['new.csv'])
    await untilAt(waiting)
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ status: 'SIGTERM', stderr: interrupted })
    const second = suite.importing(['next.csv']).ended
    await untilAt(waiting)
    await first.commit()
    await first.close()
    expect(await second).toMatchObject({ status: 0 })
    expect(await suite.versions()).toEqual([['version next', OLD_ROWS]])
  })

  test('whose server dies says so, and the old rows are whole when it is back', async () => {
    const { child, ended } = suite.importing(inputCsv)
    child.stdin.write(csv('new', 20_000))
    await sleep(500)
    await server.kill()
    child.stdin.end(csv('new', 20_000, 20_001).replace(/^.*\n/, ''))
    const { status, stdout, stderr } = await ended
    await server.start()
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(
      /Import failed\. Nothing was changed\. The database of DATABASE_URL \(.*\) cannot be used: (?:the connection was lost|connect ECONNREFUSED) .*\n$/,
    )
    await suite.expectOldDataWhole()
  })
})
