// Lines of access logs, as Apache and nginx write them, and files of them.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { combined } from '../../../src/migration/access-log/formats/combined.ts'
import { recognise } from '../../../src/migration/access-log/formats/index.ts'
import { askedBy, legacyCallOf } from '../../../src/migration/access-log/legacy.ts'
import { openLog } from '../../../src/migration/access-log/read.ts'
import { sizeOfFiles } from '../../../src/terminal/inputs.ts'
import { temporaryFolder } from '../../kit/gateway.ts'

const parseLogLine = (line: string) => combined.open([], recognise).read(line)

describe('a line', () => {
  test('in the combined format', () => {
    const line =
      '203.0.113.9 - - [22/Nov/2026:13:55:36 +0100] "GET /?Event=AppLookup&Apps=1 HTTP/1.1" 200 312 "https://x.example/" "Client/1.0 (\\"old\\")"'
    expect(parseLogLine(line)).toEqual({
      method: 'GET',
      target: '/?Event=AppLookup&Apps=1',
      address: '203.0.113.9',
      userAgent: 'Client/1.0 ("old")',
      referer: 'https://x.example/',
      time: Date.UTC(2026, 10, 22, 12, 55, 36),
    })
  })

  test.each<[string, string, object | string]>([
    [
      'common',
      '::1 - ada [01/Feb/2026:00:00:00 -0330] "HEAD /?a=b HTTP/2.0" 200 -',
      { method: 'HEAD', target: '/?a=b', address: '::1', userAgent: '', time: Date.UTC(2026, 1, 1, 3, 30) },
    ],
    [
      'with a host before it',
      'www.example:443 203.0.113.9 - - [01/Feb/2026:00:00:00 +0000] "GET /?x HTTP/1.1" 200 1 "-" "-"',
      { target: '/?x', address: '203.0.113.9', userAgent: '' },
    ],
    [
      'no status, as Apache and Traefik have it where the client has left',
      '203.0.113.4 - - [01/Feb/2026:00:00:00 +0000] "GET /?x HTTP/1.1" - - "-" "Desktop/2.1"',
      { target: '/?x', address: '203.0.113.4', userAgent: 'Desktop/2.1' },
    ],
    [
      'a user name in brackets',
      '203.0.113.4 - [bob] [01/Feb/2026:00:00:00 +0000] "GET /?x HTTP/1.1" 200 1',
      { target: '/?x', address: '203.0.113.4' },
    ],
    [
      'addresses of proxies',
      '"203.0.113.4, 198.51.100.8" - - [01/Feb/2026:00:00:00 +0000] "GET /?x HTTP/1.1" 200 1',
      { address: '203.0.113.4' },
    ],
    ['many brackets', '[a] "'.repeat(20_000), 'unreadable'],
    [
      'a target',
      '/?Event=AppLookup&Apps=1',
      { method: 'GET', target: '/?Event=AppLookup&Apps=1', address: '', time: null },
    ],
    ['a query', '?Event=AppLookup', { target: '?Event=AppLookup' }],
    ['an absolute target', 'https://old.example/?Event=x', { target: 'https://old.example/?Event=x' }],
    ['a request line', 'GET /?Event=x HTTP/1.0', { method: 'GET', target: '/?Event=x' }],
    ['a carriage return at its end', '/?Event=x\r', { target: '/?Event=x' }],
    [
      'escapes of Apache',
      '203.0.113.4 - - [01/Feb/2026:00:00:00 +0000] "GET /?a=\\"\\\\\\t HTTP/1.1" 200 1',
      { target: '/?a="\\\t' },
    ],
    [
      'escapes of nginx',
      '203.0.113.4 - - [01/Feb/2026:00:00:00 +0000] "GET /?a=\\x22\\xC3\\xA9 HTTP/1.1" 200 1',
      { target: '/?a="\u00c3\u00a9' },
    ],
    [
      'no protocol, as HTTP/0.9 has it',
      '203.0.113.4 - - [01/Feb/2026:00:00:00 +0000] "GET /?a" 400 1',
      { target: '/?a' },
    ],
    [
      'a space in the target',
      '203.0.113.4 - - [01/Feb/2026:00:00:00 +0000] "GET /?a=b c HTTP/1.1" 400 1',
      { target: '/?a=b c' },
    ],
    [
      'a time that is none',
      '203.0.113.4 - - [yesterday] "GET /?a HTTP/1.1" 200 1',
      { target: '/?a', time: null },
    ],
    ['bytes of TLS', '203.0.113.4 - - [01/Feb/2026:00:00:00 +0000] "\\x16\\x03\\x01" 400 1', 'no request'],
    ['an empty request', '203.0.113.4 - - [01/Feb/2026:00:00:00 +0000] "-" 408 0', 'no request'],
    ['anything else', 'hello', 'unreadable'],
    [
      'a quote that does not end',
      `203.0.113.4 - - [01/Feb/2026:00:00:00 +0000] "GET /${'\\"'.repeat(50_000)}`,
      'unreadable',
    ],
  ])('%s', (_, line, expected) => {
    if (typeof expected === 'string') expect(parseLogLine(line)).toBe(expected)
    else expect(parseLogLine(line)).toMatchObject(expected)
  })
})

