// Lines of servers that do not run here, as their documentation has them; and what may be wrong with lines.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../kit/gateway.ts'
import { readFiles } from './reading.ts'

async function read(
  content: string | Buffer | readonly string[],
  options: Parameters<typeof readFiles>[1] = {},
) {
  const folder = temporaryFolder()
  onTestFinished(folder.remove)
  const file = join(folder.path, 'a.log')
  const isLines = typeof content !== 'string' && !Buffer.isBuffer(content)
  writeFileSync(file, isLines ? `${content.join('\n')}\n` : content)
  return readFiles([file], options)
}

const query = 'Event=ProfileLookup&Users=1:2'
const noon = Date.UTC(2026, 10, 22, 12, 55, 36)

describe('each is recognised, and read', () => {
  test('IIS, whose fields may change within a file', async () => {
    const { lookups, log, said } = await read(
      [
        '#Software: Microsoft Internet Information Services 10.0',
        '#Version: 1.0',
        '#Date: 2026-11-22 12:00:00',
        '#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) cs(Referer) sc-status time-taken',
        `2026-11-22 12:55:36 10.0.0.1 GET / ${query} 80 - 203.0.113.9 Desktop/2.1+(Windows+NT+10.0) - 200 15`,
        '2026-11-22 12:55:37 10.0.0.1 GET /favicon.ico - 80 - 203.0.113.9 Desktop/2.1 - 404 1',
        '#Fields: time date c-ip cs(Referer) cs-method cs-uri-stem cs-uri-query',
        `12:55:38 2026-11-22 203.0.113.8 https://front.example/ GET / ${query}`,
        'cut off',
      ].map((line) => `${line}\r`),
    )
    expect(said).toEqual(['Reading a.log as IIS W3C.'])
    expect(lookups).toMatchObject([
      { query, address: '203.0.113.9', userAgent: 'Desktop/2.1 (Windows NT 10.0)', referer: '', time: noon },
      { query, address: '203.0.113.8', referer: 'https://front.example/', time: noon + 2000 },
    ])
    expect(log.notCounted).toMatchObject([
      { reason: 'other path', lines: 1 },
      { reason: 'unreadable', lines: 1, example: 'cut off' },
    ])
  })

  test('CloudFront, with what it encodes, and compressed as it delivers them', async () => {
    const fields =
      'date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie)'
    const line = (agent: string, asked: string) =>
      `2026-11-22\t12:55:36\tFRA2\t412\t2001:db8::1\tGET\td1.cloudfront.example\t/\t200\t-\t${agent}\t${asked}\t-`
    const { lookups, log, said } = await read(
      gzipSync(
        `#Version: 1.0\n#Fields: ${fields}\n${line('Desktop/2.1%20(a)', query)}\n${line('Desktop/2.1%2520(a)', 'Event=a&Users=1%253A2%20')}\n`,
      ),
    )
    expect(said).toEqual(['Reading a.log as CloudFront.'])
    const client = { address: '2001:db8::1', userAgent: 'Desktop/2.1 (a)', time: noon }
    expect(lookups).toMatchObject([
      { query, ...client },
      { query: 'Event=a&Users=1%3A2%20', ...client },
    ])
    expect(log.files).toMatchObject([{ format: 'CloudFront', compression: 'gzip', lines: 4, problem: null }])
  })

  test('load balancers of AWS', async () => {
    const times = '0.001 0.002 0.000 200 200 34 366'
    const { lookups, log, said } = await read([
      `https 2026-11-22T12:55:36.123456Z app/old/50dc6c495c0c9188 203.0.113.9:2817 10.0.0.1:80 ${times} "GET https://old.example:443/?${query} HTTP/1.1" "Desktop/2.1 (\\x22a\\x22)" ECDHE TLSv1.2 arn:aws:x "Root=1-5" "old.example" "-" 0 2026-11-22T12:55:36.122000Z "forward" "-" "-"`,
      `2026-11-22T12:55:36.123456Z old 203.0.113.9:2817 10.0.0.1:80 ${times} "GET http://old.example:80/?${query} HTTP/1.1" "Desktop/2.1" - -`,
      `h2 2026-11-22T12:55:36.123456Z app/old/50 [2001:db8::1]:2817 - -1 -1 -1 400 - 34 366 "- http://old.example:80- -" "-" - - - "-" "-" "-" - 2026-11-22T12:55:36.1Z "-" "-" "-"`,
    ])
    expect(said).toEqual(['Reading a.log as AWS load balancer.'])
    expect(lookups).toMatchObject([
      { query, address: '203.0.113.9', userAgent: 'Desktop/2.1 ("a")', time: noon + 123 },
      { query, address: '203.0.113.9', userAgent: 'Desktop/2.1' },
    ])
    expect(log.notCounted).toMatchObject([{ reason: 'no request', lines: 1 }])
  })

  test('Caddy', async () => {
    const request = {
      remote_ip: '10.0.0.1',
      remote_port: '41342',
      client_ip: '203.0.113.9',
      proto: 'HTTP/2.0',
      method: 'GET',
      host: 'old.example',
      uri: `/?${query}&x=\u00e9`,
      headers: { 'User-Agent': ['Desktop/2.1 é'], Referer: ['https://front.example/'] },
    }
    const entry = {
      level: 'info',
      ts: 1795352136.5241024,
      logger: 'http.log.access.log0',
      msg: 'handled request',
    }
    const { lookups, said } = await read([
      JSON.stringify({ ...entry, request, duration: 0.0009, size: 10, status: 200, resp_headers: {} }),
    ])
    expect(said).toEqual(['Reading a.log as Caddy JSON.'])
    expect(lookups).toMatchObject([
      {
        query: `${query}&x=\u00c3\u00a9`,
        address: '203.0.113.9',
        userAgent: 'Desktop/2.1 \u00c3\u00a9',
        referer: 'https://front.example/',
        time: noon + 524,
      },
    ])
  })

  test('Traefik, in JSON and in its common format', async () => {
    const entry = {
      ClientAddr: '203.0.113.9:5000',
      ClientHost: '203.0.113.9',
      DownstreamStatus: 200,
      RequestMethod: 'GET',
      RequestPath: `/?${query}`,
      RequestProtocol: 'HTTP/1.1',
      StartLocal: '2026-11-22T13:55:36.5+01:00',
      StartUTC: '2026-11-22T12:55:36.5Z',
      level: 'info',
      msg: '',
      'request_User-Agent': 'Desktop/2.1',
      time: '2026-11-22T13:55:37+01:00',
    }
    const found = [{ query, address: '203.0.113.9', userAgent: 'Desktop/2.1' }]
    const json = await read([JSON.stringify(entry)])
    expect(json.said).toEqual(['Reading a.log as Traefik JSON.'])
    expect(json.lookups).toMatchObject([{ ...found[0], time: noon + 500 }])
    const clf = await read([
      `203.0.113.9 - - [22/Nov/2026:12:55:36 +0000] "GET /?${query} HTTP/1.1" 200 34 "-" "Desktop/2.1" 1 "old@docker" "http://10.0.0.1:80" 2ms`,
    ])
    expect(clf.lookups).toMatchObject(found)
  })

  test('docker and Kubernetes, with lines in pieces, and what else a container writes', async () => {
    const line = `203.0.113.9 - - [22/Nov/2026:12:55:36 +0000] "GET /?${query}&x=${'y'.repeat(40)} HTTP/1.1" 200 34 "-" "Désktop/2.1"`
    const piece = (log: string, stream = 'stdout') =>
      JSON.stringify({ log, stream, time: '2026-11-22T12:55:36.5Z' })
    const { lookups, log, said } = await read([
      piece('2026/11/22 12:55:30 [notice] 1#1: start worker process\n', 'stderr'),
      piece(line.slice(0, 90)),
      piece('2026/11/22 12:55:36 [warn] in between\n', 'stderr'),
      piece(`${line.slice(90)}\n`),
      piece(`/?${query}\n`),
    ])
    expect(said).toEqual(['Reading a.log as docker json-file with common or combined format.'])
    expect(lookups).toMatchObject([
      { userAgent: 'D\u00c3\u00a9sktop/2.1', query: `${query}&x=${'y'.repeat(40)}`, time: noon },
      { query, time: noon + 500 },
    ])
    expect(log.notCounted).toMatchObject([{ reason: 'unreadable', lines: 2 }])
    const cri = await read([
      `2026-11-22T12:55:36.1Z stdout P ${line.slice(0, 90)}`,
      `2026-11-22T12:55:36.1Z stdout F ${line.slice(90)}`,
    ])
    expect(cri.lookups).toMatchObject([{ address: '203.0.113.9' }])
    const collected = await read([JSON.stringify({ log: line, stream: 'stdout' })])
    expect(collected.lookups).toMatchObject([{ address: '203.0.113.9' }])
  })

  test("systemd's journal, where bytes that are not UTF-8 are a list", async () => {
    const line = `203.0.113.9 - - [22/Nov/2026:12:55:36 +0000] "GET /?${query} HTTP/1.1" 200 34 "-" "D\u00e9"`
    const entry = (MESSAGE: unknown) =>
      JSON.stringify({ __REALTIME_TIMESTAMP: `${noon + 500}123`, SYSLOG_IDENTIFIER: 'nginx', MESSAGE })
    const { lookups, log, said } = await read([
      entry('starting'),
      entry(line),
      entry([...Buffer.from(line, 'latin1')]),
      entry(`/?${query}`),
      entry(null),
    ])
    expect(said).toEqual(['Reading a.log as journald JSON with common or combined format.'])
    expect(lookups).toMatchObject([
      { query, userAgent: 'D\u00c3\u00a9', time: noon },
      { query, userAgent: 'D\u00e9', time: noon },
      { query, time: noon + 500 },
    ])
    expect(log.notCounted).toMatchObject([{ reason: 'unreadable', lines: 1 }])
  })

  test('JSON whatever its keys and its bytes', async () => {
    const { lookups } = await read(
      Buffer.from(
        [
          `{"time_local":"22/Nov/2026:13:55:36 +0100","request":"GET /?${query} HTTP/1.1","http_x_forwarded_for":"203.0.113.9, 10.0.0.1","remote_addr":"10.0.0.2"}`,
          `{"@timestamp":"2026-11-22T12:55:36.000Z","http":{"request":{"method":"GET"}},"url":{"original":"/?${query}"},"source":{"ip":"203.0.113.9"},"user_agent":{"original":"a"}}`,
          `{"method":"GET","uri":"/","args":"${query}&x=\xff","client_ip":"203.0.113.9","ts":1795352136000}`,
        ].join('\n'),
        'latin1',
      ),
    )
    const found = { address: '203.0.113.9', time: noon }
    expect(lookups).toMatchObject([
      { query, ...found },
      { query, ...found, userAgent: 'a' },
      { query: `${query}&x=\u00ff`, ...found },
    ])
  })

  test('JSON with short keys, and of loggers of Node', async () => {
    const headers = {
      'user-agent': 'Desktop/2.1',
      referer: 'https://front.example/',
      'x-forwarded-for': '203.0.113.9',
    }
    const req = { method: 'GET', url: `/?${query}`, query: { Event: 'ProfileLookup' }, headers }
    const found = {
      query,
      address: '203.0.113.9',
      userAgent: 'Desktop/2.1',
      referer: 'https://front.example/',
      time: noon,
    }
    const own = await read([
      `{"t":"2026-11-22T12:55:36+00:00","ip":"203.0.113.9","req":"GET /?${query} HTTP/1.1","ua":"Desktop/2.1","ref":"https://front.example/"}`,
    ])
    expect(own.said).toEqual(['Reading a.log as JSON.'])
    expect(own.lookups).toMatchObject([found])
    const pinoHttp = await read([
      JSON.stringify({ level: 30, time: noon, req: { ...req, remoteAddress: '10.0.0.1' }, msg: 'x' }),
      JSON.stringify({ level: 30, time: noon, req: { ...req, headers: {}, remoteAddress: '203.0.113.9' } }),
    ])
    expect(pinoHttp.lookups).toMatchObject([found, { query, address: '203.0.113.9' }])
    const expressWinston = await read([JSON.stringify({ level: 'info', meta: { req }, timestamp: noon })])
    expect(expressWinston.lookups).toMatchObject([found])
  })

  test('another format within a file', async () => {
    const old = `203.0.113.9 - - [22/Nov/2026:12:55:36 +0000] "GET /?${query} HTTP/1.1" 200 34 "-" "${'a'.repeat(500)}"\n`
    const fresh = `{"request_method":"GET","request_uri":"/?${query}","remote_addr":"203.0.113.9","ua":"${'a'.repeat(500)}"}\n`
    const { lookups, said, log } = await read(old.repeat(1000) + fresh.repeat(2000) + old.repeat(20))
    expect(said).toEqual(['Reading a.log as common or combined format.', 'Reading a.log as JSON.'])
    expect(lookups).toHaveLength(3020)
    expect(log.files).toMatchObject([{ format: 'common or combined format, JSON' }])
    // What another program writes in between is no access log of another format.
    const error = '2026-11-22 12:55:36 ERROR Something is wrong\n'
    const mixed = await read(old.repeat(3) + error.repeat(200) + old.repeat(3) + error.repeat(200) + old)
    expect(mixed.said).toEqual(['Reading a.log as common or combined format.'])
    expect(mixed.lookups).toHaveLength(7)
    expect(mixed.log.notCounted).toMatchObject([{ reason: 'unreadable', lines: 400 }])
  })
})

