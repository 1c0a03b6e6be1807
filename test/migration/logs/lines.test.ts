// Single lines of access logs, which of them are legacy lookups, and how a file is cut into lines.

import { hash } from 'node:crypto'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { namesIn } from '../../../src/migration/logs/legacy.ts'
import { readLog } from './reading.ts'

const query = 'Event=AppLookup&Apps=1'
const midnight = '[01/Feb/2026:00:00:00 +0000]'

/** The lookup of a log of one line, or the reason why the line has none. */
async function readLine(line: string, paths?: readonly string[]) {
  const { lookups, log } = await readLog([line], paths === undefined ? {} : { paths })
  return lookups[0] ?? { reason: log.notCounted[0]?.reason }
}

test.each<[string, string, object]>([
  [
    'in the combined format',
    `203.0.113.9 - - [22/Nov/2026:13:55:36 +0100] "HEAD /?${query} HTTP/1.1" 200 312 "https://x.example/" "Client/1.0 (\\"old\\")"`,
    {
      ...{ query, method: 'HEAD', address: '203.0.113.9', userAgent: 'Client/1.0 ("old")' },
      ...{ referer: 'https://x.example/', time: Date.UTC(2026, 10, 22, 12, 55, 36) },
    },
  ],
  [
    'of an odd zone',
    `::1 - [bob] [01/Feb/2026:00:00:00 -0330] "GET /?${query} HTTP/2.0" 200 -`,
    { query, address: '::1', userAgent: '', time: Date.UTC(2026, 1, 1, 3, 30) },
  ],
  ['with a carriage return at its end', `/?${query}\r`, { query }],
  ['without a protocol (HTTP/0.9)', `203.0.113.4 - - ${midnight} "GET /?${query}" 400 1`, { query }],
  [
    'with a space in the target',
    `203.0.113.4 - - ${midnight} "GET /?${query}b c HTTP/1.1" 400 1`,
    { query: `${query}b c` },
  ],
  ['with an invalid time', `::1 - - [yesterday] "GET /?${query} HTTP/1.1" 200 1`, { query, time: null }],
  ['with an empty request', `::1 - - ${midnight} "-" 408 0`, { reason: 'no request' }],
  ['of many brackets', '[a] "'.repeat(20_000), { reason: 'unreadable' }],
  [
    'with the escapes of Apache and Tomcat, and a backslash of the client',
    `::1 - - ${midnight} "GET /?${query}&a=\\"\\\\\\u00fc\\d HTTP/1.1" 200 1`,
    { query: `${query}&a="\\\u00fc\\d` },
  ],
])('a line %s', async (_, line, expected) => {
  expect(await readLine(line)).toMatchObject(expected)
})

describe('a legacy lookup', () => {
  test.each<[string, string, object]>([
    ['an absolute target', 'GET http://old.example/?Event=x&a=%2F?', { query: 'Event=x&a=%2F?' }],
    ['broken encoding', 'GET /?Event=x&Users=%', { query: 'Event=x&Users=%' }],
    ['an event in different case', 'GET /?EVENT=x', { query: 'EVENT=x' }],
    ['a list without an event', 'GET /?Users=1', { query: 'Users=1' }],
    ['another list', 'GET /?Apps=1&x=2', { query: 'Apps=1&x=2' }],
    ['a blank before the event', 'GET /?+event=x', { query: '+event=x' }],
    ['another path of the service', 'GET /old/lookup.php?Event=x', { query: 'Event=x' }],
    ['POST', 'POST /?Event=x', { query: 'Event=x', posted: true }],
    ['another path', 'GET /index.html?Event=x', { reason: 'other path' }],
    ['no query', 'GET /', { reason: 'other path' }],
    ['a list of another page', 'GET /?users=Event', { reason: 'no lookup' }],
    ['a name as a value', 'GET /?x=Users', { reason: 'no lookup' }],
    ['POST of another page', 'POST /?page=1', { reason: 'other method' }],
    ['POST elsewhere', 'POST /form?Event=x', { reason: 'other method' }],
    ['DELETE', 'DELETE /?Event=x', { reason: 'other method' }],
  ])('or none: %s', async (_, line, expected) => {
    expect(await readLine(`${line} HTTP/1.1`, ['/', '/old/lookup.php'])).toMatchObject(expected)
  })

  test.each([
    ['Event=ProfileLookup&Users=1', { event: 'ProfileLookup', method: 'id', format: 'JSON' }],
    [
      'Event=ProfileLookup&MethodOfAccessingUserInformation=username&Format=XML',
      { event: 'ProfileLookup', method: 'username', format: 'XML' },
    ],
    ['Event=%', { event: '?', method: '', format: '?' }],
    [`Event=${'x'.repeat(500)}%0A`, { event: `${'x'.repeat(40)}\u2026`, method: '', format: 'JSON' }],
  ])('%s is reported as %o', (text, expected) => {
    expect(namesIn(text)).toEqual(expected)
  })
})

test.each<[string, string | Buffer, readonly string[]]>([
  ['without a newline at its end', '/?Event=a\n/?Event=b', ['/?Event=a', '/?Event=b']],
  ['with byte order marks', '\ufeff/?Event=a\n\ufeff/?Event=b\n', ['/?Event=a', '/?Event=b']],
  ['with NULs of a crash before a line', '\0\0/?Event=a\n', ['/?Event=a']],
  [
    'with bytes of several encodings',
    Buffer.from('/?Event=\xff\xc3\xa9\n', 'latin1'),
    ['/?Event=\xff\xc3\xa9'],
  ],
  ['with a line of 3 MB', `/?Event=a\n${'x'.repeat(3_000_000)}\n/?Event=b\n`, ['/?Event=a', '/?Event=b']],
])('a file %s', async (_, content, expected) => {
  expect((await readLog(content)).lookups.map(({ target }) => target)).toEqual(expected)
})

const LINES = 10_000
/** Values that hardly compress: several blocks of an archive. */
const content = Array.from(
  { length: LINES },
  (_, at) => `/?Event=AppLookup&Apps=${hash('sha512', String(at))}\n`,
).join('')

test.each([
  ['gzip', gzipSync],
  ['zstd', zstdCompressSync],
] as const)('%s, whole and damaged', async (name, compress) => {
  const archive = compress(content)
  const damaged = Buffer.from(archive).fill(0xa5, archive.length >> 1, (archive.length >> 1) + 64)
  const whole = await readLog(archive)
  expect(whole.lookups).toHaveLength(LINES)
  expect(whole.log.files).toMatchObject([{ compression: name, problem: null, lines: LINES }])

  const several = await readLog(Buffer.concat([compress('/?Event=a\n'), compress('/?Event=last\n')]))
  expect(several.lookups.map((one) => one.query)).toEqual(['Event=a', 'Event=last'])

  const problem = expect.stringMatching(/^is incomplete or damaged/)
  for (const bytes of [archive.subarray(0, Math.floor(archive.length * 0.6)), damaged]) {
    const { lookups, log } = await readLog(bytes)
    expect(lookups.length).toBeGreaterThan(500)
    expect(lookups.length).toBeLessThan(LINES)
    expect(log.files).toMatchObject([{ compression: name, isRead: true, problem }])
  }
  const beginning = await readLog(archive.subarray(0, 8))
  expect(beginning.log.files).toMatchObject([{ isRead: false, problem }])
})
