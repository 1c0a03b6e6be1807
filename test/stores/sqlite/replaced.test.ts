// Another file in the place of the one that is served: its rows, and never a mixture of the two.

import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { apps } from '../../../src/data/apps.ts'
import type { Observation } from '../../../src/observation.ts'
import { openStore } from '../../../src/stores/open-store.ts'
import { ForeignWal, identityOf, moveWalAway } from '../../../src/stores/sqlite/foreign-wal.ts'
import { makeTables, openExport } from '../../../src/stores/transfer.ts'
import { temporaryFolder } from '../../kit/gateway.ts'
import { outcomeOf, startLookup } from '../../kit/run-lookup.ts'
import { change, query } from './support.ts'

let folder: ReturnType<typeof temporaryFolder>
let path: string
beforeEach(() => {
  folder = temporaryFolder()
  path = join(folder.path, 'served.db')
})
afterEach(() => folder.remove())

const insert = (title: string, count = 1) =>
  `WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < ${count})
   INSERT OR REPLACE INTO apps SELECT id, '${title}', '1.0.0', 1, 'https://a.example/', 'https://a.example/1/' FROM n`

async function make(at: string, title: string, count = 1): Promise<void> {
  await makeTables({ kind: 'sqlite', path: at })
  change(at, insert(title, count))
}

async function serve() {
  const observations: Observation[] = []
  const store = await openStore({ kind: 'sqlite', path }, (observation) => observations.push(observation))
  onTestFinished(() => store.close())
  const title = async () => {
    const [app] = await store.findApps(['1'])
    return app === null || app === undefined || app instanceof Error ? null : app.title
  }
  const types = () => observations.map(({ type }) => type)
  return { store, title, observations, types }
}

/** A program that has the file open, and commits to its WAL. */
function openProgram(at: string, sql: string): DatabaseSync {
  const program = new DatabaseSync(at)
  onTestFinished(() => {
    if (program.isOpen) program.close()
  })
  program.exec(`PRAGMA wal_autocheckpoint = 0; ${sql}`)
  return program
}

test('a file renamed into its place is read within a second or two', async () => {
  await make(path, 'old')
  await make(`${path}.new`, 'new', 5000)
  const { store, title, types } = await serve()
  expect(await title()).toBe('old')
  const version = store.version?.()
  renameSync(`${path}.new`, path)
  await expect.poll(title, { timeout: 5_000 }).toBe('new')
  expect(types()).toEqual(['database-replaced'])
  // Answers that were kept are those of another file.
  expect(store.version?.()).not.toBe(version)
  expect(query(path, 'PRAGMA integrity_check')).toEqual([['ok']])
})

// Two files of one process that share it would let go of each other's locks: the next program truncates it, and
// the process dies of SIGBUS.
test('the index of the old WAL is not used with the new file, whatever became of the WAL', async () => {
  await make(path, 'old')
  const { title, types } = await serve()
  expect(await title()).toBe('old')
  const before = statSync(`${path}-shm`).ino
  await make(`${path}.new`, 'new')
  // It has a WAL of its own, and comes without its index.
  openProgram(`${path}.new`, insert('newer'))
  for (const end of ['', '-wal']) copyFileSync(`${path}.new${end}`, `${path}.copy${end}`)
  rmSync(`${path}-wal`)
  renameSync(`${path}.copy-wal`, `${path}-wal`)
  renameSync(`${path}.copy`, path)
  await expect.poll(title, { timeout: 5_000 }).toBe('newer')
  expect(types()).toEqual(['database-replaced'])
  expect(statSync(`${path}-shm`).ino).not.toBe(before)
})

