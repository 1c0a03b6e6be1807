// Which WAL is read with a file, and which is refused: after all that operators do with files.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../../src/stores/open-store.ts'
import { isForeign } from '../../../src/stores/sqlite/log-owner.ts'
import { makeTables } from '../../../src/stores/transfer.ts'
import { temporaryFolder } from '../../kit/gateway.ts'
import { hasSmallDisks, makeSmallDisk } from '../../kit/small-disk.ts'
import { change } from './support.ts'

let folder: ReturnType<typeof temporaryFolder>
let path: string

const insert = (title: string) =>
  `INSERT OR REPLACE INTO apps VALUES (1, '${title}', '1.0.0', 1, 'https://a.example/', 'https://a.example/1/')`

async function make(name: string): Promise<void> {
  const at = join(folder.path, name)
  await makeTables({ kind: 'sqlite', path: at })
  change(at, insert(name))
}

/** A program that ends without a farewell, which leaves the WAL where it is. */
function killWriter(at: string, sql: string): void {
  const script = `
    const { DatabaseSync } = require('node:sqlite')
    const database = new DatabaseSync(${JSON.stringify(at)})
    database.exec(${JSON.stringify(`PRAGMA wal_autocheckpoint = 0; ${sql}`)})
    process.kill(process.pid, 'SIGKILL')`
  expect(spawnSync(process.execPath, ['-e', script])).toMatchObject({ signal: 'SIGKILL' })
}

/** Each command begins after the clock that the system stamps files with has gone on. */
function run(commands: string, env: Readonly<Record<string, string>> = {}): void {
  const script = ['set -e', ...commands.split('; ').flatMap((command) => ['sleep 0.02', command])].join('\n')
  const { status, stderr } = spawnSync('sh', ['-c', script], {
    cwd: folder.path,
    env: { PATH: process.env.PATH, ...env },
  })
  expect({ status, stderr: String(stderr) }).toEqual({ status: 0, stderr: '' })
}

beforeEach(async () => {
  folder = temporaryFolder()
  path = join(folder.path, 'lookup.db')
  mkdirSync(join(folder.path, 'backup'))
  await make('older.db')
  await make('lookup.db')
  killWriter(path, insert('in the WAL'))
  run('sleep 0')
  await make('younger.db')
})
afterEach(() => folder.remove())

const keepsBirths = statSync('.', { bigint: true }).birthtimeNs > 0n

/** Takes a backup of both, and the originals away. */
const backUp = 'cp -p lookup.db lookup.db-wal backup; rm lookup.db*'

const withoutTimes = `${backUp}; cp backup/lookup.db-wal .; cp backup/lookup.db .`

describe.skipIf(!keepsBirths)('the WAL of another file is told where', () => {
  test.for([
    ['an older file is renamed into its place', 'mv older.db lookup.db'],
    ['a younger file is renamed into its place', 'mv younger.db lookup.db'],
    [
      'and gets another owner and mode then',
      'mv older.db lookup.db; chmod 600 lookup.db; chown $(id -u) lookup.db',
    ],
    ['a copy is', 'cp older.db copy.db; mv copy.db lookup.db'],
    ['it is removed, and copied anew', 'rm lookup.db; cp older.db lookup.db'],
    ['so with its time', 'rm lookup.db; cp -p older.db lookup.db'],
    ['it is removed, and a link made to another', 'rm lookup.db; ln older.db lookup.db'],
    [
      'it comes out of an archive',
      'mv older.db backup/lookup.db; tar -C backup -cf a.tar lookup.db; tar -xf a.tar',
    ],
    // As SQLite itself does where root opens the two.
    ['the owner of all is set then', 'mv older.db lookup.db; chown -R $(id -u) .'],
    [
      'a pair was restored, and another file put there later',
      `${backUp}; cp -p backup/lookup.db* .; sleep 1.1; mv older.db lookup.db`,
    ],
    // Nothing tells these from a file that is copied anew, and from one that is renamed before `chown -R`. The
    // message says what to do.
    ['a pair is copied without its times, the log first', withoutTimes],
    [
      'a pair is renamed, one by one',
      'mkdir d; mv lookup.db d; mv lookup.db-wal d; mv d/lookup.db .; mv d/lookup.db-wal .',
    ],
  ] as const)('%s', ([, commands]) => {
    run(commands)
    expect(isForeign(`${path}-wal`, path)).toBe(true)
  })

  test('the file is renamed while the clock of the system shows the time of the last write', () => {
    run('mv older.db lookup.db')
    const { ctimeNs } = statSync(path, { bigint: true })
    run(
      `touch -d @${ctimeNs / 1_000_000_000n}.${String(ctimeNs % 1_000_000_000n).padStart(9, '0')} lookup.db-wal`,
    )
    expect(isForeign(`${path}-wal`, path)).toBe(true)
  })
})

