import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Census } from '../../../src/migration/census/census.ts'
import { outcomeOf, startLookup } from '../../support/run-lookup.ts'
import { makeWorkplace, type Workplace } from '../../support/workplace.ts'

let place: Workplace
beforeEach(() => {
  place = makeWorkplace()
})
afterEach(() => place.remove())

const line = (address: string, minute: number, target: string, agent: string) =>
  `${address} - - [22/Nov/2026:13:${minute}:00 +0100] "GET ${target} HTTP/1.1" 200 312 "-" "${agent}"\n`
const users = '/?Event=ProfileLookup&Users=1'
const log = [
  line('203.0.113.1', 10, users, 'Desktop/1.0'),
  line('203.0.113.2', 59, users, 'Desktop/1.0'),
  line('203.0.113.1', 20, users, 'Desktop/1.0'),
  line('203.0.113.1', 20, `${users}&Format=XML`, 'Desktop/1.0'),
  line('203.0.113.3', 30, '/?Event=AppLookup&Apps=1', '-'),
  line('203.0.113.4', 30, '/favicon.ico', 'Desktop/1.0'),
  '/?Event=AppLookup&Apps=1\n',
].join('')

async function census(args: readonly string[] = []) {
  place.write('access.log', log)
  const { status, stdout, stderr } = await place.run([
    'census',
    'access.log',
    '--json',
    'c.json',
    '--html',
    'c.html',
    ...args,
  ])
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const report: Census = JSON.parse(readFileSync(join(place.path, 'c.json'), 'utf8'))
  return { stdout, report, page: readFileSync(join(place.path, 'c.html'), 'utf8') }
}

test('which client asks for what, how often, from how many addresses, and when last', async () => {
  const { report, stdout, page } = await census(['--show-addresses'])
  expect(report).toMatchObject({ complete: true, lines: 7, requests: 6 })
  expect(report.rows).toEqual([
    {
      client: 'Desktop/1.0',
      event: 'ProfileLookup',
      method: 'id',
      format: 'JSON',
      requests: 3,
      share: 0.5,
      lastSeen: '2026-11-22T12:59:00.000Z',
      addresses: 2,
      lastAddress: '203.0.113.2',
    },
    {
      client: '',
      event: 'AppLookup',
      method: '',
      format: 'JSON',
      requests: 2,
      share: 2 / 6,
      lastSeen: '2026-11-22T12:30:00.000Z',
      addresses: 1,
      lastAddress: '203.0.113.3',
    },
    {
      client: 'Desktop/1.0',
      event: 'ProfileLookup',
      method: 'id',
      format: 'XML',
      requests: 1,
      share: 1 / 6,
      lastSeen: '2026-11-22T12:20:00.000Z',
      addresses: 1,
      lastAddress: '203.0.113.1',
    },
  ])
  expect(stdout).toMatch(
    /^Desktop\/1\.0 +ProfileLookup +id +JSON +3 +50\.00 % +2026-11-22 12:59 +2 +203\.0\.113\.2$/m,
  )
  expect(stdout).toMatch(/^\(no name\) +AppLookup +JSON +2 +33\.33 %/m)
  expect(page).toContain('<td class="">Desktop/1.0</td>')
})

test('by default no report holds an address, and the same address has another hash the next time', async () => {
  const first = await census()
  const second = await census()
  for (const { stdout, report, page } of [first, second])
    expect(stdout + JSON.stringify(report) + page).not.toMatch(/203\.0\.113/)
  const hashes = (report: Census) => report.rows.map(({ lastAddress }) => lastAddress)
  expect(hashes(first.report)).toEqual(
    hashes(first.report).map(() => expect.stringMatching(/^#[0-9a-f]{10}$/)),
  )
  expect(hashes(first.report)).not.toEqual(hashes(second.report))
})

test('names are escaped in the page, and harmless in a terminal', async () => {
  place.write('evil.log', line('::1', 10, users, '\\x1b[31m<script>alert(1)</script>\\xE2\\x80\\xAE'))
  const { stdout } = await place.run(['census', 'evil.log', '--html', 'c.html'])
  expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u)
  expect(readFileSync(join(place.path, 'c.html'), 'utf8')).toContain('&lt;script&gt;')
})

test('a client for each request does not fill the memory', async () => {
  const lines = Array.from({ length: 30_000 }, (_, at) =>
    line(`10.0.${at >> 8}.${at & 255}`, 10, users, `Bot/${at}`),
  )
  place.write('many.log', lines.join(''))
  const { status } = await place.run(['census', 'many.log', '--json', 'c.json'])
  expect(status).toBe(0)
  const { rows, requests }: Census = JSON.parse(readFileSync(join(place.path, 'c.json'), 'utf8'))
  expect(rows.length).toBe(20_001)
  expect(rows[0]).toMatchObject({
    client: '(more clients than are told apart)',
    requests: 10_000,
    addresses: 100,
  })
  expect(rows.reduce((sum, row) => sum + row.requests, 0)).toBe(requests)
})

test('a log that is not there is one line', async () => {
  expect(await place.run(['census', 'none.log'])).toEqual({
    status: 1,
    stdout: '',
    stderr: 'There is no file none.log.\n',
  })
})

test('a report that could not be written is known before the log is read, and a log is never written over', async () => {
  place.write('access.log', log)
  for (const [file, message] of [
    ['no/such/c.html', /^no\/such\/c\.html cannot be written: ENOENT/],
    ['access.log', /^The report would be written over access\.log itself\. Choose another file\.\n$/],
  ] as const) {
    const { status, stdout, stderr } = await place.run(['census', 'access.log', '--html', file])
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(message)
  }
  expect(readFileSync(join(place.path, 'access.log'), 'utf8')).toBe(log)
})

test.for([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s counts what has come so far, from a pipe that is silent, too', async ([signal, code]) => {
  const child = startLookup(['census', '-'], { cwd: place.path })
  const ended = outcomeOf(child)
  // Until it has been heard to count. Then it gets no more, and no end.
  const writing = setInterval(() => child.stdin.write(log), 100)
  await once(child.stderr, 'data')
  clearInterval(writing)
  child.kill(signal)
  const { status, stdout } = await ended
  expect(status).toBe(code)
  expect(stdout).toMatch(/^\d+ legacy requests in \d+ lines\./)
  expect(stdout).toContain('Interrupted: this is a part of the log.')
})

test('one is one', async () => {
  place.write('access.log', '/?Event=AppLookup&Apps=1\n')
  const { stdout } = await place.run(['census', 'access.log'])
  expect(stdout).toMatch(/^1 legacy request in 1 line\.\n/)
})