test('a folder in its place is called one, by its path', async () => {
  await make(path, 'old')
  const { store, title } = await serve()
  renameSync(path, `${path}.old`)
  mkdirSync(path)
  await expect
    .poll(() => reasonOf(() => store.ready()), { timeout: 5_000 })
    .toContain(
      `${path} is not a regular file. Put a database in its place. Lookups are answered from the previous data.`,
    )
  expect(await title()).toBe('old')
  rmdirSync(path)
  renameSync(`${path}.old`, path)
  await expect.poll(() => reasonOf(() => store.ready()), { timeout: 5_000 }).toBe('')
})

function reasonOf(ready: () => unknown): string {
  try {
    ready()
    return ''
  } catch (error) {
    return error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
  }
}

test('a query that fails because of it is asked again at once', async () => {
  await make(path, 'old')
  await make(`${path}.new`, 'new')
  const { title, types } = await serve()
  expect(await title()).toBe('old')
  linkSync(path, `${path}.old`)
  renameSync(`${path}.new`, path)
  change(`${path}.old`, 'PRAGMA wal_checkpoint(TRUNCATE)')
  truncateSync(`${path}.old`, 4096)
  expect(await title()).toBe('new')
  expect(types()).toEqual(['database-replaced'])
})

test('a link that leads to another file does the same', async () => {
  const [first, second] = [join(folder.path, 'first.db'), join(folder.path, 'second.db')]
  await make(first, 'old')
  await make(second, 'new')
  symlinkSync(first, path)
  const { title } = await serve()
  expect(await title()).toBe('old')
  symlinkSync(second, `${path}.link`)
  renameSync(`${path}.link`, path)
  await expect.poll(title, { timeout: 5_000 }).toBe('new')
  change(second, insert('newer'))
  expect(await title()).toBe('newer')
})

test('a link that leads back to where another file is by now reads no WAL of the one before', async () => {
  const [green, blue] = [join(folder.path, 'green.db'), join(folder.path, 'blue.db')]
  await make(green, 'old')
  await make(blue, 'blue')
  await make(`${green}.new`, 'new')
  const leadTo = (file: string) => {
    symlinkSync(file, `${path}.link`)
    renameSync(`${path}.link`, path)
  }
  symlinkSync(green, path)
  const { store, title, observations } = await serve()
  openProgram(green, insert('in the WAL')).close()
  expect(await title()).toBe('in the WAL')
  leadTo(blue)
  await expect.poll(title, { timeout: 5_000 }).toBe('blue')
  renameSync(`${green}.new`, green)
  leadTo(green)
  const lost = () => observations.filter(({ type }) => type === 'database-lost')
  await expect.poll(lost, { timeout: 5_000 }).toHaveLength(1)
  expect(lost()).toMatchObject([{ reason: expect.stringContaining(`Move ${green}-wal away`) }])
  expect(await title()).toBe('blue')
  expect(() => store.ready()).toThrow()
  for (const end of ['-wal', '-shm']) rmSync(`${green}${end}`, { force: true })
  await expect.poll(title, { timeout: 5_000 }).toBe('new')
})

test('the WAL of the file before is never read with the new one, by any program', async () => {
  await make(path, 'old')
  await make(`${path}.new`, 'new', 5000)
  const { title, types } = await serve()
  const program = openProgram(path, insert('in the WAL', 5000))
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(100_000)
  expect(await title()).toBe('in the WAL')
  renameSync(`${path}.new`, path)
  await expect.poll(title, { timeout: 5_000 }).toBe('new')
  expect(types()).toEqual(['database-replaced'])
  expect(query(path, 'SELECT DISTINCT title FROM apps')).toEqual([['new']])
  expect(query(path, 'PRAGMA integrity_check')).toEqual([['ok']])
  // Its content is kept: it may belong to a file that has another name now.
  expect(readdirSync(folder.path).join()).toMatch(/served\.db-wal\.replaced-\d+/)
  program.close()
  change(path, insert('newer', 5000))
  expect(await title()).toBe('newer')
})

