// Compressed logs, whole and broken.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../kit/gateway.ts'
import { makeWorkplace } from '../../kit/workplace.ts'
import { readFiles } from './reading.ts'

const LINES = 40_000
const linesOf = (length: number) =>
  Array.from({ length }, (_, at) => `/?Event=AppLookup&Apps=${(at * 2_654_435_761) % 4_294_967_296}\n`).join(
    '',
  )
const content = linesOf(LINES)
/** More than one block of each. */
const big = linesOf(3 * LINES)

async function read(bytes: Buffer) {
  const folder = temporaryFolder()
  onTestFinished(folder.remove)
  const file = join(folder.path, 'a.log')
  writeFileSync(file, bytes)
  return readFiles([file])
}

describe.each([
  ['gzip', gzipSync],
  ['zstd', zstdCompressSync],
] as const)('%s', (name, compress) => {
  test('whole, and several archives in one file', async () => {
    const whole = await read(compress(content))
    expect(whole.lookups).toHaveLength(LINES)
    expect(whole.log.files).toMatchObject([{ compression: name, problem: null, lines: LINES }])
    const two = await read(Buffer.concat([compress(content), compress('/?Event=last\n')]))
    expect(two.lookups).toHaveLength(LINES + 1)
    expect(two.lookups.at(-1)?.query).toBe('Event=last')
  })

  test('cut off: what can be decompressed is read, and the report says so', async () => {
    const archive = compress(big)
    const { lookups, log } = await read(archive.subarray(0, Math.floor(archive.length * 0.6)))
    expect(lookups.length).toBeGreaterThan(LINES)
    expect(lookups.length).toBeLessThan(3 * LINES)
    expect(log.files).toMatchObject([
      {
        compression: name,
        isRead: true,
        problem: expect.stringMatching(/^is incomplete or damaged.*\(.*end.*\)$/),
      },
    ])
  })

  test('damaged in the middle, or nothing but its beginning', async () => {
    const damaged = Buffer.from(compress(big))
    damaged.fill(0xa5, damaged.length >> 1, (damaged.length >> 1) + 64)
    const { lookups, log } = await read(damaged)
    expect(lookups.length).toBeGreaterThan(1000)
    expect(log.files[0]?.problem).toMatch(/^is incomplete or damaged/)
    const head = await read(compress(big).subarray(0, 8))
    expect(head.lookups).toEqual([])
    expect(head.log.files).toMatchObject([{ isRead: false, problem: expect.stringContaining('incomplete') }])
  })

  test('on standard input', async () => {
    const place = makeWorkplace()
    onTestFinished(place.remove)
    const { status, stdout, stderr } = await place.run(['census', '-'], {}, compress(content))
    expect(stdout).toMatch(/^40,000 legacy requests in 40,000 lines, from 1 client\.\n/)
    expect({ status, stderr }).toEqual({ status: 0, stderr: 'Reading standard input as request targets.\n' })
  })
})

test('a census of an archive that is cut off says so, and what else was not read', async () => {
  const place = makeWorkplace()
  onTestFinished(place.remove)
  const archive = gzipSync(content)
  place.write('cut.gz', archive.subarray(0, archive.length >> 1))
  place.write('good.zst', zstdCompressSync('/?Event=a\n'))
  place.write('bad.log', 'hello\n')
  const good = await place.run(['census', 'cut.gz', 'good.zst'])
  expect(good.status).toBe(0)
  expect(good.stdout).toContain(
    'cut.gz is incomplete or damaged: only its readable part was counted (unexpected end of file).',
  )
  const { status, stdout } = await place.run(['census', 'good.zst', 'bad.log', '--html', 'c.html'])
  expect(status).toBe(1)
  expect(stdout).toMatch(/^1 legacy request in 2 lines, from 1 client\./)
  expect(stdout).toContain('bad.log has no line of a known format.')
})
