// Logs as tools hand them on: with a time, a file name or a header before each line, within JSON, in arrays.

import { describe, expect, test } from 'vitest'
import { readLog } from './reading.ts'

const noon = Date.UTC(2026, 10, 22, 12, 55, 36)
const address = '203.0.113.9'
const targetOf = (users: string) => `/?Event=ProfileLookup&Users=${users}`
const clf = (users: string) =>
  `${address} - - [22/Nov/2026:12:55:36 +0000] "GET ${targetOf(users)} HTTP/1.1" 200 34 "-" "Desktop/2.1"`
const row = (users: string) =>
  `{"time":"2026-11-22T12:55:36Z","remote_addr":"${address}","request_method":"GET","request_uri":"${targetOf(users)}","http_user_agent":"Desktop/2.1"}`
const haproxy = (users: string) =>
  `${address}:5000 [22/Nov/2026:12:55:36.000] old old/a 0/0/0/1/1 200 79 - - ---- 1/1/0/0/0 0/0 {Desktop/2.1|} "GET ${targetOf(users)} HTTP/1.1"`
const lookupsOf = (...users: string[]) => users.map((one) => ({ query: targetOf(one).slice(2) }))

test.each<[string, (line: string, at: number) => string]>([
  ['docker logs -t', (line) => `2026-11-22T12:55:36.123456789Z ${line}`],
  ['kubectl logs --timestamps', (line) => `2026-11-22T13:55:36.123456789+01:00 ${line}`],
  ['grep', (line) => `access.log:${line}`],
  ['grep -n', (line, at) => `/var/log/nginx/access.log.1:${at + 12}:${line}`],
  ['grep -n of one file', (line, at) => `${at + 1}:${line}`],
  ['docker compose logs', (line) => `web-1  | ${line}`],
  ['docker compose logs -t', (line) => `old-web-1  | 2026-11-22T12:55:36.123456789Z ${line}`],
  ['kubectl logs --prefix', (line) => `[pod/old-7d9f/web] ${line}`],
  ['syslog of RFC 3164', (line) => `<190>Nov 22 12:55:36 10.0.0.7 nginx: ${line}`],
  ['syslog of RFC 5424', (line) => `<190>1 2026-11-22T12:55:36.003Z web nginx 71 access - ${line}`],
  ['rsyslog', (line) => `2026-11-22T12:55:36.123456+00:00 web nginx[71]: ${line}`],
  ['journalctl', (line) => `Nov 22 12:55:36 web nginx[71]: ${line}`],
  ['a file of Kubernetes', (line) => `2026-11-22T12:55:36.1Z stdout F ${line}`],
  ['docker json-file', (log) => JSON.stringify({ log: `${log}\n`, stream: 'stdout', time: 'x' })],
  ["systemd's journal", (MESSAGE) => JSON.stringify({ SYSLOG_IDENTIFIER: 'nginx', MESSAGE })],
  ["systemd's journal, as bytes", (text) => JSON.stringify({ MESSAGE: [...Buffer.from(text)] })],
  ['Fluent Bit', (log) => JSON.stringify({ log, kubernetes: { pod_name: 'a' }, path: '/var/log/a.log' })],
  ['Filebeat', (message) => JSON.stringify({ '@timestamp': 'x', message, agent: { type: 'filebeat' } })],
  ['Loki', (line) => JSON.stringify({ labels: { app: 'web' }, line, timestamp: '2026-11-22T12:55:36Z' })],
  ['CloudWatch Insights', (line) => JSON.stringify({ '@timestamp': 'x', '@message': line })],
  ['Google Cloud', (textPayload) => JSON.stringify({ insertId: 'a', textPayload, logName: 'b' })],
  ['a logger with msg', (msg) => JSON.stringify({ level: 'info', msg, ts: 1795352136 })],
  ['Elasticsearch', (message) => JSON.stringify({ _index: 'a', _source: { message } })],
  ['docker with syslog', (line) => JSON.stringify({ log: `<190>Nov 22 12:55:36 web nginx: ${line}\n` })],
])('%s, with lines of several formats', async (_, wrap) => {
  for (const lineOf of [clf, row, haproxy, targetOf]) {
    const { lookups, log } = await readLog(['1', '2', '3'].map((users, at) => wrap(lineOf(users), at)))
    expect(lookups).toMatchObject(lookupsOf('1', '2', '3'))
    if (lineOf !== targetOf) expect(lookups[0]).toMatchObject({ address, userAgent: 'Desktop/2.1' })
    expect(log).toMatchObject({ lines: 3, requestsRead: 3, requestsUnread: 0, notCounted: [] })
  }
})