test('a WAL that came with the new file while that was checked is left where it is', async () => {
  await make(path, 'old')
  killWriter(path, `PRAGMA wal_autocheckpoint = 0; ${insert('in the WAL')}`)
  const before = identityOf(`${path}-wal`) ?? ''
  renameSync(`${path}-wal`, `${path}-wal.away`)
  writeFileSync(`${path}-wal`, '')
  const files = readdirSync(folder.path)
  expect(moveWalAway(path, before)).toBe(true)
  expect(readdirSync(folder.path)).toEqual(files)
  renameSync(`${path}-wal.away`, `${path}-wal`)
  expect(moveWalAway(path, before)).toBe(true)
  expect(readdirSync(folder.path).join()).toMatch(/^served\.db,served\.db-wal\.replaced-\d+$/)
})

test('an import right after the rename waits until the WAL before is out of the way', async () => {
  await make(path, 'old')
  const { title } = await serve()
  openProgram(path, insert('in the WAL', 5000))
  await make(`${path}.new`, 'new', 5000)
  renameSync(`${path}.new`, path)
  // In another process, as an operator would: here it would keep the gateway from looking.
  const env = { DATABASE_URL: `sqlite:${path}` }
  expect(await outcomeOf(startLookup(['migrate'], { env, cwd: folder.path }))).toMatchObject({ status: 0 })
  change(path, insert('imported', 100))
  await expect.poll(title, { timeout: 5_000 }).toBe('imported')
  expect(query(path, 'SELECT title, count(*) FROM apps GROUP BY title')).toEqual([
    ['imported', 100],
    ['new', 4900],
  ])
})

test('a WAL older than the file, which no gateway takes away, is refused with what to do', async () => {
  await make(path, 'old')
  // An end without a farewell leaves the WAL where it is.
  const program = openProgram(path, insert('in the WAL'))
  await make(`${path}.new`, 'new')
  await nextTick()
  renameSync(`${path}.new`, path)
  const refusal = /served\.db-wal is older than it, .*Move .*served\.db-wal away, and .*served\.db-shm/
  await expect(openStore({ kind: 'sqlite', path }, () => {})).rejects.toThrow(refusal)
  await expect(make(path, 'imported')).rejects.toThrow(ForeignWal)
  program.close()
})

test('a file that is gone: its rows are served on, and it is not ready', async () => {
  await make(path, 'old')
  const { store, title, types } = await serve()
  renameSync(path, `${path}.away`)
  const ready = async () => store.ready()
  await expect
    .poll(() => ready().catch(({ cause }) => String(cause)), { timeout: 5_000 })
    .toMatch(
      /served\.db is missing\. Put a database in its place\. Lookups are answered from the previous data\./,
    )
  expect(await title()).toBe('old')
  renameSync(`${path}.away`, path)
  await expect.poll(() => ready().then(() => true), { timeout: 5_000 }).toBe(true)
  expect(types()).toEqual(['database-lost', 'database-back'])
})

test('deleted and imported again, it is another file', async () => {
  await make(path, 'old')
  const { title } = await serve()
  expect(await title()).toBe('old')
  rmSync(path)
  await make(path, 'new')
  await expect.poll(title, { timeout: 5_000 }).toBe('new')
  expect(query(path, 'PRAGMA integrity_check')).toEqual([['ok']])
})

test.for([
  [
    'a file that is no database',
    (at: string) => change(at, 'CREATE TABLE other (id)'),
    /no such table: users/,
  ],
  [
    'a table without a column',
    (at: string) => change(at, 'ALTER TABLE apps DROP COLUMN title'),
    /apps has no column title/,
  ],
] as const)('%s is not taken, and said so once', async ([what, spoil, reason]) => {
  await make(path, 'old')
  if (what === 'a table without a column') await make(`${path}.new`, 'new')
  spoil(`${path}.new`)
  const { store, title, observations } = await serve()
  renameSync(`${path}.new`, path)
  await expect
    .poll(
      async () => {
        try {
          await store.ready()
          return ''
        } catch (error) {
          return error instanceof Error ? String(error.cause) : ''
        }
      },
      { timeout: 5_000 },
    )
    .toMatch(reason)
  expect(await title()).toBe('old')
  await make(`${path}.right`, 'right')
  renameSync(`${path}.right`, path)
  await expect.poll(title, { timeout: 5_000 }).toBe('right')
  expect(observations).toMatchObject([
    { type: 'database-lost', path },
    { type: 'database-replaced', path },
  ])
  expect(existsSync(`${path}-wal`)).toBe(true)
})

