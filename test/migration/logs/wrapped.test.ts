// Logs as tools hand them on: with a time, a file name or a header before each line, within JSON, in arrays.

import { describe, expect, test } from 'vitest'
import { readLog } from './reading.ts'

const query = 'Event=ProfileLookup&Users=1:2'
const noon = Date.UTC(2026, 10, 22, 12, 55, 36)
const address = '203.0.113.9'
const clf = (users: string) =>
  `${address} - - [22/Nov/2026:12:55:36 +0000] "GET /?Event=ProfileLookup&Users=${users} HTTP/1.1" 200 34 "-" "Desktop/2.1"`
const row = (users: string) =>
  JSON.stringify({
    ...{ time: '2026-11-22T12:55:36Z', remote_addr: address, request_method: 'GET' },
    ...{ request_uri: `/?Event=ProfileLookup&Users=${users}`, http_user_agent: 'Desktop/2.1' },
  })
const lines = [
  ['combined', clf],
  ['JSON', row],
  ['request targets', (users: string) => `/?Event=ProfileLookup&Users=${users}`],
  [
    'HAProxy',
    (users: string) =>
      `${address}:5000 [22/Nov/2026:12:55:36.000] old old/a 0/0/0/1/1 200 79 - - ---- 1/1/0/0/0 0/0 {Desktop/2.1|} "GET /?Event=ProfileLookup&Users=${users} HTTP/1.1"`,
  ],
] as const

const prefixes: readonly (readonly [string, (line: string, at: number) => string])[] = [
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
  ['Fluent Bit', (log) => JSON.stringify({ log, kubernetes: { pod_name: 'a' }, path: '/var/log/a.log' })],
  ['Filebeat', (message) => JSON.stringify({ '@timestamp': 'x', message, agent: { type: 'filebeat' } })],
  ['Loki', (line) => JSON.stringify({ labels: { app: 'web' }, line, timestamp: '2026-11-22T12:55:36Z' })],
  ['CloudWatch Insights', (line) => JSON.stringify({ '@timestamp': 'x', '@message': line })],
  ['Google Cloud', (textPayload) => JSON.stringify({ insertId: 'a', textPayload, logName: 'b' })],
  ['a logger with msg', (msg) => JSON.stringify({ level: 'info', msg, ts: 1795352136 })],
  ['Elasticsearch', (message) => JSON.stringify({ _index: 'a', _source: { message } })],
  [
    'docker with syslog in it',
    (line) => JSON.stringify({ log: `<190>Nov 22 12:55:36 web nginx: ${line}\n` }),
  ],
]

describe.each(prefixes)('%s', (_, wrap) => {
  test.each(lines)('with %s', async (name, lineOf) => {
    const { lookups, log } = await readLog(['1', '2', '3'].map((users, at) => wrap(lineOf(users), at)))
    const found = ['1', '2', '3'].map((users) => ({
      method: 'GET',
      query: `Event=ProfileLookup&Users=${users}`,
    }))
    expect(lookups).toMatchObject(found)
    if (name !== 'request targets') expect(lookups[0]).toMatchObject({ address, userAgent: 'Desktop/2.1' })
    expect(log).toMatchObject({ lines: 3, requestsRead: 3, requestsUnread: 0, notCounted: [] })
  })
})

test.each([
  ['docker logs -t', `2026-11-22T12:55:36.5Z /?${query}`],
  ['docker compose logs -t', `web-1  | 2026-11-22T12:55:36.5Z /?${query}`],
  ['rsyslog', `2026-11-22T12:55:36.5+00:00 web old: /?${query}`],
])('%s: a line without a time has that of its prefix', async (_, line) => {
  expect((await readLog([line])).lookups).toMatchObject([{ query, time: noon + 500 }])
})

