// Logs of web servers, proxies, clouds and containers: recorded ones, and others as their documentation has
// them.

import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readLog } from './reading.ts'
import { recorded, recordings } from './recordings.ts'

const query = 'Event=ProfileLookup&Users=1:2'
const noon = Date.UTC(2026, 10, 22, 12, 55, 36)
const address = '203.0.113.9'
const userAgent = 'Desktop/2.1'
const referer = 'https://front.example/'
const utf8 = (text: string) => Buffer.from(text).toString('latin1')
const clf = (agent: string, more = '') =>
  `203.0.113.9 - - [22/Nov/2026:12:55:36 +0000] "GET /?${query}${more} HTTP/1.1" 200 34 "-" "${agent}"`

test.each(recordings)(
  '$log of $server',
  async ({ name, lines, format, lacks = [], time = recorded.time }) => {
    const { lookups, log, said } = await readLog(lines, format === undefined ? {} : { format })
    const missing = Object.fromEntries(lacks.map((field) => [field, '']))
    expect(lookups).toMatchObject([{ method: 'GET', ...recorded, ...missing, time }])
    expect(said).toEqual([`Reading a.log as ${name}.`])
    expect(log.notCounted.reduce((sum, row) => sum + row.lines, 0)).toBe(1)
  },
)

interface Log {
  readonly name: string
  /** The name by which it is recognised. */
  readonly said?: string
  readonly lines: string | Buffer | readonly string[]
  readonly found: readonly object[]
  readonly notCounted?: readonly object[]
}

const json = (...entries: readonly object[]) => entries.map((entry) => JSON.stringify(entry))
const cloudFront = (agent: string, asked: string) =>
  `2026-11-22\t12:55:36\tFRA2\t412\t2001:db8::1\tGET\td1.cloudfront.example\t/\t200\t-\t${agent}\t${asked}\t-`
const cloudFrontFields =
  'date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie)'
const amazonTimes = '0.001 0.002 0.000 200 200 34 366'
const nodeHeaders = { 'user-agent': userAgent, referer, 'x-forwarded-for': address }
const nodeRequest = {
  method: 'GET',
  url: `/?${query}`,
  query: { Event: 'ProfileLookup' },
  headers: nodeHeaders,
}
const ofDocker = (log: string, stream = 'stdout') => ({ log, stream, time: '2026-11-22T12:55:36.5Z' })
const ofJournal = (MESSAGE: unknown) => ({
  __REALTIME_TIMESTAMP: `${noon + 500}123`,
  SYSLOG_IDENTIFIER: 'nginx',
  MESSAGE,
})

