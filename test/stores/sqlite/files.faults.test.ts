// SQLite files on disks that are full or read-only, and between programs that are killed or keep them open.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished } from 'vitest'
import { openStore } from '../../../src/stores/open-store.ts'
import { makeTables } from '../../../src/stores/transfer.ts'
import { readLog } from '../../kit/log.ts'
import { outcomeOf, runProcess, startLookup } from '../../kit/run-lookup.ts'
import { originOf, serve } from '../../kit/serving.ts'
import { makeSmallDisk, type SmallDisk } from '../../kit/small-disk.ts'
import { test } from '../../kit/test.ts'
import { csvFile, csvRow, type Workplace } from '../../kit/workplace.ts'
import { csv } from '../import-data.ts'
import { change, query } from './support.ts'

const insert = (title: string) =>
  `INSERT OR REPLACE INTO apps VALUES (1, '${title}', '1.0.0', 1, 'https://a.example/', 'https://a.example/1/')`

async function make(path: string, title: string): Promise<void> {
  await makeTables({ kind: 'sqlite', path })
  change(path, insert(title))
}

describe('a disk that is full before the end of an import', () => {
  const OLD_ROWS = 10_000
  const NEW_ROWS = 100_000
  /** Bytes of the file that gateways and imports share beside a database. */
  const SHARED = 64 * 1024
  const full =
    /^(?:users: .*\n)*Import failed\. Nothing was changed\. The database .*lookup\.db cannot be used: database or disk is full\. Free space on its disk, or .*\n$/

  const urlOn = ({ path }: SmallDisk) => `sqlite:${path}/lookup.db`
  const versionsOn = ({ path }: SmallDisk) =>
    query(`${path}/lookup.db`, 'SELECT display_name, count(*) FROM users GROUP BY display_name')
  const logOn = ({ path }: SmallDisk) => statSync(`${path}/lookup.db-wal`).size

  function useDisk(size: string): SmallDisk {
    const disk = makeSmallDisk(size)
    onTestFinished(disk.remove)
    return disk
  }

  /** A disk with old rows, and a gateway that reads them and keeps the log from being deleted. */
  async function startOn(place: Workplace, size: string) {
    const disk = useDisk(size)
    place.write('old.csv', csv('old', OLD_ROWS))
    place.write('new.csv', csv('new', NEW_ROWS))
    await place.importing('old.csv', '--database', urlOn(disk))
    const { shown } = await serve({ cwd: place.path }, '--database', urlOn(disk))
    const url = `${originOf(shown['Legacy JSON'])}/?Event=ProfileLookup&Users=`
    const nameOf = async (id: number) => (await fetch(url + id)).text()
    const replace = () => place.importing('new.csv', '--replace', '--database', urlOn(disk))
    return { disk, nameOf, replace }
  }

  test.for([
    ['from the beginning', '2m', true],
    ['while rows are staged', '4m', false],
    ['while rows are moved', '9m', false],
    ['while an index is made', '13m', false],
  ] as const)(
    '%s: the old rows are whole, and the space is free again',
    async ([, size, isFull], { place }) => {
      const { disk, nameOf, replace } = await startOn(place, size)
      if (isFull) writeFileSync(join(disk.path, 'filler'), Buffer.alloc(disk.free()))
      const free = disk.free()
      expect(await replace()).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(full) })
      expect(logOn(disk)).toBe(0)
      expect(disk.free()).toBeGreaterThanOrEqual(free - SHARED)
      expect(versionsOn(disk)).toEqual([['version old', OLD_ROWS]])
      expect(await nameOf(7)).toContain('version old')
    },
  )

  test('after the commit: the new rows are in, and the log has those that do not fit', async ({ place }) => {
    const { disk, nameOf, replace } = await startOn(place, '20m')
    expect(await replace()).toMatchObject({ status: 0 })
    expect(logOn(disk)).toBeGreaterThan(2 ** 20)
    expect(versionsOn(disk)).toEqual([['version new', NEW_ROWS]])
    expect(await nameOf(7)).toContain('version new')
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
    expect({ size: statSync(name).size, free: disk.free() }).toEqual({ size: 0, free: 64 * 1024 })
  })
})

describe('a file system that is read-only', () => {
  const readOnly = test.extend('data', async ({ place }) => {
    const data = join(place.path, 'data')
    mkdirSync(data)
    await make(join(data, 'lookup.db'), 'old')
    return data
  })
  const env = { DATABASE_URL: 'sqlite:data/lookup.db' }

  /** In a namespace of its own: outside, the files can be written to. */
  async function start(cwd: string) {
    const mount = 'mount --bind data data && mount -o remount,ro,bind data'
    const serving = await serve({ cwd, env, mount })
    const url = originOf(serving.shown['Legacy JSON'])
    const ready = `${originOf(serving.shown.Readiness)}/ready`
    const title = async () =>
      /"Title":"(\w+)"/.exec(await (await fetch(`${url}/?Event=AppLookup&Apps=1`)).text())?.[1]
    return { log: readLog(serving.process.stderr), ready, title }
  }

  readOnly('is served, with a warning; changes from elsewhere are seen', async ({ place, data }) => {
    const { log, ready, title } = await start(place.path)
    expect(await title()).toBe('old')
    expect((await fetch(ready)).status).toBe(200)
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

  readOnly('with changes that are only in a WAL is refused with what to do', async ({ place, data }) => {
    const program = new DatabaseSync(join(data, 'lookup.db'))
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

/** Another process writes: within one, SQLite shares what it knows of a file. */
const script = (path: string, sql: string, end: string) => `
  const { DatabaseSync } = require('node:sqlite')
  const database = new DatabaseSync(${JSON.stringify(path)})
  database.exec(${JSON.stringify(sql)})
  ${end}`

describe('other programs', () => {
  const file = test.extend('path', async ({ place }) => {
    const path = join(place.path, 'lookup.db')
    await make(path, 'old')
    return path
  })
  async function open(path: string) {
    const store = await openStore({ kind: 'sqlite', path }, () => {})
    onTestFinished(() => store.close())
    return async () => {
      const [app] = await store.findApps(['1'])
      return app === null || app === undefined || app instanceof Error ? null : app.title
    }
  }

  file('a lock that is short is waited for', async ({ path }) => {
    change(path, 'PRAGMA journal_mode = DELETE')
    const title = await open(path)
    const end = `console.log('locked')
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
      database.close()
      setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['-e', script(path, 'BEGIN EXCLUSIVE', end)])
    onTestFinished(() => void child.kill())
    await once(child.stdout, 'data')
    expect(await title()).toBe('old')
  })

  file(
    'an import says that a reader keeps its rows out of the file, and what to do',
    async ({ place, path }) => {
      for (const id of [1, 2]) place.write(`${id}.csv`, csvFile(csvRow(id)))
      const reader = new DatabaseSync(path)
      reader.exec('BEGIN; SELECT count(*) FROM users')
      const { status, stdout, stderr } = await place.importing('1.csv')
      expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/^Imported 1 user in /) })
      expect(stderr).toMatch(
        /some are only in lookup\.db-wal: another program is reading lookup\.db.*run: sqlite3 lookup\.db 'PRAGMA/,
      )
      reader.close()
      change(path, 'PRAGMA wal_checkpoint(TRUNCATE)')
      expect(await place.importing('2.csv')).toMatchObject({ status: 0, stderr: '' })
    },
  )

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
})
