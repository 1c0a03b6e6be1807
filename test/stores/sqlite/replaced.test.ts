// Another file in the place of the one that is served: its rows are read, and never a mixture of the two.

import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished } from 'vitest'
import { apps } from '../../../src/data/apps.ts'
import { makeTables, openExport } from '../../../src/stores/transfer.ts'
import { test as base } from '../../kit/test.ts'
import { change, openWatched, query } from './support.ts'

const insert = (title: string, count = 1) =>
  `WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < ${count})
   INSERT OR REPLACE INTO apps SELECT id, '${title}', '1.0.0', 1, 'https://a.example/', 'https://a.example/1/' FROM n`

/** A database whose app 1 has this title. */
async function make(path: string, title: string, count = 1): Promise<void> {
  await makeTables({ kind: 'sqlite', path })
  change(path, insert(title, count))
}

/** A program that has a file open, and has committed to its WAL. */
function openProgram(path: string, sql: string): DatabaseSync {
  const program = new DatabaseSync(path)
  onTestFinished(() => {
    if (program.isOpen) program.close()
  })
  program.exec(`PRAGMA wal_autocheckpoint = 0; ${sql}`)
  return program
}

const test = base
  .extend('path', async ({ place }) => {
    const path = join(place.path, 'served.db')
    await make(path, 'old')
    return path
  })
  /** Serves the file. `look` is what the gateway does once a second. */
  .extend('serve', ({ path }) => async () => {
    const { store, observations, clock } = await openWatched(path)
    const title = async () => {
      const [app] = await store.findApps(['1'])
      return app === null || app === undefined || app instanceof Error ? null : app.title
    }
    /** Why it is not ready. */
    const problem = () => {
      try {
        store.ready()
        return null
      } catch (error) {
        return error instanceof Error && error.cause instanceof Error ? error.cause.message : error
      }
    }
    const types = () => observations.map(({ type }) => type)
    return { store, title, problem, types, look: () => clock.advance(1_000) }
  })

test.for<[string, (path: string, other: string) => void | Promise<void>]>([
  ['is renamed into the place', (path, other) => renameSync(other, path)],
  [
    'is imported where the file was deleted',
    async (path) => {
      rmSync(path)
      await make(path, 'new')
    },
  ],
  [
    'is renamed into the place, beside a journal with nothing to undo',
    (path, other) => {
      // As `journal_mode = PERSIST` leaves it.
      writeFileSync(`${path}-journal`, Buffer.alloc(512))
      renameSync(other, path)
    },
  ],
  [
    'is where a link leads from now on',
    (path, other) => {
      symlinkSync(other, `${path}.link`)
      renameSync(`${path}.link`, path)
    },
  ],
])('a file is read within a second, if it %s', async ([, replace], { path, serve }) => {
  await make(`${path}.new`, 'new', 5_000)
  const { store, title, types, look } = await serve()
  expect(await title()).toBe('old')
  const version = store.version?.()
  await replace(path, `${path}.new`)
  await look()
  expect(await title()).toBe('new')
  expect(types()).toEqual(['database-replaced'])
  // Responses that were kept are those of another file.
  expect(store.version?.()).not.toBe(version)
  expect(query(path, 'PRAGMA integrity_check')).toEqual([['ok']])
  change(path, insert('newer'))
  expect(await title()).toBe('newer')
})