/** What is read then, and whether the WAL is. */
async function readTitle(): Promise<string | undefined> {
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(0)
  const store = await openStore({ kind: 'sqlite', path }, () => {})
  const [app] = await store.findApps(['1'])
  await store.close()
  return app === null || app instanceof Error ? undefined : app?.title
}

describe('a WAL is read with its file where', () => {
  test.for([
    ['neither was touched', 'true'],
    ['an operator says so', `${withoutTimes}; touch lookup.db-wal`],
    [
      'both were copied with their times',
      `${backUp}; cp -p backup/lookup.db .; cp -p backup/lookup.db-wal .`,
    ],
    ['so, the log first', `${backUp}; cp -p backup/lookup.db-wal .; cp -p backup/lookup.db .`],
    ['both were copied, the file first', `${backUp}; cp backup/lookup.db .; cp backup/lookup.db-wal .`],
    ['both come out of an archive', `tar -cf a.tar lookup.db lookup.db-wal; rm lookup.db*; tar -xf a.tar`],
    ['so, the log first', `tar -cf a.tar lookup.db-wal lookup.db; rm lookup.db*; tar -xf a.tar`],
  ] as const)('%s', async ([, commands]) => {
    run(commands)
    expect(await readTitle()).toBe('in the WAL')
  })

  // Other files of the folder did not come or go meanwhile.
  test.for([
    ['its mode is changed', 'chmod 600 lookup.db'],
    ['its owner is set', 'chown $(id -u) lookup.db'],
    ['the owner of all is set', 'chown -R $(id -u) .'],
    ['it is linked to from elsewhere', 'ln lookup.db backup/lookup.db'],
  ] as const)('%s', async ([, commands]) => {
    killWriter(path, insert('last'))
    run(commands)
    expect(await readTitle()).toBe('last')
  })

  test.skipIf(!hasSmallDisks()).for([
    ['the file first', 'mv "$disk/lookup.db" .; mv "$disk/lookup.db-wal" .'],
    ['the log first', 'mv "$disk/lookup.db-wal" .; mv "$disk/lookup.db" .'],
  ] as const)('both come from another file system, %s', async ([, commands]) => {
    const disk = makeSmallDisk('1m')
    onTestFinished(disk.remove)
    run('mv lookup.db lookup.db-wal "$disk"', { disk: disk.path })
    run(commands, { disk: disk.path })
    expect(await readTitle()).toBe('in the WAL')
  })

  test.skipIf(spawnSync('rsync', ['--version']).status !== 0)('rsync brings both', async () => {
    run(`${backUp}; rsync -t backup/lookup.db-wal .; rsync -t backup/lookup.db .`)
    expect(await readTitle()).toBe('in the WAL')
  })

  test('part of it is in the file already', async () => {
    killWriter(path, `${insert('last')}; PRAGMA wal_checkpoint(PASSIVE)`)
    run('touch another')
    expect(await readTitle()).toBe('last')
  })

  test('an empty one of the file before was left, and is written to', async () => {
    run('rm lookup.db lookup.db-wal lookup.db-shm; touch lookup.db-wal; cp younger.db lookup.db')
    killWriter(path, insert('last'))
    run('touch another')
    expect(await readTitle()).toBe('last')
  })
})

test('a WAL without a file is foreign, and none is not', () => {
  run('rm lookup.db')
  expect(isForeign(`${path}-wal`, path)).toBe(true)
  run('rm lookup.db-wal')
  expect(existsSync(path)).toBe(false)
  expect(isForeign(`${path}-wal`, path)).toBe(false)
})
