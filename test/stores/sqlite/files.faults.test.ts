// SQLite files on disks that are full or read-only, and between programs that are killed or keep them open.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished } from 'vitest'
import { makeTables } from '../../../src/stores/transfer.ts'
import { outcomeOf, runProcess, startLookup } from '../../kit/run-lookup.ts'
import { originOf, serve } from '../../kit/serving.ts'
import { makeSmallDisk, type SmallDisk } from '../../kit/small-disk.ts'
import { test } from '../../kit/test.ts'
import { csvFile, csvRow } from '../../kit/workplace.ts'
import { csv } from '../import-data.ts'
import { change, openWatched, query } from './support.ts'

const insert = (title: string) =>
  `INSERT OR REPLACE INTO apps VALUES (1, '${title}', '1.0.0', 1, 'https://a.example/', 'https://a.example/1/')`

async function make(path: string, title: string): Promise<void> {
  await makeTables({ kind: 'sqlite', path })
  change(path, insert(title))
}

describe('a disk that is full before the end of an import', () => {
  const [OLD_ROWS, NEW_ROWS] = [10_000, 100_000]
  /** Bytes of the file that gateways and imports share beside a database. */
  const SHARED = 64 * 1024
  const full =
    /^(?:users: .*\n)*Import failed\. Nothing was changed\. The database .*lookup\.db cannot be used: database or disk is full\. Free space on its disk, or .*\n$/

  const urlOn = ({ path }: SmallDisk) => `sqlite:${path}/lookup.db`
  const versionsOn = ({ path }: SmallDisk) =>
    query(`${path}/lookup.db`, 'SELECT display_name, count(*) FROM users GROUP BY display_name')

  function useDisk(size: string): SmallDisk {
    const disk = makeSmallDisk(size)
    onTestFinished(disk.remove)
    return disk
  }

  test.for([
    ['from the beginning', '2m', 'old'],
    ['while rows are staged', '4m', 'old'],
    ['while rows are moved', '9m', 'old'],
    ['while an index is made', '13m', 'old'],
    ['after the commit', '20m', 'new'],
  ] as const)('%s: the old or the new rows are whole', async ([when, size, version], { place }) => {
    const disk = useDisk(size)
    place.write('old.csv', csv('old', OLD_ROWS))
    place.write('new.csv', csv('new', NEW_ROWS))
    await place.importing('old.csv', '--database', urlOn(disk))
    // A gateway reads the rows, and keeps the WAL from being deleted.
    const { shown } = await serve({ cwd: place.path }, '--database', urlOn(disk))
    if (when === 'from the beginning') writeFileSync(join(disk.path, 'filler'), Buffer.alloc(disk.free()))
    const free = disk.free()
    const outcome = await place.importing('new.csv', '--replace', '--database', urlOn(disk))
    if (version === 'old') {
      expect(outcome).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(full) })
      expect(statSync(`${disk.path}/lookup.db-wal`).size).toBe(0)
      expect(disk.free()).toBeGreaterThanOrEqual(free - SHARED)
    } else expect(outcome).toMatchObject({ status: 0 })
    expect(versionsOn(disk)).toEqual([[`version ${version}`, version === 'old' ? OLD_ROWS : NEW_ROWS]])
    const response = await fetch(`${originOf(shown['Legacy JSON'])}/?Event=ProfileLookup&Users=7`)
    expect(await response.text()).toContain(`version ${version}`)
  })

  test('a database that was not there is not left behind', async ({ place }) => {
    const disk = useDisk('2m')
    place.write('new.csv', csv('new', NEW_ROWS))
    const stderr = expect.stringMatching(full)
    expect(await place.importing('new.csv', '--database', urlOn(disk))).toMatchObject({ status: 1, stderr })
    expect(readdirSync(disk.path)).toEqual([])
  })

  // The system takes a part of a row that does not fit, and returns nothing but a number.
  test('a rejected row of which a disk takes only a part is not lost', async ({ place }) => {
    const disk = useDisk('64k')
    const name = join(disk.path, 'rejects.jsonl')
    place.write('mixed.csv', csvFile(csvRow(1), csvRow(2, { rank: 'x'.repeat(100_000) })))
    const { status, stderr } = await place.importing('mixed.csv', '--skip-invalid', name)
    expect(status).toBe(1)
    expect(stderr).toContain(`The rejects cannot be written to ${name}: ENOSPC`)
    expect(existsSync(join(place.path, 'lookup.db'))).toBe(false)
  })
})