describe('a JSON array', () => {
  const users = ['1', '2', '3', '4', '5']
  const rows = users.map(row)
  const objects = rows.map((text) => JSON.parse(text))
  test.each<[string, string]>([
    ['in one line', `[${rows.join(',')}]`],
    ['in one line of 1 MB', `[${Array<string>(1_000).fill(rows.join(', ')).join(',')}]\n`],
    ['with one row a line', `[\n${rows.join(',\n')}\n]\n`],
    ['with the comma first', `[${rows.join('\n,')}]`],
    ['with several rows a line', `[${rows.slice(0, 2).join(', ')},\n${rows.slice(2).join(', ')}]`],
    ['that is indented', JSON.stringify(objects, null, 2)],
    ['that is indented by Windows', JSON.stringify(objects, null, '\t').replaceAll('\n', '\r\n')],
    ['after a byte order mark', `\ufeff${JSON.stringify(objects)}`],
    ['as records', JSON.stringify({ records: objects })],
    ['as records, indented', JSON.stringify({ Records: objects }, null, 2)],
    ['in each line', `[${rows[0]},${rows[1]}]\n[${rows[2]}]\n[${rows[3]},${rows[4]}]\n`],
    [
      'as records in each line',
      `{"records":[${rows[0]},${rows[1]}]}\n{"records":[${rows.slice(2).join()}]}\n`,
    ],
    ['none, but objects that are indented', objects.map((one) => JSON.stringify(one, null, 2)).join('\n')],
  ])('%s', async (_, content) => {
    const { lookups, log } = await readLog(content)
    expect(lookups.slice(0, 5)).toMatchObject(
      users.map((one) => ({ query: `Event=ProfileLookup&Users=${one}`, address, time: noon })),
    )
    expect(lookups).toHaveLength(content.length > 100_000 ? 5_000 : 5)
    expect(log.requestsUnread).toBe(0)
    expect(log.files).toMatchObject([{ problem: null }])
  })

  test('of lines in JSON, with brackets and quotes in texts', async () => {
    const log = clf('1').replace('Desktop', '{[\\"\\\\]}')
    const { lookups } = await readLog(
      `[\n${[log, log].map((one) => JSON.stringify({ log: one })).join(',\n')}]`,
    )
    expect(lookups).toMatchObject([{ userAgent: '{["\\]}/2.1' }, { userAgent: '{["\\]}/2.1' }])
  })

  test('with other lines before and after it', async () => {
    const { lookups, log } = await readLog(`{\n"config": 1\n}\n${clf('1')}\n[\n${row('2')}\n]\n${clf('3')}`)
    expect(lookups.map(({ query }) => query.slice(-1))).toEqual(['1', '2', '3'])
    expect(log.requestsUnread).toBe(0)
  })

  test('with a row over 256 KiB: the others are read', async () => {
    const long = [rows[0], row('1:'.repeat(200_000)), rows[1]]
    const { lookups, log } = await readLog(`[${long.join(',')}]`)
    expect(lookups.map(({ query }) => query.slice(-1))).toEqual(['1', '2'])
    expect(log).toMatchObject({ lines: 3, requestsUnread: 1, notCounted: [{ reason: 'too long', lines: 1 }] })
  })

  test('that is cut off is no whole log', async () => {
    const { lookups, log } = await readLog(`[${rows.join(',')}`.slice(0, -40))
    expect(lookups).toHaveLength(4)
    expect(log).toMatchObject({
      requestsUnread: 1,
      files: [{ problem: expect.stringContaining('incomplete') }],
    })
  })

  test('with a broken row: the others are read', async () => {
    const broken = rows.with(1, (rows[1] ?? '').slice(0, 80))
    const { lookups, log } = await readLog(`[\n${broken.join(',\n')}\n]`)
    expect(lookups.map(({ query }) => query.slice(-1))).toEqual(['1', '3', '4', '5'])
    expect(log.requestsUnread + log.notCounted.reduce((sum, { lines }) => sum + lines, 0)).toBeGreaterThan(0)
  })
})

test('lines of several programs alternate', async () => {
  const mixed = Array.from(
    { length: 300 },
    (_, at) => [clf(`1${at}`), row(`2${at}`), 'ERROR: nothing'][at % 3] ?? '',
  )
  const { lookups, log, said } = await readLog(mixed.map((line) => `web-1  | ${line}`))
  expect(lookups).toHaveLength(200)
  expect(log).toMatchObject({ requestsUnread: 0, notCounted: [{ reason: 'unreadable', lines: 100 }] })
  expect(said).toEqual(['Reading a.log as common or combined format.', 'Reading a.log as JSON.'])
})
