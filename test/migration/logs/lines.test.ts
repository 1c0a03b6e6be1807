// Single lines of access logs, which of them are legacy lookups, and how a file is cut into lines.

import { describe, expect, test } from 'vitest'
import { namesIn } from '../../../src/migration/logs/legacy.ts'
import { readLog } from './reading.ts'

const query = 'Event=AppLookup&Apps=1'
const midnight = '[01/Feb/2026:00:00:00 +0000]'

/** The lookup of a log of one line, or the reason why the line has none. */
async function readLine(line: string, paths?: readonly string[]) {
  const { lookups, log } = await readLog([line], paths === undefined ? {} : { paths })
  return lookups[0] ?? log.notCounted[0]?.reason
}

describe('a line', () => {
  test.each<[string, string, object | string]>([
    [
      'in the combined format',
      `203.0.113.9 - - [22/Nov/2026:13:55:36 +0100] "GET /?${query} HTTP/1.1" 200 312 "https://x.example/" "Client/1.0 (\\"old\\")"`,
      {
        query,
        method: 'GET',
        address: '203.0.113.9',
        userAgent: 'Client/1.0 ("old")',
        referer: 'https://x.example/',
        time: Date.UTC(2026, 10, 22, 12, 55, 36),
      },
    ],
    [
      'in the common format',
      `::1 - ada [01/Feb/2026:00:00:00 -0330] "HEAD /?${query} HTTP/2.0" 200 -`,
      { query, method: 'HEAD', address: '::1', userAgent: '', time: Date.UTC(2026, 1, 1, 3, 30) },
    ],
    [
      'without a status, because the client left (Apache, Traefik)',
      `203.0.113.4 - - ${midnight} "GET /?${query} HTTP/1.1" - - "-" "Desktop/2.1"`,
      { query, address: '203.0.113.4', userAgent: 'Desktop/2.1' },
    ],
    [
      'with a user name in brackets',
      `203.0.113.4 - [bob] ${midnight} "GET /?${query} HTTP/1.1" 200 1`,
      { query, address: '203.0.113.4' },
    ],
    ['that is a target', `/?${query}`, { method: 'GET', query, address: '', time: null }],
    ['that is a query', `?${query}`, { query }],
    ['that is a request line', `GET /?${query} HTTP/1.0`, { method: 'GET', query }],
    ['with a carriage return at its end', `/?${query}\r`, { query }],
    ['without a protocol (HTTP/0.9)', `203.0.113.4 - - ${midnight} "GET /?${query}" 400 1`, { query }],
    [
      'with a space in the target',
      `203.0.113.4 - - ${midnight} "GET /?${query}b c HTTP/1.1" 400 1`,
      { query: `${query}b c` },
    ],
    [
      'with an invalid time',
      `203.0.113.4 - - [yesterday] "GET /?${query} HTTP/1.1" 200 1`,
      { query, time: null },
    ],
    ['with an empty request', `203.0.113.4 - - ${midnight} "-" 408 0`, 'no request'],
    ['of many brackets', '[a] "'.repeat(20_000), 'unreadable'],
    [
      'with a quote that does not end',
      `203.0.113.4 - - ${midnight} "GET /${'\\"'.repeat(50_000)}`,
      'unreadable',
    ],
    [
      'with the escapes of Apache and Tomcat, and a backslash of the client',
      `::1 - - ${midnight} "GET /?${query}&a=\\"\\\\\\u00fc\\d HTTP/1.1" 200 1`,
      { query: `${query}&a="\\\u00fc\\d` },
    ],
    ['with a host, without a scheme', `{"method":"GET","url":"old.example:80/?${query}"}`, { query }],
    ['of other text', 'hello', 'unreadable'],
  ])('%s', async (_, line, expected) => {
    const found = await readLine(line)
    if (typeof expected === 'string') expect(found).toBe(expected)
    else expect(found).toMatchObject(expected)
  })
})

