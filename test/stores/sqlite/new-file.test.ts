// Imports into a file that is not there yet: one that fails leaves nothing, and takes nothing of another's.

import { once } from 'node:events'
import { existsSync, readdirSync, readlinkSync, renameSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { apps } from '../../../src/data/apps.ts'
import { users } from '../../../src/data/users.ts'
import { openImporter } from '../../../src/stores/transfer.ts'
import { temporaryFolder } from '../../kit/gateway.ts'
import { outcomeOf, runLookup, startLookup } from '../../kit/run-lookup.ts'
import { csvFile, csvRow } from '../../kit/workplace.ts'
import { change, query } from './support.ts'

let folder: ReturnType<typeof temporaryFolder>
let path: string
beforeEach(() => {
  folder = temporaryFolder()
  path = join(folder.path, 'new.db')
})
afterEach(() => folder.remove())

const options = { replace: false, bulk: false }
const begin = () => openImporter({ kind: 'sqlite', path }, users, options)
const row = (id: number) => [id, `user ${id}`, null, 'Name', 1, 1, 1, 0]
const ids = () => query(path, 'SELECT id FROM users').flat()
const fromInput = ['import', 'users', '-', '--format', 'csv']

/** An import by another process, which has taken some rows and waits for more. */
async function startImport(...rows: string[]) {
  const child = startLookup([...fromInput, '--database', `sqlite:${path}`], { cwd: folder.path })
  child.stdin.on('error', () => {})
  const ended = outcomeOf(child)
  if (!child.stdin.write(csvFile(...rows))) await once(child.stdin, 'drain')
  await expect.poll(() => isLocked(), { timeout: 20_000 }).toBe(true)
  return { child, ended }
}

function isLocked(): boolean {
  try {
    if (existsSync(path) && statSync(path).size > 0) change(path, 'BEGIN IMMEDIATE')
    return false
  } catch {
    return true
  }
}

test.skipIf(!existsSync('/proc/self/fd'))(
  'one that fails leaves the file to another that waits',
  async () => {
    const failing = await begin()
    await failing.add([row(1)])
    const child = startLookup([...fromInput, '--database', `sqlite:${path}`], { cwd: folder.path })
    child.stdin.end(csvFile(csvRow(2)))
    // It looks now and then.
    await expect.poll(() => filesOf(child.pid), { timeout: 20_000, interval: 1 }).toContain(path)
    await failing.close()
    expect(await outcomeOf(child)).toMatchObject({ status: 0 })
    expect(ids()).toEqual([2])
  },
)

/** The files that a process has open. */
function filesOf(pid: number | undefined): string[] {
  const descriptors = `/proc/${pid}/fd`
  return readdirSync(descriptors).flatMap((name) => {
    try {
      return readlinkSync(join(descriptors, name))
    } catch {
      return []
    }
  })
}

test('the same within one process', async () => {
  const first = await begin()
  const second = begin()
  await first.close()
  const importer = await second
  await importer.add([row(2)])
  await importer.commit()
  await importer.close()
  expect(ids()).toEqual([2])
})

test('a file is not removed that another program has put there or written to', async () => {
  const failing = await begin()
  renameSync(path, `${path}.away`)
  change(path, 'CREATE TABLE other (id)')
  await failing.close()
  expect(query(path, 'SELECT count(*) FROM other')).toEqual([[0]])
})

test('an import into a file that was replaced meanwhile says so, and leaves the new file alone', async () => {
  change(path, 'PRAGMA journal_mode = WAL')
  const { child, ended } = await startImport(csvRow(1))
  change(`${path}.other`, 'CREATE TABLE other (id)')
  renameSync(`${path}.other`, path)
  child.stdin.end()
  expect(await ended).toEqual({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /Import failed\. Nothing was changed\. .*new\.db was replaced by another file during the import\. Run the import again/,
    ),
  })
  expect(query(path, 'SELECT name FROM sqlite_schema')).toEqual([['other']])
})

test('until it is committed, other programs see no table, and afterwards all', async () => {
  const importer = await begin()
  expect(query(path, 'SELECT name FROM sqlite_schema')).toEqual([])
  await importer.commit()
  await importer.close()
  expect(readdirSync(folder.path)).toEqual(['new.db'])
  expect(query(path, 'SELECT count(*) FROM apps')).toEqual([[0]])
})

test.for(['SIGHUP', 'SIGKILL', 'SIGTERM'] as const)(
  'ended by %s: nothing is in, and the next import works',
  async (signal) => {
    const { child, ended } = await startImport(csvRow(1), csvRow(2))
    child.kill(signal)
    expect(await ended).toMatchObject({ status: signal })
    // A journal that SIGKILL has left is rolled back by who may write.
    if (existsSync(path)) change(path, 'SELECT name FROM sqlite_schema')
    if (existsSync(path)) expect(query(path, 'SELECT name FROM sqlite_schema')).toEqual([])
    const importing = runLookup(
      [...fromInput, '--database', `sqlite:${path}`],
      { cwd: folder.path },
      csvFile(csvRow(3)),
    )
    expect(await importing).toMatchObject({ status: 0 })
    expect(ids()).toEqual([3])
  },
)

test('behind a link to nothing: a failed import leaves the link, and nothing where it leads to', async () => {
  const real = join(folder.path, 'real.db')
  symlinkSync('real.db', path)
  const failing = await begin()
  expect(existsSync(real)).toBe(true)
  await failing.close()
  expect(readdirSync(folder.path)).toEqual(['new.db'])
  const importer = await openImporter({ kind: 'sqlite', path }, apps, options)
  await importer.commit()
  await importer.close()
  expect(readdirSync(folder.path)).toEqual(['new.db', 'real.db'])
})
