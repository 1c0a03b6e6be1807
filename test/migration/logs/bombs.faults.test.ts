// What a few bytes of an archive, a line of a log or a User-Agent may cost.

import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip, createZstdCompress } from 'node:zlib'
import { expect } from 'vitest'
import { agentOf } from '../../../src/migration/census/user-agent.ts'
import { describedFormat } from '../../../src/migration/logs/described.ts'
import { formats } from '../../../src/migration/logs/formats.ts'
import { looksLikeRequest } from '../../../src/migration/logs/likeness.ts'
import { createLineReader } from '../../../src/migration/logs/reader.ts'
import { test } from '../../kit/test.ts'

const BOMB_MEBIBYTES = 400
const MAX_MEBIBYTES = 250
const showMemory =
  'data:text/javascript,process.on("exit",()=>process.stderr.write("KiB "+process.resourceUsage().maxRSS))'

test.for([
  ['gzip', createGzip],
  ['zstd', createZstdCompress],
] as const)('a bomb by %s does not fill the memory', async ([, createCoder], { place }) => {
  const text = Array<Buffer>(BOMB_MEBIBYTES).fill(Buffer.alloc(1024 * 1024, 'x'))
  await pipeline(Readable.from(text), createCoder(), createWriteStream(join(place.path, 'bomb')))
  const { status, stderr } = await place.runProcess(['census', 'bomb'], {
    nodeFlags: ['--import', showMemory],
  })
  expect(status).toBe(1)
  expect(stderr).toContain('Census failed. bomb has no line of a known format')
  expect(Number(/KiB (\d+)/.exec(stderr)?.[1]) / 1024).toBeLessThan(MAX_MEBIBYTES)
})

/** For the longest line: a quadratic regex would take minutes. */
const MAX_MILLISECONDS = 1000
/** Characters of the longest line. */
const LENGTH = 256 * 1024
const readers = [
  formats,
  [describedFormat('$remote_addr - [$time_local] "$request" "$http_user_agent"')],
  [describedFormat('$date $time $remote_addr $request_uri')],
  [describedFormat('"$request" "$_" "$http_referer", $_ ua="$http_user_agent"')],
]

const pieces = [
  '[a] "b" 200 1 ',
  '[a] "GET ',
  ...['a', ' ', '"', '\\', '\\"', '[', ']', '[a] "', '{', '{"a":', '{"log":"', '\\x22', '%25', '+', '\t'],
  ...[':', '/', '-', '#', 'GET ', 'GET /? HTTP/1.1', ' HTTP/1.1', '203.0.113.4 ', '203.0.113.4,', '0'],
  ...['access.log:', 'web | ', '<1>', 'Feb  1 00:00:00 a b: ', '{"message":"', '[{', 'GET /? 200 '],
  ...['{a|', '} ', '[01/Feb/2026:00:00:00.000] ', '[01/Feb/2026:00:00:00 +0000] "'],
  '203.0.113.4 - - [01/Feb/2026:00:00:00 +0000] "GET /',
]
const beginnings = [
  '',
  '{"log":"',
  '{"request":"GET /", "a":"',
  '#Fields: ',
  '203.0.113.4 - - [01/Feb/2026:00:00:00 +0000] "GET /',
  'h2 2026-11-22T12:55:36.1Z a 203.0.113.4:1 ',
  'a:1 [06/Feb/2009:12:14:14.655] a b/c 1/1/1/1/1 200 1 - - ---- 1/1/1/1/0 0/0 {',
  '2026-11-22T12:55:36.1Z stdout P ',
  '2026-11-22 12:55:36 ',
  '1.2.3.4 - - [06/Feb/2009:12:14:14 +0000] "GET / HTTP/1.1" 200 1 ',
  '[2026-11-22T12:55:36.1Z] "GET / HTTP/1.1" 200 ',
  'access.log:12:',
]

test('no line of the greatest length takes more than linear time', () => {
  const slowest = { milliseconds: 0, line: '' }
  for (const known of readers) {
    for (const beginning of beginnings) {
      for (const piece of pieces) {
        const line = (beginning + piece.repeat(LENGTH / piece.length)).slice(0, LENGTH)
        const read = createLineReader(known, () => {})
        read('#Fields: date time cs-uri-stem cs-uri-query c-ip cs(User-Agent)')
        const begun = performance.now()
        read(line)
        looksLikeRequest(line)
        const milliseconds = performance.now() - begun
        if (milliseconds > slowest.milliseconds)
          Object.assign(slowest, { milliseconds, line: line.slice(0, 100) })
      }
    }
  }
  expect(slowest.milliseconds, JSON.stringify(slowest)).toBeLessThan(MAX_MILLISECONDS)
})

test('no User-Agent takes long', () => {
  const begun = performance.now()
  for (const piece of ['Mozilla/5.0 (', 'a/', '(', ' ', 'compatible; ', 'Mozilla/5.0 a/1 '])
    for (let times = 0; times < 100; times++) agentOf(piece.repeat(20_000))
  expect(performance.now() - begun).toBeLessThan(5 * MAX_MILLISECONDS)
})
