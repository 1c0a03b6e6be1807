// A gateway's own census: real gateways, killed ones too, and what `lookup census` makes of their files.

import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { kindOf } from '../../../src/migration/census/census-file.ts'
import type { Census } from '../../../src/migration/census/report.ts'
import { startAnswering } from '../../kit/answering.ts'
import { originOf, type Serving, serve } from '../../kit/serving.ts'
import { hasSmallDisks, makeSmallDisk } from '../../kit/small-disk.ts'
import { makeWorkplace, type Workplace } from '../../kit/workplace.ts'

let place: Workplace
beforeEach(() => {
  place = makeWorkplace()
})
afterEach(() => place.remove())

const start = (env: Readonly<Record<string, string>> = {}) =>
  serve({ cwd: place.path, env: { CENSUS_FILE: 'legacy.census', TRUSTED_PROXIES: 'loopback', ...env } })

/** From an address, by a connection of its own, so that every worker is asked. */
async function ask(
  { shown }: Serving,
  query: string,
  address = '203.0.113.1',
  agent = 'Client/1.0',
  referer = '',
) {
  const headers = { 'x-forwarded-for': address, 'user-agent': agent, referer, connection: 'close' }
  const response = await fetch(`${originOf(shown['Legacy JSON'])}/?${query}`, { headers })
  await response.text()
  return response.status
}
const users = 'Event=ProfileLookup&Users=1'

async function census(...files: readonly string[]): Promise<Census> {
  const { status, stderr } = await place.run(['census', ...files, '--json', 'c.json'])
  expect(status).toBe(0)
  expect(stderr).toMatch(/^(?:Reading access\.log as common or combined format\.\n)?$/)
  return JSON.parse(readFileSync(join(place.path, 'c.json'), 'utf8'))
}
const linesOf = (stderr: string, type: string) =>
  stderr
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
    .filter((line) => line.type === type)

test('clients whose requests are passed to an old service count once, whichever side answers', async () => {
  const old = await startAnswering(({ url }, response) => {
    if (url?.includes('=2')) response.writeHead(500)
    response.end('{}')
  })
  onTestFinished(old.close)
  const gateway = await start({ CUTOVER_URL: old.url, CUTOVER_FALLBACK: 'on', CUTOVER_GUARD: 'off' })
  expect(await ask(gateway, users)).toBe(200)
  expect(await ask(gateway, 'Event=ProfileLookup&Users=2')).toBe(200)
  expect(old.asked).toHaveLength(2)
  expect(await gateway.stop()).toMatchObject({ status: 0 })
  const { requests, clients } = await census('legacy.census')
  expect({ requests, clients: clients.length }).toEqual({ requests: 2, clients: 1 })
})

test('several workers and gateways add to one file, restarts included, and the same client stays the same', async () => {
  for (const settings of [{ WORKERS: '2' }, {}]) {
    const gateways = [await start(settings), await start(settings)]
    for (const gateway of gateways) {
      for (let times = 0; times < 5; times++) await ask(gateway, users)
      await ask(gateway, users, '2001:db8::1')
      await ask(gateway, users, '2001:db8::2', 'Client/2.0')
      await ask(gateway, 'Event=Nothing', '203.0.113.2', 'Other')
    }
    for (const { stop } of gateways) expect(await stop()).toMatchObject({ status: 0 })
  }
  const report = await census('legacy.census')
  expect(report).toMatchObject({ lines: 0, censusFiles: 1, keys: 1, requests: 32, requestsOfOthers: 0 })
  expect(
    report.clients.map(({ family, versions, requests, asked }) => [family, versions, requests, asked]),
  ).toEqual([
    [
      'Client',
      ['1.0'],
      20,
      [{ event: 'ProfileLookup', method: 'id', format: 'JSON', problem: '', requests: 20 }],
    ],
    ['Client', ['1.0', '2.0'], 8, expect.any(Array)],
    ['Other', [], 4, [{ event: 'none', method: '', format: 'JSON', problem: 'UnknownEvent', requests: 4 }]],
  ])
  const today = new Date().toISOString().slice(0, 10)
  expect(report.days.at(-1)).toMatchObject({ from: today, clients: 3 })
  expect(statSync(join(place.path, 'legacy.census.key')).mode & 0o777).toBe(0o600)
  expect(readdirSync(place.path).filter((name) => name.startsWith('legacy'))).toEqual([
    ...['legacy.census', 'legacy.census.key'],
  ])
})