describe('an own format', () => {
  const line = `2026-11-22 13:55:36,5 +0100 [203.0.113.9] GET "/?${query}&x=\\"" ua="a \\"b\\"" 200 17 ms`
  const format =
    '$date $time $zone [$remote_addr] $request_method "$request_uri" ua="$http_user_agent" $status $_'

  test('that begins with the date', async () => {
    const { lookups } = await read([line], { format })
    expect(lookups).toMatchObject([
      { query: `${query}&x="`, address: '203.0.113.9', userAgent: 'a "b"', time: noon + 500 },
    ])
  })

  test("a query with its question mark, as Apache's %q has it", async () => {
    const { lookups } = await read([`22/Nov/2026:13:55:36.5 +0100|GET|/|?${query}|200`], {
      format: '$date $zone|$request_method|$uri|$args|$status',
    })
    expect(lookups).toMatchObject([{ query, time: noon + 500 }])
  })

  test("PHP's own server, and Python's, with their times", async () => {
    const here = new Date(2026, 10, 22, 13, 55, 36).getTime()
    const php = await read([`[Sun Nov 22 13:55:36 2026] 203.0.113.9:57648 [200]: GET /?${query}`], {
      format: '[$time] $remote_addr [$status]: $request_method $request_uri',
    })
    expect(php.lookups).toMatchObject([{ query, address: '203.0.113.9', time: here }])
    const python = await read([`203.0.113.9 - - [22/Nov/2026 13:55:36] "GET /?${query} HTTP/1.1" 200 -`])
    expect(python.lookups).toMatchObject([{ query, address: '203.0.113.9', time: here }])
  })

  test('values with two blanks after them', async () => {
    const { lookups } = await read(
      [`203.0.113.9  22/Nov/2026:13:55:36 +0100  GET /?${query} HTTP/1.1  200`],
      {
        format: '$remote_addr  $time_local  $request  $status',
      },
    )
    expect(lookups).toMatchObject([{ query, address: '203.0.113.9', time: noon }])
  })

  test('a line that is otherwise is not read', async () => {
    const { log } = await read([line, 'x', line.replace('ua=', 'agent=')], { format })
    expect(log.notCounted).toMatchObject([{ reason: 'unreadable', lines: 2, example: 'x' }])
  })
})

