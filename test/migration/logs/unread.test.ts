// Files and lines that cannot be read: the reason, and an example that names nobody.

import { gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { unreadParts } from '../../../src/migration/logs/account.ts'
import { readLog } from './reading.ts'

const query = 'Event=ProfileLookup&Users=1:2'

test.each<[string, string | Buffer, string]>([
  ['UTF-16', Buffer.from(`\ufeffGET /?${query}\n`, 'utf16le'), 'is not a text file'],
  ['xz', Buffer.from('\xfd7zXZ\0\0\x04\xe6\xd6\xb4\x46', 'latin1'), 'is not a text file'],
  ['gzip in gzip', gzipSync(gzipSync('/?a')), 'is not a text file'],
  [
    'other text',
    '203.0.113.9 asks\nhello\n',
    'has no line of a known format. The first is: (address) asks\nDescribe it with --format, such as',
  ],
  ['JSON of something else', '{"level":"info","path":"/x","msg":"hello"}\n', 'has no line of a known format'],
  ['one long line', 'x'.repeat(600_000), 'The first is: xxx'],
])('a file of %s', async (_, content, problem) => {
  const { lookups, log } = await readLog(content)
  expect(lookups).toEqual([])
  const expected = { format: null, isRead: false, problem: expect.stringContaining(problem) }
  expect(log.files).toMatchObject([expected])
})

const clf = (target: string, method = 'GET') =>
  `203.0.113.9 - - [22/Nov/2026:12:55:36 +0000] "${method} ${target} HTTP/1.1" 200 34 "-" "Desktop/2.1"`
const one = clf(`/?${query}`)
const json = (value: unknown) => JSON.stringify(value)
const row = { method: 'GET', uri: `/?${query}` }
const squid = `1795352136.000    310 203.0.113.9 TCP_MISS/200 4 GET http://old.example/?${query} - HIER_DIRECT/10.0.0.1 text/html`
const iis = '#Fields: date time cs-method cs-uri-stem cs-uri-query c-ip\n2026-11-22 12:55:36 GET /'

test.each<[string, string]>([
  ['an event in lower case', `| GET | /?${query.toLowerCase()} |`],
  ['two lines of logfmt that were joined', `method=GET path=/?${query} method=GET path=/?${query}`],
  ['a target of logfmt with a raw blank', `method=GET path=/?${query} 2 status=200`],
  ['a target of logfmt with a raw quote', `method=GET path=/?${query}"2 status=200`],
  ['pairs with commas between them', `method=GET, path=/?${query}, status=200`],
  ['a list without an event', 'GET\t/?Users=1\t200'],
  ['an encoded name', 'GET\t/?%45vent=ProfileLookup\t200'],
  ['characters that JSON may escape', '{"a":"Event\\u003dProfileLookup"}'],
  ['parameters that are members', json({ method: 'GET', path: '/', query: { Event: 'AppLookup' } })],
  ['a body', `${clf('/', 'POST')} "${query}"`],
  ['a text, beside the request of a collector', json({ method: 'POST', path: '/in', message: one })],
  ['a text in a member that is not known', json({ x: { MESSAGE: one } })],
  ['a text that journalctl left out', json({ MESSAGE: null })],
  ['several texts of the journal', json({ MESSAGE: [one, one] })],
  ['a text that journalctl does not print', 'Nov 22 12:55:36 web nginx[71]: [512B blob data]'],
  ['a text of two lines', json({ message: `${one}\n${one}` })],
  ['a list in an object', json({ status: 'ok', data: [row, row] })],
  ['a list of targets', json({ ...row, uri: [row.uri, row.uri] })],
  ['a query with a blank among the fields of IIS', `${iis} ${query} 2 203.0.113.9`],
  [
    'a target that HAProxy has cut',
    `203.0.113.9:5000 [22/Nov/2026:12:55:36.000] old old/a 0/0/0/1/1 200 79 - - ---- 1/1/0/0/0 0/0 "GET /?${query}"`,
  ],
  ['a piece of a file of Kubernetes', `2026-11-22T12:55:36.5Z stdout P /?${query}`],
  ['a piece of docker', json({ log: `/?${query}${':1'.repeat(8_192)}`, stream: 'stdout' })],
  ['a line that follows another without a line break', one + clf('/?Event=a')],
  ['a line that follows one whose target is the beginning of its own', one + clf(`/?${query}:3`)],
  ['a line of Squid that follows another', squid.replace('Users', 'Apps') + squid],
  ['a line of Squid after a part of another', squid.slice(0, -40) + squid],
  ['a line after a part of another', one.slice(0, 80) + one],
  ['UTF-16 that was added to a file', Buffer.from(`\ufeff${one}`, 'utf16le').toString('latin1')],
])('a lookup in %s is not read, and counts', async (_, text) => {
  const { lookups, log } = await readLog(Buffer.from(`${`${one}\n`.repeat(10)}${text}\n`, 'latin1'))
  expect(lookups).toHaveLength(10)
  expect(log.requestsUnread).toBe(1)
})

test.each<[string, Buffer]>([
  ['gzip after text', Buffer.concat([Buffer.from(`${one}\n`.repeat(9)), gzipSync(one)])],
  ['zstd after text', Buffer.concat([Buffer.from(`${one}\n`.repeat(9)), zstdCompressSync(one)])],
  ['text after gzip', Buffer.concat([gzipSync(one), Buffer.from(`\n${one}\n`)])],
  ['text after NULs after gzip', Buffer.concat([gzipSync(one), Buffer.alloc(9), Buffer.from(one)])],
  ['text after zstd', Buffer.concat([zstdCompressSync(one), Buffer.from(`\n${one}\n`)])],
])('%s is no whole log', async (_, bytes) => {
  const { log } = await readLog(bytes)
  expect(log.files).toMatchObject([{ problem: expect.stringMatching(/^is incomplete or damaged/) }])
})

test('two requests in a line that --format describes are not read', async () => {
  const format = '$remote_addr - - [$time_local] "$request" $status $_ "$http_referer" "$http_user_agent"'
  const { lookups, log } = await readLog([one, one + clf('/?Event=a')], { format })
  expect(lookups).toHaveLength(1)
  expect(log.requestsUnread).toBe(1)
})

test.each([
  [
    '$remote_addr $request_method $request_uri $server_protocol $status',
    `203.0.113.9 GET /?${query} 2 HTTP/1.1 200`,
  ],
  ['$remote_addr $request_uri $status', `203.0.113.9 /?${query} 2 200`],
  ['$request_method $request_uri $server_protocol', `GET /?${query} 2 HTTP/1.1`],
  ['$remote_addr,$request_uri,$status,$http_user_agent', `203.0.113.9,/?${query},2,200,Desktop/2.1`],
  ['$remote_addr|$request|$http_user_agent', `203.0.113.9|GET /?${query}|2 HTTP/1.1|Desktop/2.1`],
  ['"$request" "$http_user_agent"', `"GET /?${query}" "2 HTTP/1.1" "Desktop/2.1"`],
])('a target that holds a separator of %s is not read', async (format, line) => {
  const { lookups, log } = await readLog([line], { format })
  expect(lookups).toEqual([])
  expect(log.requestsUnread).toBe(1)
})

test('a part of an IIS log has no names of its fields', async () => {
  const { log } = await readLog([`2026-11-22 12:55:36 10.0.0.1 GET / ${query} 80`])
  expect(log).toMatchObject({ requestsUnread: 1, notCounted: [{ reason: 'no fields', lines: 1 }] })
})

test('thousands of other requests do not outweigh lookups that were not read', async () => {
  const { log } = await readLog([one, ...Array(500).fill(clf('/a.png')), `| GET | /?${query} |`])
  expect(unreadParts(log).join()).toMatch(
    /^Only 50\.00 % of the lines that look like.* The first is: \| GET \| \/\?Event=/,
  )
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