test('what a killed gateway has counted since it last wrote is lost, and no more', async () => {
  const gateway = await start()
  for (let times = 0; times < 3; times++) await ask(gateway, users)
  await expect
    .poll(async () => (await place.run(['census', 'legacy.census'])).stdout)
    .toMatch(/^3 legacy requests in 1 /)
  await ask(gateway, users)
  await gateway.stop('SIGKILL')
  expect(await census('legacy.census')).toMatchObject({ requests: 3 })
  const next = await start()
  await ask(next, users)
  await next.stop()
  const { requests, clients } = await census('legacy.census')
  expect([requests, clients.length]).toEqual([4, 1])
})

test('neither the file nor the report holds an address, a value, or more of a Referer than its site', async () => {
  const gateway = await start()
  const names = 'Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users=Ada'
  await ask(gateway, names, '203.0.113.1', 'Client/1.0', 'https://me:secret@portal.example/Ada?secret')
  await ask(gateway, 'Event=Ada&Users=Ada&MethodOfAccessingUserInformation=Ada')
  await ask(gateway, 'Event=ProfileLookup&Users=1&MethodOfAccessingUserInformation=Ada')
  await gateway.stop()
  const { clients } = await census('legacy.census')
  expect(
    clients.flatMap(({ asked }) => asked.map(({ event, method, problem }) => [event, method, problem])),
  ).toEqual(
    expect.arrayContaining([
      ['ProfileLookup', 'username', ''],
      ['none', '', 'UnknownEvent'],
      ['ProfileLookup', 'other', 'UnknownMethod'],
    ]),
  )
  for (const file of ['legacy.census', 'c.json'])
    expect(readFileSync(join(place.path, file), 'latin1')).not.toMatch(/Ada|secret|203\.0/)
})

test('a page for browsers, a request to another path and a GraphQL request are no legacy requests', async () => {
  const gateway = await start()
  const url = originOf(gateway.shown['Legacy JSON'])
  for (const path of ['/', '/nowhere', '/schema/openapi.yaml', '/graphql?query={__typename}', '/?utm=1'])
    await (await fetch(`${url}${path}`, { headers: { accept: 'text/html', connection: 'close' } })).text()
  await ask(gateway, '')
  await ask(gateway, users)
  await gateway.stop()
  expect(await census('legacy.census')).toMatchObject({ requests: 1 })
})

test('a log beside the file has the same clients, where its key is there', async () => {
  const gateway = await start()
  await ask(gateway, users, '203.0.113.1')
  await ask(gateway, users, '2001:db8::1')
  await gateway.stop()
  const line = (address: string) =>
    `${address} - - [22/Nov/2026:13:00:00 +0000] "GET /?${users} HTTP/1.1" 200 1 "-" "Client/0.9"\n`
  place.write('access.log', ['203.0.113.1', '203.0.113.9', '2001:db8::7'].map(line).join(''))
  const both = await census('access.log', 'legacy.census')
  expect(both).toMatchObject({ lines: 3, censusFiles: 1, requests: 5, firstSeen: '2026-11-22T13:00:00.000Z' })
  expect(both.clients.map(({ requests, versions }) => [requests, versions])).toEqual([
    [2, ['0.9', '1.0']],
    [2, ['0.9', '1.0']],
    [1, ['0.9']],
  ])
  rmSync(join(place.path, 'legacy.census.key'))
  expect((await census('access.log', 'legacy.census')).clients).toHaveLength(5)
})