describe('what is not read is said', () => {
  const noText =
    'is not a text file. Decompress or convert it first, such as by "xzcat FILE | lookup census -"'

  test.each<[string, string | Buffer, string]>([
    ['UTF-16', Buffer.from(`\ufeffGET /?${query}\n`, 'utf16le'), noText],
    ['xz', Buffer.from('\xfd7zXZ\0\0\x04\xe6\xd6\xb4\x46', 'latin1'), noText],
    ['gzip in gzip', gzipSync(gzipSync('/?a')), noText],
    [
      'other text',
      'Dear operator,\nhello\n',
      'has no line of a known format. Describe its lines with --format',
    ],
    [
      'a part of an IIS log',
      `2026-11-22 12:55:36 10.0.0.1 GET / ${query} 80\n`,
      'has no #Fields line with cs-uri-stem before its lines. Give the log from its beginning, or describe its lines with --format',
    ],
    ['one long line', 'x'.repeat(600_000), 'has only lines longer than 256 KiB'],
    [
      'JSON of something else',
      '{"level":"info","path":"/x","msg":"hello"}\n',
      'has no line of a known format. Describe its lines with --format',
    ],
  ])('%s', async (_, content, problem) => {
    const { lookups, log } = await read(content)
    expect(lookups).toEqual([])
    expect(log.files).toMatchObject([{ format: null, isRead: false, problem }])
  })

  test('an empty file, which is no mistake among others', async () => {
    expect((await read('')).log.files).toMatchObject([{ lines: 0, problem: 'is empty', isRead: true }])
  })

  test('lines over the limit, with how they begin', async () => {
    const { log, lookups } = await read(
      `/?${query}\n/?${'x'.repeat(262_143)}\n/?${query}&y=${'z'.repeat(262_100)}\n`,
    )
    expect(lookups).toHaveLength(2)
    expect(log.lines).toBe(3)
    expect(log.notCounted).toEqual([
      { reason: 'too long', lines: 1, example: expect.stringMatching(/^\/\?x{158}…$/) },
    ])
  })

  test('an example names no address, and can be printed', async () => {
    const { log } = await read(
      `/?${query}\n203.0.113.9: addr=2001:db8::1, [203.0.113.8:4711] /::1/ 13:55:36 \x1b[31m\xff\n`,
    )
    expect(log.notCounted[0]?.example).toBe(
      '(address): addr=(address), [(address)] /(address)/ 13:55:36 \ufffd[31m\u00ff',
    )
  })

  test('lookups on other paths are named with their paths', async () => {
    const { log } = await read([
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
})