describe('what is a legacy lookup', () => {
  const call = (target: string, method = 'GET', paths = ['/']) =>
    legacyCallOf({ method, target, address: '', userAgent: '', referer: '', time: null }, paths)

  test.each<[string, ReturnType<typeof call>, ReturnType<typeof call>]>([
    ['a query on the path', call('/?Event=x'), { query: 'Event=x' }],
    ['an absolute target', call('http://old.example/?Event=x&a=%2F?'), { query: 'Event=x&a=%2F?' }],
    ['a query by itself', call('?Event=x'), { query: 'Event=x' }],
    [
      'another path of the service',
      call('/old/lookup.php?Event=x', 'GET', ['/', '/old/lookup.php']),
      { query: 'Event=x' },
    ],
    ['HEAD', call('/?Event=x', 'HEAD'), { query: 'Event=x' }],
    ['broken encoding', call('/?Event=x&Users=%'), { query: 'Event=x&Users=%' }],
    ['another path', call('/index.html?Event=x'), 'other path'],
    ['no query', call('/'), 'other path'],
    ['an event in different case', call('/?EVENT=x'), { query: 'EVENT=x' }],
    ['a list without an event', call('/?Users=1'), { query: 'Users=1' }],
    ['another list', call('/?Apps=1&x=2'), { query: 'Apps=1&x=2' }],
    ['a list of another page', call('/?users=Event'), 'no lookup'],
    ['a name as a value', call('/?x=Users'), 'no lookup'],
    ['POST', call('/?Event=x', 'POST'), { query: 'Event=x', posted: true }],
    ['POST of another page', call('/?page=1', 'POST'), 'other method'],
    ['POST elsewhere', call('/form?Event=x', 'POST'), 'other method'],
    ['DELETE', call('/?Event=x', 'DELETE'), 'other method'],
  ])('%s', (_, found, expected) => {
    expect(found).toEqual(expected)
  })

  test('what it asks for', () => {
    expect(askedBy('Event=ProfileLookup&Users=1')).toEqual({
      event: 'ProfileLookup',
      method: 'id',
      format: 'JSON',
    })
    expect(askedBy('Event=ProfileLookup&MethodOfAccessingUserInformation=username&Format=XML')).toEqual({
      event: 'ProfileLookup',
      method: 'username',
      format: 'XML',
    })
    expect(askedBy('Event=AppLookup&MethodOfAccessingUserInformation=x')).toEqual({
      event: 'AppLookup',
      method: '',
      format: 'JSON',
    })
    expect(askedBy('Event=%')).toMatchObject({ event: '?' })
    expect(askedBy(`Event=${'x'.repeat(500)}%0A`).event).toMatch(/^x{40}…$/)
  })
})

describe('files', () => {
  async function linesOf(content: string | Buffer, name = 'access.log') {
    const folder = temporaryFolder()
    onTestFinished(folder.remove)
    const file = join(folder.path, name)
    writeFileSync(file, content)
    const lines: string[] = []
    let bytes = 0
    const onBytes = (read: number) => {
      bytes = read
    }
    const log = openLog(file, { onBytes, signal: new AbortController().signal })
    for await (const some of log.batches) lines.push(...some)
    expect(log.found).toMatchObject({ isText: true, damage: null })
    expect(bytes).toBe(sizeOfFiles([file]))
    return lines
  }

  test('with and without a newline at the end', async () => {
    expect(await linesOf('a\nb\n')).toEqual(['a', 'b'])
    expect(await linesOf('a\nb')).toEqual(['a', 'b'])
    expect(await linesOf('')).toEqual([])
  })

  test('gzip, whatever its name, and several members as rotation makes them', async () => {
    expect(await linesOf(gzipSync('a\nb\n'), 'access.log.1')).toEqual(['a', 'b'])
    expect(await linesOf(Buffer.concat([gzipSync('a\n'), gzipSync('b\n')]))).toEqual(['a', 'b'])
  })

  test('bytes stay bytes', async () => {
    expect(await linesOf(Buffer.from([0x61, 0xff, 0xc3, 0xa9, 0x0a]))).toEqual(['a\u00ff\u00c3\u00a9'])
  })

  test('a line longer than any request is passed over, and those around it are read', async () => {
    const lines = await linesOf(`first\n${'x'.repeat(3_000_000)}\nlast\n`)
    expect(lines.filter((line) => line !== '')).toEqual(['first', 'last'])
  })

  test('one that is not there', () => {
    expect(() => sizeOfFiles(['/nowhere/access.log'])).toThrow(
      'There is no file /nowhere/access.log. Check the path.',
    )
    expect(() => sizeOfFiles(['/tmp'])).toThrow('/tmp is a folder. Name a file in it.')
  })
})