const logs: readonly Log[] = [
  {
    name: 'IIS, whose fields may change within a file',
    said: 'IIS W3C',
    lines: [
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
    found: [
      { query, address, userAgent: 'Desktop/2.1 (Windows NT 10.0)', referer: '', time: noon },
      { query, address: '203.0.113.8', referer, time: noon + 2000 },
    ],
    notCounted: [
      { reason: 'other path', lines: 1 },
      { reason: 'unreadable', lines: 1, example: 'cut off' },
    ],
  },
  {
    name: 'CloudFront, with its encoding, and compressed',
    said: 'CloudFront',
    lines: gzipSync(
      `#Version: 1.0\n#Fields: ${cloudFrontFields}\n${cloudFront('Desktop/2.1%20(a)', query)}\n${cloudFront('Desktop/2.1%2520(a)', 'Event=a&Users=1%253A2%20')}\n`,
    ),
    found: [query, 'Event=a&Users=1%3A2%20'].map((asked) => ({
      ...{ query: asked, address: '2001:db8::1', userAgent: 'Desktop/2.1 (a)', time: noon },
    })),
  },
  {
    name: 'load balancers of AWS',
    said: 'AWS load balancer',
    lines: [
      `https 2026-11-22T12:55:36.123456Z app/old/50dc6c495c0c9188 203.0.113.9:2817 10.0.0.1:80 ${amazonTimes} "GET https://old.example:443/?${query} HTTP/1.1" "Desktop/2.1 (\\x22a\\x22)" ECDHE TLSv1.2 arn:aws:x "Root=1-5" "old.example" "-" 0 2026-11-22T12:55:36.122000Z "forward" "-" "-"`,
      `2026-11-22T12:55:36.123456Z old 203.0.113.9:2817 10.0.0.1:80 ${amazonTimes} "GET http://old.example:80/?${query} HTTP/1.1" "Desktop/2.1" - -`,
      `h2 2026-11-22T12:55:36.123456Z app/old/50 [2001:db8::1]:2817 - -1 -1 -1 400 - 34 366 "- http://old.example:80- -" "-" - - - "-" "-" "-" - 2026-11-22T12:55:36.1Z "-" "-" "-"`,
    ],
    found: [
      { query, address, userAgent: 'Desktop/2.1 ("a")', time: noon + 123 },
      { query, address, userAgent },
    ],
    notCounted: [{ reason: 'no request', lines: 1 }],
  },
  {
    name: 'Caddy',
    said: 'Caddy JSON',
    lines: json({
      ...{ level: 'info', ts: 1795352136.5241024, logger: 'http.log.access.log0', msg: 'handled request' },
      request: {
        ...{ remote_ip: '10.0.0.1', remote_port: '41342', client_ip: address, proto: 'HTTP/2.0' },
        ...{ method: 'GET', host: 'old.example', uri: `/?${query}&x=\u00e9` },
        headers: { 'User-Agent': ['Desktop/2.1 \u00e9'], Referer: [referer] },
      },
      ...{ duration: 0.0009, size: 10, status: 200, resp_headers: {} },
    }),
    found: [
      {
        ...{ query: utf8(`${query}&x=\u00e9`), address, referer, time: noon + 524 },
        userAgent: utf8('Desktop/2.1 \u00e9'),
      },
    ],
  },
  {
    name: 'Traefik in JSON',
    said: 'Traefik JSON',
    lines: json({
      ...{ ClientAddr: '203.0.113.9:5000', ClientHost: address, DownstreamStatus: 200, RequestMethod: 'GET' },
      ...{
        RequestPath: `/?${query}`,
        RequestProtocol: 'HTTP/1.1',
        StartLocal: '2026-11-22T13:55:36.5+01:00',
      },
      ...{ StartUTC: '2026-11-22T12:55:36.5Z', level: 'info', msg: '', 'request_User-Agent': userAgent },
      time: '2026-11-22T13:55:37+01:00',
    }),
    found: [{ query, address, userAgent, time: noon + 500 }],
  },
  {
    name: 'docker, with lines in pieces, and other output of the container',
    said: 'docker json-file with common or combined format',
    lines: json(
      ofDocker('2026/11/22 12:55:30 [notice] 1#1: start worker process\n', 'stderr'),
      ofDocker(clf('D\u00e9sktop/2.1', '&x=y').slice(0, 90)),
      ofDocker('2026/11/22 12:55:36 [warn] in between\n', 'stderr'),
      ofDocker(`${clf('D\u00e9sktop/2.1', '&x=y').slice(90)}\n`),
      ofDocker(`/?${query}\n`),
    ),
    found: [
      { userAgent: utf8('D\u00e9sktop/2.1'), query: `${query}&x=y`, time: noon },
      { query, time: noon + 500 },
    ],
    notCounted: [{ reason: 'unreadable', lines: 2 }],
  },
  {
    name: 'Kubernetes, with a line in pieces',
    lines: [
      `2026-11-22T12:55:36.1Z stdout P ${clf(userAgent).slice(0, 90)}`,
      `2026-11-22T12:55:36.1Z stdout F ${clf(userAgent).slice(90)}`,
    ],
    found: [{ query, address }],
  },
  {
    name: 'docker through a collector, without times',
    lines: json({ log: clf(userAgent), stream: 'stdout' }),
    found: [{ query, address }],
  },
  {
    name: "systemd's journal, where bytes that are not UTF-8 are a list",
    said: 'journald JSON with common or combined format',
    lines: json(
      ofJournal('starting'),
      ofJournal(clf('D\u00e9')),
      ofJournal([...Buffer.from(clf('D\u00e9'), 'latin1')]),
      ofJournal(`/?${query}`),
      ofJournal(null),
    ),
    found: [
      { query, userAgent: utf8('D\u00e9'), time: noon },
      { query, userAgent: 'D\u00e9', time: noon },
      { query, time: noon + 500 },
    ],
    notCounted: [{ reason: 'unreadable', lines: 2 }],
  },
  {
    name: 'JSON of any keys and bytes',
    lines: Buffer.from(
      [
        `{"time_local":"22/Nov/2026:13:55:36 +0100","request":"GET /?${query} HTTP/1.1","http_x_forwarded_for":"203.0.113.9, 10.0.0.1","remote_addr":"10.0.0.2"}`,
        `{"@timestamp":"2026-11-22T12:55:36.000Z","http":{"request":{"method":"GET"}},"url":{"original":"/?${query}"},"source":{"ip":"203.0.113.9"},"user_agent":{"original":"a"}}`,
        `{"method":"GET","uri":"/","args":"${query}&x=\xff","client_ip":"203.0.113.9","ts":1795352136000}`,
      ].join('\n'),
      'latin1',
    ),
    found: [
      { query, address, time: noon },
      { query, address, time: noon, userAgent: 'a' },
      { query: `${query}&x=\u00ff`, address, time: noon },
    ],
  },
  {
    name: 'pino-http',
    lines: json(
      { level: 30, time: noon, req: { ...nodeRequest, remoteAddress: '10.0.0.1' }, msg: 'x' },
      { level: 30, time: noon, req: { ...nodeRequest, headers: {}, remoteAddress: address } },
    ),
    found: [
      { query, address, userAgent, referer, time: noon },
      { query, address },
    ],
  },
  {
    name: "Python's own server, in local time",
    lines: [`203.0.113.9 - - [22/Nov/2026 13:55:36] "GET /?${query} HTTP/1.1" 200 -`],
    found: [{ query, address, time: new Date(2026, 10, 22, 13, 55, 36).getTime() }],
  },
]

test.each(logs)('$name', async ({ said, lines, found, notCounted }) => {
  const read = await readLog(lines)
  if (said !== undefined) expect(read.said).toEqual([`Reading a.log as ${said}.`])
  expect(read.lookups).toMatchObject(found)
  if (notCounted !== undefined) expect(read.log.notCounted).toMatchObject(notCounted)
  expect(read.log.files).toMatchObject([{ isRead: true, problem: null }])
})

test('the format may change within a file', async () => {
  const old = `${clf('a'.repeat(500))}\n`
  const fresh = `{"request_method":"GET","request_uri":"/?${query}","remote_addr":"203.0.113.9","ua":"${'a'.repeat(500)}"}\n`
  const { lookups, said, log } = await readLog(old.repeat(1000) + fresh.repeat(2000) + old.repeat(20))
  expect(said).toEqual(['Reading a.log as common or combined format.', 'Reading a.log as JSON.'])
  expect(lookups).toHaveLength(3020)
  expect(log.files).toMatchObject([{ format: 'common or combined format, JSON' }])
})

test('errors of another program in between do not change the format', async () => {
  const line = `${clf('a')}\n`
  const error = '2026-11-22 12:55:36 ERROR Something is wrong\n'
  const mixed = await readLog(line.repeat(3) + error.repeat(200) + line.repeat(3) + error.repeat(200) + line)
  expect(mixed.said).toEqual(['Reading a.log as common or combined format.'])
  expect(mixed.lookups).toHaveLength(7)
  expect(mixed.log.notCounted).toMatchObject([{ reason: 'unreadable', lines: 400 }])
})