test.each([
  ['docker logs -t', `2026-11-22T12:55:36.5Z ${targetOf('1')}`],
  ['docker compose logs -t', `web-1  | 2026-11-22T12:55:36.5Z ${targetOf('1')}`],
  ['rsyslog', `2026-11-22T12:55:36.5+00:00 web old: ${targetOf('1')}`],
  ['docker json-file', JSON.stringify({ log: `${targetOf('1')}\n`, time: '2026-11-22T12:55:36.5Z' })],
])('%s: a line without a time has that of its wrapper', async (_, line) => {
  expect((await readLog([line])).lookups).toMatchObject([{ ...lookupsOf('1')[0], time: noon + 500 }])
})

describe('a JSON array', () => {
  const users = ['1', '2', '3', '4', '5']
  const rows = users.map(row)
  const objects = rows.map((text) => JSON.parse(text))
  test.each<[string, string]>([
    ['in one line', `[${rows.join(',')}]`],
    ['with one row a line', `[\n${rows.join(',\n')}\n]\n`],
    ['with the comma first', `[${rows.join('\n,')}]`],
    ['with several rows a line', `[${rows.slice(0, 2).join(', ')},\n${rows.slice(2).join(', ')}]`],
    ['that is indented', JSON.stringify(objects, null, 2)],
    [
      'after a byte order mark, by Windows',
      `\ufeff${JSON.stringify(objects, null, '\t')}`.replaceAll('\n', '\r\n'),
    ],
    ['as records, indented', JSON.stringify({ Records: objects }, null, 2)],
    ['in each line', `[${rows[0]},${rows[1]}]\n[${rows[2]}]\n[${rows[3]},${rows[4]}]\n`],
    [
      'as records in each line',
      `{"records":[${rows[0]},${rows[1]}]}\n{"records":[${rows.slice(2).join()}]}\n`,
    ],
    ['none, but objects that are indented', objects.map((one) => JSON.stringify(one, null, 2)).join('\n')],
    [
      'with other lines around it',
      `{\n"config": 1\n}\n${clf('1')}\n[\n${row('2')},\n${row('3')},\n${row('4')}\n]\n${clf('5')}`,
    ],
  ])('%s', async (_, content) => {
    const { lookups, log } = await readLog(content)
    expect(lookups).toMatchObject(lookupsOf(...users).map((one) => ({ ...one, address, time: noon })))
    expect(log).toMatchObject({ requestsUnread: 0, files: [{ problem: null }] })
  })

  test('in one line of 1 MB, with brackets and quotes in texts', async () => {
    const log = clf('1').replace('Desktop', '{[\\"\\\\]}')
    const { lookups } = await readLog(`[${Array<string>(5_000).fill(JSON.stringify({ log })).join(', ')}]\n`)
    expect(lookups).toHaveLength(5_000)
    expect(lookups[0]).toMatchObject({ userAgent: '{["\\]}/2.1' })
  })

  test.each<[string, content: string, read: string[], problem: string | null]>([
    ['a row over 256 KiB', `[${rows[0]},${row('1:'.repeat(200_000))},${rows[1]}]`, ['1', '2'], null],
    [
      'a broken row',
      `[\n${rows.with(1, (rows[1] ?? '').slice(0, -40)).join(',\n')}\n]`,
      ['1', '3', '4', '5'],
      null,
    ],
    ['no end', `[${rows.join(',')}`.slice(0, -40), ['1', '2', '3', '4'], 'incomplete'],
  ])('with %s: the others are read', async (_, content, read, problem) => {
    const { lookups, log } = await readLog(content)
    expect(lookups).toMatchObject(lookupsOf(...read))
    expect(log.requestsUnread).toBe(1)
    const expected = problem === null ? null : expect.stringContaining(problem)
    expect(log.files).toMatchObject([{ problem: expected }])
  })
})