describe('what is a legacy lookup', () => {
  test.each<[string, string, object | string]>([
    ['a query on the path', 'GET /?Event=x', { query: 'Event=x' }],
    ['an absolute target', 'GET http://old.example/?Event=x&a=%2F?', { query: 'Event=x&a=%2F?' }],
    ['HEAD', 'HEAD /?Event=x', { query: 'Event=x' }],
    ['broken encoding', 'GET /?Event=x&Users=%', { query: 'Event=x&Users=%' }],
    ['an event in different case', 'GET /?EVENT=x', { query: 'EVENT=x' }],
    ['a list without an event', 'GET /?Users=1', { query: 'Users=1' }],
    ['another list', 'GET /?Apps=1&x=2', { query: 'Apps=1&x=2' }],
    ['a blank before the event', 'GET /?+event=x', { query: '+event=x' }],
    ['another path of the service', 'GET /old/lookup.php?Event=x', { query: 'Event=x' }],
    ['POST', 'POST /?Event=x', { query: 'Event=x', posted: true }],
    ['another path', 'GET /index.html?Event=x', 'other path'],
    ['no query', 'GET /', 'other path'],
    ['a list of another page', 'GET /?users=Event', 'no lookup'],
    ['a name as a value', 'GET /?x=Users', 'no lookup'],
    ['POST of another page', 'POST /?page=1', 'other method'],
    ['POST elsewhere', 'POST /form?Event=x', 'other method'],
    ['DELETE', 'DELETE /?Event=x', 'other method'],
  ])('%s', async (_, line, expected) => {
    const found = await readLine(`${line} HTTP/1.1`, ['/', '/old/lookup.php'])
    if (typeof expected === 'string') expect(found).toBe(expected)
    else expect(found).toMatchObject(expected)
  })

  test.each([
    ['Event=ProfileLookup&Users=1', { event: 'ProfileLookup', method: 'id', format: 'JSON' }],
    [
      'Event=ProfileLookup&MethodOfAccessingUserInformation=username&Format=XML',
      { event: 'ProfileLookup', method: 'username', format: 'XML' },
    ],
    [
      'Event=AppLookup&MethodOfAccessingUserInformation=x',
      { event: 'AppLookup', method: '', format: 'JSON' },
    ],
    ['Event=%', { event: '?', method: '', format: '?' }],
    [`Event=${'x'.repeat(500)}%0A`, { event: `${'x'.repeat(40)}\u2026`, method: '', format: 'JSON' }],
  ])('%s is reported as %o', (text, expected) => {
    expect(namesIn(text)).toEqual(expected)
  })
})

describe('a file', () => {
  const targets = (content: string | Buffer) =>
    readLog(content).then(({ lookups }) => lookups.map(({ target }) => target))

  test.each<[string, string | Buffer, readonly string[]]>([
    ['with a newline at its end', '/?Event=a\n/?Event=b\n', ['/?Event=a', '/?Event=b']],
    ['without a newline at its end', '/?Event=a\n/?Event=b', ['/?Event=a', '/?Event=b']],
    ['with a byte order mark', '\ufeff/?Event=a\n', ['/?Event=a']],
    ['with a byte order mark in its middle', '/?Event=a\n\ufeff/?Event=b\n', ['/?Event=a', '/?Event=b']],
    ['of Macintosh', '/?Event=a\r/?Event=b\r', ['/?Event=a', '/?Event=b']],
    ['with more NULs than a line may have', `${'\0'.repeat(900_000)}/?Event=a\n`, ['/?Event=a']],
    ['with NULs of a crash before a line', '\0\0/?Event=a\n', ['/?Event=a']],
    [
      'with bytes of several encodings',
      Buffer.from('/?Event=a\xff\xc3\xa9\n', 'latin1'),
      ['/?Event=a\xff\xc3\xa9'],
    ],
    ['with a line of 3 MB', `/?Event=a\n${'x'.repeat(3_000_000)}\n/?Event=b\n`, ['/?Event=a', '/?Event=b']],
  ])('%s', async (_, content, expected) => {
    expect(await targets(content)).toEqual(expected)
  })
})