test('gateways that are given one key know the same clients in files of their own', async () => {
  place.write('shared.key', 'a key that is long enough\n')
  const settings = { CENSUS_KEY_FILE: 'shared.key' }
  for (const file of ['a.census', 'b.census']) {
    const gateway = await start({ ...settings, CENSUS_FILE: file })
    await ask(gateway, users)
    await gateway.stop()
  }
  const other = await start({ CENSUS_FILE: 'c.census' })
  await ask(other, users)
  await other.stop()
  expect((await census('a.census', 'b.census')).clients).toHaveLength(1)
  const { stdout } = await place.run(['census', 'a.census', 'b.census', 'c.census'])
  expect(stdout).toMatch(
    /^3 legacy requests in 3 census files, from 2 clients\.\nThe files have 2 different keys\. A client/,
  )
})

describe('a file that is none of ours is never touched', () => {
  test.each([
    [
      'a text',
      () => place.write('legacy.census', 'my notes\n'),
      /legacy\.census is not a census file\. Set CENSUS_FILE to another path/,
    ],
    ['a folder', () => mkdirSync(join(place.path, 'legacy.census')), /legacy\.census is not a census file/],
    [
      'the database',
      async () => void (await place.run(['migrate', '--database', 'sqlite:legacy.census'])),
      /not a census file/,
    ],
  ])('%s', async (_name, make, message) => {
    await make()
    const path = join(place.path, 'legacy.census')
    const before = statSync(path).isFile() ? readFileSync(path, 'latin1') : ''
    await expect(start()).rejects.toThrow(message)
    await expect(start({ WORKERS: '2' })).rejects.toThrow(message)
    const env = { CENSUS_FILE: 'legacy.census', PORT: '0', ADMIN_PORT: '0' }
    expect(await place.run(['serve'], { env })).toMatchObject({ status: 2 })
    expect(statSync(path).isFile() ? readFileSync(path, 'latin1') : '').toBe(before)
  })

  test('nor one that takes its place later', async () => {
    const gateway = await start()
    await ask(gateway, users)
    // Written, and not only made: a transaction that is under way would write over what takes its place.
    await expect.poll(() => kindOf(join(place.path, 'legacy.census'))).toBe('census')
    await expect.poll(() => readdirSync(place.path)).not.toContain('legacy.census-journal')
    await ask(gateway, users)
    place.write('legacy.census', 'my notes\n')
    const { status, stderr } = await gateway.stop()
    expect(status).toBe(0)
    expect(linesOf(stderr, 'census-failed')).toMatchObject([
      { reason: expect.stringMatching(/not a census file/) },
    ])
    expect(readFileSync(join(place.path, 'legacy.census'), 'utf8')).toBe('my notes\n')
  })

  test('a database that is no census is no log', async () => {
    await place.run(['migrate'])
    const { status, stderr } = await place.run(['census', 'lookup.db'])
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'lookup.db is a database, but not a census file. Give access logs, or files of CENSUS_FILE.\n',
    })
  })

  test('a key that is set and cannot be read ends the start', async () => {
    await expect(start({ CENSUS_KEY_FILE: 'no.key' })).rejects.toThrow(
      /^Cannot read the census key from no\.key/m,
    )
    place.write('short.key', 'short\n')
    await expect(start({ CENSUS_KEY_FILE: 'short.key' })).rejects.toThrow(/it is shorter than 16 characters/)
  })
})

test('a folder that is not there is one warning, no answer fails, and all is written once it is there', async () => {
  const gateway = await start({ CENSUS_FILE: 'later/legacy.census' })
  let stderr = ''
  gateway.process.stderr.on('data', (data) => {
    stderr += data
  })
  expect(await ask(gateway, users)).toBe(200)
  await expect.poll(() => linesOf(stderr, 'census-failed').length).toBe(1)
  expect(linesOf(stderr, 'census-failed')[0]).toMatchObject({
    level: 'warn',
    path: 'later/legacy.census',
    reason: expect.stringMatching(/ENOENT.*\. .*Make the folder writable/),
  })
  for (let client = 0; client < 20; client++)
    expect(await ask(gateway, users, `203.0.113.${client}`)).toBe(200)
  mkdirSync(join(place.path, 'later'))
  const { status, stderr: all } = await gateway.stop()
  expect(status).toBe(0)
  expect(linesOf(all, 'census-failed')).toHaveLength(1)
  expect(linesOf(all, 'census-back')).toHaveLength(1)
  const { requests, clients } = await census('later/legacy.census')
  expect([requests, clients.length]).toEqual([21, 20])
})

