// How much of a file is read in place.

import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStore } from '../../../src/stores/open-store.ts'
import { makeTables } from '../../../src/stores/transfer.ts'
import { temporaryFolder } from '../../kit/gateway.ts'
import { change } from './support.ts'

const ROWS = 20_000
const SYSTEM_PAGE_BYTES = 4096

let folder: ReturnType<typeof temporaryFolder>
let path = ''
beforeEach(async () => {
  folder = temporaryFolder()
  path = join(folder.path, 'test.db')
  await makeTables({ kind: 'sqlite', path })
  change(
    path,
    `WITH RECURSIVE ids(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids WHERE id < ${ROWS})
     INSERT INTO apps SELECT id, 'App ' || id, '1.0.0', 1, '', '' FROM ids; PRAGMA wal_checkpoint(TRUNCATE)`,
  )
})
afterEach(() => folder.remove())

/** Bytes of the file that are in the address space of this process. */
function mappedBytes(): number {
  const lines = readFileSync('/proc/self/maps', 'utf8').split('\n')
  const ranges = lines.filter((line) => line.endsWith(` ${path}`)).map((line) => line.split(/[ -]/))
  return ranges.reduce((sum, [from, to]) => sum + Number(BigInt(`0x${to}`) - BigInt(`0x${from}`)), 0)
}

const roundUp = (bytes: number) => Math.ceil(bytes / SYSTEM_PAGE_BYTES) * SYSTEM_PAGE_BYTES

test.each([
  ['nothing', 0],
  ['a part', 256 * 1024],
  ['all, since there is no more', 2 ** 30],
  ['all, by default', undefined],
])('%s', async (_what, mmap) => {
  const { size } = statSync(path)
  expect(size).toBeGreaterThan(512 * 1024)
  const location = { kind: 'sqlite', path } as const
  const store = await openStore(mmap === undefined ? location : { ...location, mmap }, () => {})
  const ids = Array.from({ length: 100 }, (_, at) => String(1 + at * (ROWS / 100)))
  const found = await store.findApps(ids, { questions: [], nextRound: () => {} })
  expect(found).toMatchObject(ids.map((id) => ({ id: Number(id), title: `App ${id}` })))
  expect(mappedBytes()).toBe(roundUp(Math.min(mmap ?? size, size)))
  await store.close()
  expect(mappedBytes()).toBe(0)
})
