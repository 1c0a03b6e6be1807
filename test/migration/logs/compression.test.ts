// Compressed logs, whole and broken.

import { hash } from 'node:crypto'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { test } from '../../kit/test.ts'
import { readLog } from './reading.ts'

const LINES = 10_000
/** Values that hardly compress: several blocks of an archive. */
const content = Array.from(
  { length: LINES },
  (_, at) => `/?Event=AppLookup&Apps=${hash('sha512', String(at))}\n`,
).join('')

describe.each([
  ['gzip', gzipSync],
  ['zstd', zstdCompressSync],
] as const)('%s', (name, compress) => {
  const archive = compress(content)
  const damaged = Buffer.from(archive).fill(0xa5, archive.length >> 1, (archive.length >> 1) + 64)

  test('whole', async () => {
    const { lookups, log } = await readLog(archive)
    expect(lookups).toHaveLength(LINES)
    expect(log.files).toMatchObject([{ compression: name, problem: null, lines: LINES }])
  })

  test('several archives in one file, as rotation makes them', async () => {
    const { lookups } = await readLog(Buffer.concat([compress('/?Event=a\n'), compress('/?Event=last\n')]))
    expect(lookups.map(({ query }) => query)).toEqual(['Event=a', 'Event=last'])
  })

  test.each([
    ['cut off', archive.subarray(0, Math.floor(archive.length * 0.6))],
    ['damaged in the middle', damaged],
  ])('%s: its readable part is read', async (_, bytes) => {
    const { lookups, log } = await readLog(bytes)
    expect(lookups.length).toBeGreaterThan(500)
    expect(lookups.length).toBeLessThan(LINES)
    const problem = expect.stringMatching(/^is incomplete or damaged/)
    expect(log.files).toMatchObject([{ compression: name, isRead: true, problem }])
  })

  test('only its beginning: nothing is read', async () => {
    const { lookups, log } = await readLog(archive.subarray(0, 8))
    expect(lookups).toEqual([])
    expect(log.files).toMatchObject([{ isRead: false, problem: expect.stringContaining('incomplete') }])
  })

  test('on standard input', async ({ place }) => {
    const outcome = await place.run(['census', '-'], {}, compress('/?Event=a\n'))
    expect(outcome).toMatchObject({ status: 0, stderr: 'Reading standard input as request targets.\n' })
    expect(outcome.stdout).toMatch(/^counted +1 legacy request in 1 line, from 1 client$/m)
  })
})

test('a census names archives that are cut off, and fails if it read nothing of a file', async ({
  place,
}) => {
  const archive = gzipSync(content)
  place.write('cut.gz', archive.subarray(0, archive.length >> 1))
  place.write('good.zst', zstdCompressSync('/?Event=a\n'))
  place.write('bad.log', 'hello\n')
  const good = await place.run(['census', 'cut.gz', 'good.zst'])
  expect(good.status).toBe(0)
  expect(good.stdout).toContain('cut.gz is incomplete or damaged: only its readable part was counted')
  const { status, stdout } = await place.run(['census', 'good.zst', 'bad.log'])
  expect(status).toBe(1)
  expect(stdout).toMatch(/^counted +1 legacy request in 2 lines, from 1 client$/m)
  expect(stdout).toContain('bad.log has no line of a known format.')
})