test('a query that fails because the file was replaced is repeated at once', async ({ path, serve }) => {
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

test.for<[string, (path: string) => void | Promise<void>, string]>([
  ['nothing', () => {}, 'is missing. Put a database in its place. Lookups are answered from the previous'],
  ['a folder', (path) => mkdirSync(path), 'is not a regular file. Put a database in its place. Lookups'],
  ['a FIFO', (path) => void execFileSync('mkfifo', [path]), 'is not a regular file. Put a database in its'],
  ['a link to itself', (path) => symlinkSync(path, path), 'cannot be used: ELOOP'],
  ['a text', (path) => writeFileSync(path, 'no database'), 'cannot be used: file is not a database'],
  ['other tables', (path) => change(path, 'CREATE TABLE other (id)'), 'cannot be used: no such table: users'],
  [
    'a table without a column',
    async (path) => {
      await make(path, 'new')
      change(path, 'ALTER TABLE apps DROP COLUMN title; PRAGMA journal_mode = DELETE')
    },
    'cannot be used: apps has no column title',
  ],
])(
  '%s in the place leaves the old rows, and is named while it is there',
  async ([, put, reason], { path, serve }) => {
    const { title, problem, types, look } = await serve()
    // The file that comes back has what was in its WAL.
    openProgram(path, insert('in the WAL')).close()
    await put(`${path}.new`)
    renameSync(path, `${path}.away`)
    if (existsSync(`${path}.new`)) renameSync(`${path}.new`, path)
    else await put(path)
    for (const _again of [false, true]) await look()
    expect(problem()).toContain(`${path} ${reason}`)
    expect(await title()).toBe('in the WAL')
    rmSync(path, { recursive: true, force: true })
    renameSync(`${path}.away`, path)
    await look()
    expect([problem(), await title()]).toEqual([null, 'in the WAL'])
    expect(types()).toEqual(['database-lost', 'database-back'])
    expect(query(path, 'SELECT title FROM apps')).toEqual([['in the WAL']])
  },
)

test.for(['itself', 'behind a link'])(
  'the WAL of the file before is never read with the new one: a file %s',
  async (how, { path, serve }) => {
    const real = how === 'itself' ? path : `${path}.real`
    if (real !== path) {
      rmSync(path)
      await make(real, 'old')
      symlinkSync(real, path)
    }
    await make(`${path}.new`, 'new', 5_000)
    const { title, problem, types, look } = await serve()
    const program = openProgram(real, insert('in the WAL', 5_000))
    expect(statSync(`${real}-wal`).size).toBeGreaterThan(100_000)
    await look()
    renameSync(`${path}.new`, real)
    await look()
    expect(problem()).toContain(
      `${real}-wal belongs to the file that was replaced. Stop programs that write there, then remove ${real}-wal and ${real}-shm. Lookups are answered from the previous data.`,
    )
    expect(await title()).toBe('in the WAL')
    for (const end of ['-wal', '-shm']) rmSync(real + end)
    await look()
    expect([await title(), problem()]).toEqual(['new', null])
    expect(types()).toEqual(['database-lost', 'database-replaced'])
    program.close()
    expect(query(real, 'PRAGMA integrity_check')).toEqual([['ok']])
    change(real, insert('newer', 5_000))
    expect(await title()).toBe('newer')
  },
)

// The index is shared by two files of one process: they would let go of each other's locks, the next
// program would truncate it, and the process would die of SIGBUS.
test('a WAL that comes with a new file gets an index of its own', async ({ path, serve }) => {
  const { title, types, look } = await serve()
  expect(await title()).toBe('old')
  const before = statSync(`${path}-shm`).ino
  // The number of a file that is gone may be given to the next one.
  linkSync(`${path}-shm`, `${path}-shm.kept`)
  await make(`${path}.new`, 'new')
  openProgram(`${path}.new`, insert('newer'))
  for (const end of ['', '-wal']) copyFileSync(`${path}.new${end}`, `${path}.copy${end}`)
  rmSync(`${path}-wal`)
  renameSync(`${path}.copy-wal`, `${path}-wal`)
  renameSync(`${path}.copy`, path)
  await look()
  expect(await title()).toBe('newer')
  expect(types()).toEqual(['database-replaced'])
  expect(statSync(`${path}-shm`).ino).not.toBe(before)
})

test('changes are seen after the WAL of the file was taken away', async ({ path, serve }) => {
  const { title, look } = await serve()
  expect(await title()).toBe('old')
  for (const end of ['-wal', '-shm']) rmSync(path + end)
  openProgram(path, insert('first'))
  await look()
  expect(await title()).toBe('first')
  change(path, insert('second'))
  expect(await title()).toBe('second')
})

test('half a transaction of a program that was killed is never served, nor exported', async ({
  path,
  serve,
}) => {
  const { title, problem, look } = await serve()
  expect(await title()).toBe('old')
  // Such a program leaves a file and its rollback journal.
  await make(`${path}.half`, 'old', 5_000)
  const program = openProgram(`${path}.half`, 'PRAGMA journal_mode = DELETE; PRAGMA cache_size = 5')
  program.exec(`BEGIN; ${insert('half', 5_000)}`)
  for (const end of ['-journal', '']) copyFileSync(`${path}.half${end}`, `${path}.new${end}`)
  for (const end of ['-journal', '']) renameSync(`${path}.new${end}`, path + end)
  await look()
  const says = `${path}-journal has what undoes that. Roll back: sqlite3 ${path} 'PRAGMA user_version'`
  expect([problem(), await title()]).toEqual([expect.stringContaining(says), 'old'])
  const exported = Array.fromAsync(openExport({ kind: 'sqlite', path }, apps))
  await expect(exported).rejects.toThrow(says)
  for (const end of ['-wal', '-shm']) rmSync(path + end)
  change(path, 'PRAGMA user_version')
  await look()
  expect([problem(), await title()]).toEqual([null, 'old'])
})
