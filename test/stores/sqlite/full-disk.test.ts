// Imports onto disks that are full before the end: nothing is lost, and the space is free again.

import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { ask } from '../../kit/load.ts'
import { originOf, serve } from '../../kit/serving.ts'
import { hasSmallDisks, makeSmallDisk, type SmallDisk } from '../../kit/small-disk.ts'
import { csvFile, csvRow, makeWorkplace, type Workplace } from '../../kit/workplace.ts'
import { csv } from '../import-data.ts'
import { query } from './support.ts'

let place: Workplace
beforeEach(() => {
  place = makeWorkplace()
})
afterEach(() => place.remove())

const OLD_ROWS = 10_000
const NEW_ROWS = 100_000
/** Bytes of the file that gateways and imports share beside a database. */
const SHARED = 64 * 1024

const full =
  /^(?:users: .*\n)*Import failed\. Nothing was changed\. The database .*lookup\.db cannot be used: database or disk is full\. Free space on its disk, or .*\n$/

function useDisk(size: string): SmallDisk {
  const disk = makeSmallDisk(size)
  onTestFinished(disk.remove)
  return disk
}

describe.skipIf(!hasSmallDisks())('a disk that is full before the end', () => {
  const importing = (disk: SmallDisk, file: string, ...flags: string[]) =>
    place.run(['import', 'users', file, '--database', `sqlite:${disk.path}/lookup.db`, ...flags])
  const versionsOn = ({ path }: SmallDisk) =>
    query(`${path}/lookup.db`, 'SELECT display_name, count(*) FROM users GROUP BY display_name')
  const logOn = ({ path }: SmallDisk) => statSync(`${path}/lookup.db-wal`).size

  /** A disk with old rows, and a gateway that reads them and keeps the log from being deleted. */
  async function startOn(size: string) {
    const disk = useDisk(size)
    place.write('old.csv', csv('old', OLD_ROWS))
    place.write('new.csv', csv('new', NEW_ROWS))
    await importing(disk, 'old.csv')
    const serving = await serve({ cwd: place.path }, '--database', `sqlite:${disk.path}/lookup.db`)
    const nameOf = async (id: number) =>
      (await ask(`${originOf(serving.shown['Legacy JSON'])}/?Event=ProfileLookup&Users=${id}`)).body
    return { disk, nameOf }
  }

  test.for([
    ['from the beginning', '2m', true],
    ['while rows go in', '4m', false],
    ['while an index is made', '7m', false],
  ] as const)('%s: the old rows are whole, and the space is free again', async ([, size, isFull]) => {
    const { disk, nameOf } = await startOn(size)
    if (isFull) writeFileSync(join(disk.path, 'filler'), Buffer.alloc(disk.free()))
    const free = disk.free()
    expect(await importing(disk, 'new.csv', '--replace')).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(full),
    })
    expect(logOn(disk)).toBe(0)
    expect(disk.free()).toBeGreaterThanOrEqual(free - SHARED)
    expect(versionsOn(disk)).toEqual([['version old', OLD_ROWS]])
    expect(await nameOf(7)).toContain('version old')
  })

  test('after the commit: the new rows are in, and the log has those that the database has no room for', async () => {
    const { disk, nameOf } = await startOn('10m')
    expect(await importing(disk, 'new.csv', '--replace')).toMatchObject({ status: 0 })
    expect(logOn(disk)).toBeGreaterThan(2 ** 20)
    expect(versionsOn(disk)).toEqual([['version new', NEW_ROWS]])
    expect(await nameOf(7)).toContain('version new')
  })

  test('a database that was not there is not left behind', async () => {
    const disk = useDisk('2m')
    place.write('new.csv', csv('new', NEW_ROWS))
    expect(await importing(disk, 'new.csv')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(full),
    })
    expect(readdirSync(disk.path)).toEqual([])
  })
})

describe('rejects that cannot be written', () => {
  const mixed = csvFile(csvRow(1), csvRow(2, { rank: 'x' }), csvRow(3))
  beforeEach(async () => {
    place.write('old.csv', csvFile(csvRow(901), csvRow(902)))
    await place.run(['import', 'users', 'old.csv'])
    place.write('mixed.csv', mixed)
  })

  const importing = (...flags: string[]) => place.run(['import', 'users', 'mixed.csv', '--replace', ...flags])
  const read = (name: string) => readFileSync(join(place.path, name), 'utf8')

  test.for([
    [
      'a full device',
      '/dev/full',
      /ENOSPC: .*\. Free space there, or name another file with --skip-invalid\.\n$/,
    ],
    ['a folder', 'folder.csv', /EISDIR: .*\. Name another file with --skip-invalid\.\n$/],
    ['a folder that is not there', 'none/r.jsonl', /ENOENT: .*\. Name another file with --skip-invalid\.\n$/],
    [
      'a file system of the kernel',
      '/proc/version',
      /E(?:ACCES|IO|PERM): .*\. Name another file with --skip-invalid\.\n$/,
    ],
  ] as const)('to %s: it is named, and nothing is imported', async ([, name, complaint]) => {
    const { status, stdout, stderr } = await importing('--skip-invalid', name)
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(
      stderr.startsWith(`Import failed. Nothing was changed. The rejects cannot be written to ${name}: `),
    ).toBe(true)
    expect(stderr).toMatch(complaint)
    expect(await place.ids()).toEqual([901, 902])
  })

  test('an import that breaks off leaves no part of them', async () => {
    place.write(
      'mixed.csv',
      `${csvFile(...Array(2_000).fill(csvRow(2, { rank: 'x' })))}1,"${'x'.repeat(2 ** 21)}`,
    )
    const { status, stderr } = await importing('--skip-invalid', 'rejects.jsonl')
    expect({ status, rejects: read('rejects.jsonl') }).toEqual({ status: 1, rejects: '' })
    expect(stderr).toMatch(/^Import failed\. Nothing was changed\. mixed\.csv, line 2002: /)
  })

  test('where nothing is valid, they say why', async () => {
    place.write('mixed.csv', csvFile(csvRow(2, { rank: 'x' })))
    expect(await importing('--skip-invalid', 'rejects.jsonl')).toMatchObject({ status: 1 })
    expect(JSON.parse(read('rejects.jsonl'))).toMatchObject({ line: 2 })
  })

  // Of a row that does not fit, the system takes a part, and says so by nothing but a number.
  test.skipIf(!hasSmallDisks())('a row that a disk takes only a part of is not lost', async () => {
    const disk = useDisk('64k')
    const name = join(disk.path, 'rejects.jsonl')
    place.write('mixed.csv', csvFile(csvRow(1), csvRow(2, { rank: 'x'.repeat(100_000) })))
    const { status, stderr } = await importing('--skip-invalid', name)
    expect(status).toBe(1)
    expect(stderr).toContain(`The rejects cannot be written to ${name}: ENOSPC`)
    expect(await place.ids()).toEqual([901, 902])
    // Its space is free again.
    expect({ size: statSync(name).size, free: disk.free() }).toEqual({ size: 0, free: 64 * 1024 })
  })
})