describe('a folder that is read-only', () => {
  test('is served, with a warning; changes from elsewhere are seen', async ({ place }) => {
    const data = join(place.path, 'data')
    mkdirSync(data)
    await make(join(data, 'lookup.db'), 'old')
    // In a namespace of its own: outside, the files can be written to.
    const mount = 'mount --bind data data && mount -o remount,ro,bind data'
    const env = { DATABASE_URL: 'sqlite:data/lookup.db' }
    const { shown, log } = await serve({ cwd: place.path, env, mount })
    const url = `${originOf(shown['Legacy JSON'])}/?Event=AppLookup&Apps=1`
    const title = async () => /"Title":"(\w+)"/.exec(await (await fetch(url)).text())?.[1]
    expect(await title()).toBe('old')
    expect((await fetch(`${originOf(shown.Readiness)}/ready`)).status).toBe(200)
    const reason = expect.stringMatching(/folder is read-only.*once a second/)
    await expect.poll(() => log.of('database-warning')).toMatchObject([{ reason }])
    for (const changed of ['changed', 'other']) {
      change(join(data, 'lookup.db'), insert(changed))
      await expect.poll(title).toBe(changed)
    }
    await make(join(data, 'new.db'), 'new')
    renameSync(join(data, 'new.db'), join(data, 'lookup.db'))
    await expect.poll(title).toBe('new')
  })

  test('with changes that are only in a WAL is refused with what to do', async ({ place }) => {
    mkdirSync(join(place.path, 'data'))
    await make(join(place.path, 'data/lookup.db'), 'old')
    const program = new DatabaseSync(join(place.path, 'data/lookup.db'))
    onTestFinished(() => program.close())
    program.exec('PRAGMA wal_autocheckpoint = 0; DELETE FROM apps')
    // A copy of the folder, without the file that is made anew at any time.
    const copy = 'mkdir copy && cp data/lookup.db data/lookup.db-wal copy'
    const mount = `${copy} && mount --bind copy copy && mount -o remount,ro,bind copy`
    const options = { cwd: place.path, env: { DATABASE_URL: 'sqlite:copy/lookup.db' }, mount }
    const { status, stderr } = await runProcess(['serve'], options)
    expect(status).toBe(1)
    expect(stderr).toMatch(
      /lookup\.db-wal has changes.*run: sqlite3 \S*copy\/lookup\.db 'PRAGMA wal_checkpoint\(TRUNCATE\)'/,
    )
  })
})

test('a lock of another process that is short is waited for', async ({ place }) => {
  const path = join(place.path, 'lookup.db')
  await make(path, 'old')
  change(path, 'PRAGMA journal_mode = DELETE')
  const { store } = await openWatched(path)
  // Within one process, SQLite shares the locks of a file.
  const script = `
    const { DatabaseSync } = require('node:sqlite')
    const database = new DatabaseSync(${JSON.stringify(path)})
    database.exec('BEGIN EXCLUSIVE')
    console.log('locked')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    database.close()
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['-e', script])
  onTestFinished(() => void child.kill())
  await once(child.stdout, 'data')
  expect(await store.findApps(['1'])).toMatchObject([{ title: 'old' }])
})

test('a new file of an import that was killed is filled by the next one', async ({ place }) => {
  const path = join(place.path, 'lookup.db')
  const child = startLookup(['import', 'users', '-', '--format', 'csv'], { cwd: place.path })
  child.stdin.on('error', () => {})
  child.stdin.write(csvFile(csvRow(1), csvRow(2)))
  const isLocked = () => {
    try {
      if (existsSync(path) && statSync(path).size > 0) change(path, 'BEGIN IMMEDIATE')
      return false
    } catch {
      return true
    }
  }
  await expect.poll(isLocked).toBe(true)
  child.kill('SIGKILL')
  expect(await outcomeOf(child)).toMatchObject({ status: 'SIGKILL' })
  // The journal that it has left is rolled back by any program that may write.
  change(path, 'SELECT name FROM sqlite_schema')
  expect(query(path, 'SELECT name FROM sqlite_schema')).toEqual([])
  place.write('3.csv', csvFile(csvRow(3)))
  expect(await place.importing('3.csv')).toMatchObject({ status: 0 })
  expect(await place.ids()).toEqual([3])
})