test('a WAL that is taken away from it is no reason to serve old rows', async () => {
  await make(path, 'old')
  const { title } = await serve()
  expect(await title()).toBe('old')
  rmSync(`${path}-wal`)
  rmSync(`${path}-shm`)
  const program = openProgram(path, insert('new'))
  await expect.poll(title, { timeout: 5_000 }).toBe('new')
  program.close()
})

/** Another process writes: within one, SQLite shares what it knows of a file. */
function write(at: string, sql: string, end: string) {
  const script = `
    const { DatabaseSync } = require('node:sqlite')
    const database = new DatabaseSync(${JSON.stringify(at)})
    database.exec(${JSON.stringify(sql)})
    ${end}`
  return spawnSync(process.execPath, ['-e', script])
}
const changeElsewhere = (at: string, sql: string) =>
  expect(write(at, sql, 'database.close()')).toMatchObject({ status: 0 })
const killWriter = (at: string, sql: string) =>
  expect(write(at, sql, `process.kill(process.pid, 'SIGKILL')`)).toMatchObject({ signal: 'SIGKILL' })

test('a WAL that is younger than the new file is foreign, too, where no gateway knows it', async () => {
  await make(`${path}.new`, 'new')
  await make(path, 'old')
  killWriter(path, `PRAGMA wal_autocheckpoint = 0; ${insert('in the WAL', 500)}`)
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(0)
  await nextTick()
  renameSync(`${path}.new`, path)
  await expect(openStore({ kind: 'sqlite', path }, () => {})).rejects.toThrow(ForeignWal)
  await expect(makeTables({ kind: 'sqlite', path })).rejects.toThrow(ForeignWal)
  // As the message says.
  const now = new Date()
  utimesSync(`${path}-wal`, now, now)
  await (await openStore({ kind: 'sqlite', path }, () => {})).close()
})

test('an export does not read it, either, and leaves it as it is', async () => {
  await make(`${path}.new`, 'new')
  await make(path, 'old')
  killWriter(path, `PRAGMA wal_autocheckpoint = 0; ${insert('in the WAL', 500)}`)
  renameSync(`${path}.new`, path)
  const before = statSync(`${path}-wal`, { bigint: true })
  const args = ['export', 'apps', '--database', `sqlite:${path}`]
  expect(await outcomeOf(startLookup(args, { cwd: folder.path }))).toEqual({
    status: 1,
    stdout: '',
    stderr: expect.stringContaining(`${path}-wal is older than it`),
  })
  // Root would have become its owner, which shows in its times.
  expect(statSync(`${path}-wal`, { bigint: true }).ctimeNs).toBe(before.ctimeNs)
})

/** Until the clock that the system stamps files with has gone on. */
const nextTick = () => pause(20)

const unfinished = `PRAGMA journal_mode = DELETE; PRAGMA cache_size = 5; BEGIN; ${insert('half', 5000)}`

test('half a transaction of a program that was killed is never served', async () => {
  await make(path, 'old', 5000)
  killWriter(path, unfinished)
  expect(statSync(`${path}-journal`).size).toBeGreaterThan(0)
  const reason =
    /served\.db-journal has what undoes that\. Roll back: sqlite3 .*served\.db 'PRAGMA user_version'/
  await expect(openStore({ kind: 'sqlite', path }, () => {})).rejects.toThrow(reason)
  await expect(Array.fromAsync(openExport({ kind: 'sqlite', path }, apps))).rejects.toThrow(reason)
  // As the message says.
  changeElsewhere(path, 'PRAGMA user_version')
  const { title } = await serve()
  expect(await title()).toBe('old')
})