test.skipIf(!hasSmallDisks())(
  'a disk that is full is one warning, and loses nothing that was counted',
  async () => {
    const disk = makeSmallDisk('256k')
    onTestFinished(disk.remove)
    const file = join(disk.path, 'legacy.census')
    const gateway = await start({ CENSUS_FILE: file })
    let stderr = ''
    gateway.process.stderr.on('data', (data) => {
      stderr += data
    })
    writeFileSync(join(disk.path, 'other'), Buffer.alloc(disk.free() - 8192))
    for (let client = 0; client < 50; client++)
      expect(await ask(gateway, users, `203.0.113.${client}`)).toBe(200)
    await expect.poll(() => linesOf(stderr, 'census-failed').length).toBe(1)
    expect(linesOf(stderr, 'census-failed')[0]?.reason).toMatch(/full|ENOSPC/)
    rmSync(join(disk.path, 'other'))
    await gateway.stop()
    expect(await census(file)).toMatchObject({ requests: 50 })
  },
)

test('while another process holds the file, no answer waits, and all is counted in the end', async () => {
  const gateway = await start()
  await ask(gateway, users)
  await expect
    .poll(async () => (await place.run(['census', 'legacy.census'])).stdout)
    .toMatch(/^1 legacy request /)
  await gateway.stop()
  const holder = new DatabaseSync(join(place.path, 'legacy.census'))
  holder.exec('BEGIN EXCLUSIVE')
  const next = await start()
  let stderr = ''
  next.process.stderr.on('data', (data) => {
    stderr += data
  })
  // Until the writer has given up: it waits for the lock five seconds.
  let slowest = 0
  while (linesOf(stderr, 'census-failed').length === 0) {
    const started = performance.now()
    expect(await ask(next, users)).toBe(200)
    slowest = Math.max(slowest, performance.now() - started)
    await sleep(50)
  }
  expect(slowest).toBeLessThan(2_000)
  expect(linesOf(stderr, 'census-failed')).toMatchObject([
    { reason: expect.stringMatching(/^database is locked\. /) },
  ])
  holder.close()
  await next.stop()
  const { requests } = await census('legacy.census')
  expect(requests).toBeGreaterThan(20)
})

test('a damaged file is one line', async () => {
  const gateway = await start()
  await ask(gateway, users)
  await gateway.stop()
  const whole = readFileSync(join(place.path, 'legacy.census'))
  place.write('cut.census', whole.subarray(0, 9_000))
  place.write('odd.census', whole)
  const odd = new DatabaseSync(join(place.path, 'odd.census'))
  odd.exec('UPDATE day SET day = 9000000000000')
  odd.close()
  for (const [file, message] of [
    ['cut.census', /^Cannot read the census file cut\.census: .*malformed\.\n$/],
    ['odd.census', /^A census file is damaged: 9000000000000 is not a valid number\.\n$/],
  ] as const) {
    const { status, stdout, stderr } = await place.run(['census', file])
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(message)
  }
})

test('without a setting there is no file, and a file that may only be read can be read', async () => {
  const plain = await serve({ cwd: place.path })
  await ask(plain, users)
  await plain.stop()
  expect(readdirSync(place.path)).not.toContain('legacy.census')
  const gateway = await start()
  await ask(gateway, users)
  await gateway.stop()
  chmodSync(join(place.path, 'legacy.census'), 0o444)
  expect(await census('legacy.census')).toMatchObject({ requests: 1 })
})
