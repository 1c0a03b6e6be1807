// Compressed logs, whole and broken, as the programs make them.

import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../kit/gateway.ts'
import { hasProgram } from '../../kit/programs.ts'
import { makeWorkplace } from '../../kit/workplace.ts'
import { readFiles } from './reading.ts'

const MEBIBYTE = 1024 * 1024
const LINES = 40_000
const linesOf = (length: number) =>
  Array.from({ length }, (_, at) => `/?Event=AppLookup&Apps=${(at * 2_654_435_761) % 4_294_967_296}\n`).join(
    '',
  )
const content = linesOf(LINES)
/** More than one block of each. */
const big = linesOf(3 * LINES)

const programs = ['gzip', 'zstd', 'xz', 'bzip2'] as const
const compress = (program: (typeof programs)[number], bytes: string | Buffer) =>
  execFileSync(program, ['-c'], { input: bytes, maxBuffer: 64 * MEBIBYTE })
const isThere = {
  gzip: true,
  zstd: hasProgram('zstd'),
  xz: hasProgram('xz'),
  bzip2: hasProgram('bzip2'),
}

async function read(bytes: Buffer) {
  const folder = temporaryFolder()
  onTestFinished(folder.remove)
  const file = join(folder.path, 'a.log')
  writeFileSync(file, bytes)
  return readFiles([file])
}

describe.each(programs.filter((program) => isThere[program]))('%s', (program) => {
  test('whole, and several archives in one file', async () => {
    const whole = await read(compress(program, content))
    expect(whole.lookups).toHaveLength(LINES)
    expect(whole.log.files).toMatchObject([{ compression: program, problem: null, lines: LINES }])
    const two = await read(Buffer.concat([compress(program, content), compress(program, '/?Event=last\n')]))
    expect(two.lookups).toHaveLength(LINES + 1)
    expect(two.lookups.at(-1)?.query).toBe('Event=last')
  })

  test('cut off: all that its program would give is read, and it is said', async () => {
    const archive = compress(program, big)
    const cut = archive.subarray(0, Math.floor(archive.length * 0.6))
    const { lookups, log } = await read(cut)
    const folder = temporaryFolder()
    onTestFinished(folder.remove)
    writeFileSync(join(folder.path, 'cut'), cut)
    const script = `${program} -dc < cut 2>/dev/null | grep -c ^/`
    const expected = Number(execFileSync('sh', ['-c', script], { cwd: folder.path, encoding: 'utf8' }))
    expect(expected).toBeGreaterThan(1000)
    expect(lookups.length).toBeGreaterThanOrEqual(expected - 1)
    expect(log.files).toMatchObject([
      {
        compression: program,
        isRead: true,
        problem: expect.stringMatching(/^is incomplete or damaged.*\(.*end.*\)$/),
      },
    ])
    expect(log.files[0]?.problem).not.toContain('ended with')
  })

  test('damaged in the middle, followed by what is none, or nothing but its beginning', async () => {
    const archive = compress(program, big)
    const damaged = Buffer.from(archive)
    damaged.fill(0xa5, archive.length >> 1, (archive.length >> 1) + 64)
    const { lookups, log } = await read(damaged)
    expect(lookups.length).toBeGreaterThan(1000)
    expect(log.files[0]?.problem).toMatch(/^is incomplete or damaged/)
    const head = await read(archive.subarray(0, 8))
    expect(head.lookups).toEqual([])
    expect(head.log.files).toMatchObject([{ isRead: false, problem: expect.stringContaining('incomplete') }])
  })

  test('on standard input', async () => {
    const place = makeWorkplace()
    onTestFinished(place.remove)
    const { status, stdout, stderr } = await place.run(['census', '-'], {}, compress(program, content))
    expect(stdout).toMatch(/^40,000 legacy requests in 40,000 lines, from 1 client\.\n/)
    expect({ status, stderr }).toEqual({ status: 0, stderr: 'Reading standard input as request targets.\n' })
  })
})

test.skipIf(!isThere.xz)('a missing program is named, with what installs it', async () => {
  const place = makeWorkplace()
  onTestFinished(place.remove)
  place.write('a.xz', compress('xz', content))
  // A system that has a shell, and no xz.
  mkdirSync(join(place.path, 'bin'))
  symlinkSync('/bin/sh', join(place.path, 'bin/sh'))
  const { status, stderr } = await place.run(['census', 'a.xz'], { env: { PATH: join(place.path, 'bin') } })
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr:
      'Cannot read a.xz: the program xz is not installed. Install it (apt-get install xz-utils), or decompress the file first.\n',
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
