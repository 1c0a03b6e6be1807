// Files and lines that cannot be read: the reason, and an example that names nobody.

import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readLog } from './reading.ts'

const query = 'Event=ProfileLookup&Users=1:2'

test.each<[string, string | Buffer, string]>([
  ['UTF-16', Buffer.from(`\ufeffGET /?${query}\n`, 'utf16le'), 'is not a text file'],
  ['xz', Buffer.from('\xfd7zXZ\0\0\x04\xe6\xd6\xb4\x46', 'latin1'), 'is not a text file'],
  ['gzip in gzip', gzipSync(gzipSync('/?a')), 'is not a text file'],
  ['other text', 'Dear operator,\nhello\n', 'has no line of a known format'],
  ['JSON of something else', '{"level":"info","path":"/x","msg":"hello"}\n', 'has no line of a known format'],
  [
    'a part of an IIS log',
    `2026-11-22 12:55:36 10.0.0.1 GET / ${query} 80\n`,
    'has no #Fields line with cs-uri-stem before its lines',
  ],
  ['one long line', 'x'.repeat(600_000), 'has only lines longer than 256 KiB'],
])('a file of %s', async (_, content, problem) => {
  const { lookups, log } = await readLog(content)
  expect(lookups).toEqual([])
  const expected = { format: null, isRead: false, problem: expect.stringContaining(problem) }
  expect(log.files).toMatchObject([expected])
})

test('an empty file is no mistake among others', async () => {
  expect((await readLog('')).log.files).toMatchObject([{ lines: 0, problem: 'is empty', isRead: true }])
})

test('lines over 256 KiB are counted, with how the first begins', async () => {
  const { log, lookups } = await readLog(
    `/?${query}\n/?${'x'.repeat(262_143)}\n/?${query}&y=${'z'.repeat(262_100)}\n`,
  )
  expect(lookups).toHaveLength(2)
  expect(log.lines).toBe(3)
  expect(log.notCounted).toEqual([
    { reason: 'too long', lines: 1, example: expect.stringMatching(/^\/\?x{158}…$/) },
  ])
})

test('an example has no address and no control character', async () => {
  const { log } = await readLog(
    `/?${query}\n203.0.113.9: addr=2001:db8::1, [203.0.113.8:4711] /::1/ 13:55:36 \x1b[31m\xff\n`,
  )
  expect(log.notCounted[0]?.example).toBe(
    '(address): addr=(address), [(address)] /(address)/ 13:55:36 \ufffd[31m\u00ff',
  )
})

test('paths of lookups that were not counted are named, most frequent first', async () => {
  const { log } = await readLog([
    `/lookup.php?${query}`,
    `/lookup.php?${query}`,
    `/a?x=1&event=applookup`,
    '/b?event=click',
  ])
  expect(log.otherPaths).toEqual([
    { path: '/lookup.php', requests: 2 },
    { path: '/a', requests: 1 },
  ])
})