test('nor is it while the file is served, and then it is not ready, and says why', async () => {
  await make(path, 'old', 5000)
  change(path, 'PRAGMA journal_mode = DELETE')
  const { store, title } = await serve()
  expect(await title()).toBe('old')
  killWriter(path, unfinished)
  expect(reasonOf(() => store.ready())).toContain(
    `${path}-journal has what undoes that. Roll back: sqlite3 ${path}`,
  )
  changeElsewhere(path, 'PRAGMA user_version')
  expect(reasonOf(() => store.ready())).toBe('')
  expect(await title()).toBe('old')
})

test('the journal of the file before is not rolled into the new one', async () => {
  await make(path, 'old', 5000)
  await make(`${path}.new`, 'new', 5000)
  killWriter(path, unfinished)
  await nextTick()
  renameSync(`${path}.new`, path)
  await expect(makeTables({ kind: 'sqlite', path })).rejects.toThrow(/served\.db-journal is older than it/)
  const { title } = await (async () => {
    rmSync(`${path}-journal`)
    return serve()
  })()
  expect(await title()).toBe('new')
  expect(query(path, 'PRAGMA integrity_check')).toEqual([['ok']])
})

test('behind a link, the WAL is that of the file itself', async () => {
  const real = join(folder.path, 'real.db')
  await make(real, 'old')
  await make(`${real}.new`, 'new', 5000)
  symlinkSync(real, path)
  const { title } = await serve()
  openProgram(real, insert('in the WAL', 5000))
  expect(await title()).toBe('in the WAL')
  renameSync(`${real}.new`, real)
  await expect.poll(title, { timeout: 5_000 }).toBe('new')
  expect(query(real, 'PRAGMA integrity_check')).toEqual([['ok']])
})

test('changes are seen after its WAL was taken away while it held something', async () => {
  await make(path, 'old')
  const { title } = await serve()
  openProgram(path, insert('in the WAL')).close()
  expect(await title()).toBe('in the WAL')
  rmSync(`${path}-wal`)
  rmSync(`${path}-shm`)
  changeElsewhere(path, insert('first'))
  await expect.poll(title, { timeout: 5_000 }).toBe('first')
  changeElsewhere(path, insert('second'))
  expect(await title()).toBe('second')
})

test('a file that comes back has what was in its WAL', async () => {
  await make(path, 'old')
  const { title, types } = await serve()
  openProgram(path, insert('in the WAL')).close()
  renameSync(path, `${path}.away`)
  writeFileSync(path, 'no database')
  await expect.poll(types, { timeout: 5_000 }).toContain('database-lost')
  renameSync(`${path}.away`, path)
  await expect.poll(types, { timeout: 5_000 }).toContain('database-back')
  expect(await title()).toBe('in the WAL')
  expect(query(path, 'SELECT title FROM apps')).toEqual([['in the WAL']])
})

test('an import where a file was moved away leaves its WAL alone', async () => {
  await make(path, 'old')
  await serve()
  openProgram(path, insert('in the WAL')).close()
  renameSync(path, `${path}.away`)
  const before = statSync(`${path}-wal`).size
  await expect(make(path, 'new')).rejects.toThrow(ForeignWal)
  expect(statSync(`${path}-wal`).size).toBe(before)
  expect(existsSync(path)).toBe(false)
})

test('a name that cannot be looked at does not end the process', async () => {
  await make(path, 'old')
  const { title, types } = await serve()
  rmSync(path)
  symlinkSync(path, path)
  await expect.poll(types, { timeout: 5_000 }).toEqual(['database-lost'])
  expect(await title()).toBe('old')
})
