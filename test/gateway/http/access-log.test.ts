// ACCESS_LOG: what is in it, how it is rotated, and what happens if it cannot be written.

import { execFileSync } from 'node:child_process'
import {
  closeSync,
  constants,
  copyFileSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Census } from '../../../src/migration/census/report.ts'
import { startAnswering } from '../../kit/answering.ts'
import { startGateway } from '../../kit/gateway.ts'
import { originOf, type Serving, serve } from '../../kit/serving.ts'
import { hasSmallDisks, makeSmallDisk } from '../../kit/small-disk.ts'
import { makeWorkplace, type Workplace } from '../../kit/workplace.ts'
import { readFiles } from '../../migration/access-log/reading.ts'
import { exchange, requestFor } from './raw.ts'

let place: Workplace
beforeEach(() => {
  place = makeWorkplace()
})
afterEach(() => place.remove())

const start = (env: Readonly<Record<string, string>> = {}, ...flags: string[]) =>
  serve({ cwd: place.path, env: { ACCESS_LOG: 'access.log', ...env } }, ...flags)
const originIn = ({ shown }: Serving) => originOf(shown['Legacy JSON'])
const users = '/?Event=ProfileLookup&Users=1'
const apps = '/?Event=AppLookup&Apps=1&Format=XML'

async function ask(url: string, init: RequestInit = {}) {
  const response = await fetch(url, { ...init, headers: { connection: 'close', ...init.headers } })
  return { response, body: await response.text() }
}

const entriesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
const entriesIn = (name: string) => entriesOf(readFileSync(join(place.path, name), 'latin1'))

describe('one line for each legacy request', () => {
  test('whatever answers it, with the facts of the request and of the response', async () => {
    const gateway = await start({ TRUSTED_PROXIES: 'loopback' })
    const url = originIn(gateway)
    const headers = {
      'x-forwarded-for': '203.0.113.9',
      'user-agent': 'Client/1.0 ("old")',
      referer: 'https://portal.example/a?b',
    }
    const before = Date.now()
    const { response, body } = await ask(url + users, { headers })
    const etag = response.headers.get('etag') ?? ''
    await ask(url + users, { headers: { 'if-none-match': etag, 'x-forwarded-for': '2001:db8:1:2::7' } })
    await ask(url + apps, { method: 'HEAD' })
    await ask(`${url}/?Event=Nothing`)
    await ask(url + users, { method: 'POST', body: 'a=b' })
    await ask(`${url}/?Users=${'1'.repeat(65_600)}`)
    await exchange(url, requestFor('/?Event=ProfileLookup&Users=ren\xe9', ['Host: a', 'Connection: close']))
    for (const path of ['/', '/nowhere', '/schema/openapi.yaml', '/graphql?query={__typename}', '/explain'])
      await ask(url + path, { headers: { accept: 'text/html' } })
    await ask(url + users, { method: 'OPTIONS' })
    await gateway.stop()
    const entries = entriesIn('access.log')
    expect(entries[0]).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      address: '203.0.113.9',
      method: 'GET',
      target: users,
      status: 200,
      bytes: body.length,
      userAgent: headers['user-agent'],
      referer: headers.referer,
      duration: expect.any(Number),
    })
    expect(Date.parse(entries[0].time)).toBeGreaterThanOrEqual(before)
    expect(
      entries
        .slice(1)
        .map(({ method, target, status, bytes }) => [method, target.slice(0, 50), status, bytes > 0]),
    ).toEqual([
      ['GET', users, 304, false],
      ['HEAD', apps, 200, false],
      ['GET', '/?Event=Nothing', 400, true],
      ['POST', users, 405, true],
      ['GET', `/?Users=${'1'.repeat(42)}`, 414, true],
      ['GET', '/?Event=ProfileLookup&Users=ren\xe9', 400, true],
    ])
    expect(entries[1].address).toBe('2001:db8:1:2::/64')
    expect(statSync(join(place.path, 'access.log')).mode & 0o777).toBe(0o640)
  })

  test('also if a cutover passes it to the old service', async () => {
    const old = await startAnswering((_, response) => void response.writeHead(418).end('teapot'))
    onTestFinished(old.close)
    const gateway = await start({ CUTOVER_URL: old.url, CUTOVER_GUARD: 'off' })
    await ask(originIn(gateway) + users)
    await gateway.stop()
    expect(entriesIn('access.log')).toMatchObject([{ target: users, status: 418, bytes: 6 }])
  })

  test('for census and replay, which find all of them', async () => {
    const gateway = await start({ TRUSTED_PROXIES: 'loopback' }, '--workers', '2')
    const url = originIn(gateway)
    const sent = Date.now()
    const clients = [
      ['203.0.113.1', 'Client/1.0', users],
      ['203.0.113.2', 'Client/2.0', users],
      ['2001:db8::1', 'Other', apps],
      ['203.0.113.1', 'Client/1.0', `${users}:%C3%A9&x="\\`],
    ] as const
    for (const [address, agent, target] of clients)
      await exchange(
        url,
        requestFor(target, [
          'Host: a',
          `X-Forwarded-For: ${address}`,
          `User-Agent: ${agent}`,
          'Connection: close',
        ]),
      )
    await expect.poll(() => entriesIn('access.log').length).toBe(4)
    // A copy: replay sends requests to this gateway.
    copyFileSync(join(place.path, 'access.log'), join(place.path, 'copy.log'))
    const { lookups, log } = await readFiles([join(place.path, 'copy.log')])
    expect(log).toMatchObject({ files: [{ format: 'JSON', problem: null }], lines: 4, notCounted: [] })
    // Each worker writes by itself.
    for (const [address, userAgent, target] of clients)
      expect(lookups).toContainEqual(
        expect.objectContaining({
          query: target.slice(2),
          address: address.includes(':') ? '2001:db8:0:0::/64' : address,
          userAgent,
        }),
      )
    for (const { time } of lookups) expect(Math.abs((time ?? 0) - sent)).toBeLessThan(60_000)
    const args = ['census', 'copy.log', '--show-addresses', '--json', 'c.json']
    expect(await place.run(args)).toMatchObject({ status: 0, stderr: 'Reading copy.log as JSON.\n' })
    const census: Census = JSON.parse(readFileSync(join(place.path, 'c.json'), 'utf8'))
    expect(census).toMatchObject({ requests: 4, requestsWithoutTime: 0 })
    const counted = census.clients.map(({ client, family, requests }) => [client, family, requests])
    expect(counted.toSorted()).toEqual([
      ['2001:db8:0:0::/64', 'Other', 1],
      ['203.0.113.1', 'Client', 2],
      ['203.0.113.2', 'Client', 1],
    ])
    const services = ['--old', `${url}/`, '--new', `${url}/`, '--rate', '1000']
    const replay = await place.run(['replay', 'copy.log', ...services, '--json', 'r.json'])
    expect(replay.status).toBe(0)
    expect(JSON.parse(readFileSync(join(place.path, 'r.json'), 'utf8'))).toMatchObject({
      lines: { legacy: 4, unreadable: 0 },
    })
  })

  test('on standard output', async () => {
    const gateway = await start({ ACCESS_LOG: '-' })
    expect(gateway.shown['Access log']).toBe('standard output')
    await ask(originIn(gateway) + users)
    const { stdout } = await gateway.stop()
    expect(entriesOf(stdout)).toMatchObject([{ target: users, status: 200 }])
  })
})

test.each([
  ['a process alone', [], 'reloaded'],
  ['two workers', ['--workers', '2'], 'restarted'],
] as const)('%s: SIGHUP opens the file again', async (_, flags, type) => {
  const gateway = await start({}, ...flags)
  let stderr = ''
  gateway.process.stderr.on('data', (data) => {
    stderr += data
  })
  await ask(originIn(gateway) + users)
  renameSync(join(place.path, 'access.log'), join(place.path, 'access.log.1'))
  await ask(originIn(gateway) + users)
  gateway.process.kill('SIGHUP')
  await expect.poll(() => stderr).toContain(`"type":"${type}"`)
  await expect.poll(() => statSync(join(place.path, 'access.log'), { throwIfNoEntry: false })).toBeDefined()
  await ask(originIn(gateway) + apps)
  expect((await gateway.stop()).status).toBe(0)
  expect(entriesIn('access.log.1').map(({ target }) => target)).toEqual([users, users])
  expect(entriesIn('access.log').map(({ target }) => target)).toEqual([apps])
})

test('a file that cannot be opened ends the start', async () => {
  const env = { ACCESS_LOG: 'no/such/access.log', PORT: '0', ADMIN_PORT: '0' }
  // A worker is a process that runs the same program again.
  for (const run of [place.run(['serve'], { env }), place.runProcess(['serve', '--workers', '2'], { env })]) {
    const { status, stderr } = await run
    expect(status).toBe(2)
    expect(stderr).toMatch(/^Cannot open ACCESS_LOG: ENOENT: .*'no\/such\/access\.log'\.$/m)
  }
})

test.skipIf(!hasSmallDisks())(
  'a full disk is logged, fails no request, and loses nothing that still waits',
  async () => {
    const disk = makeSmallDisk('64k')
    onTestFinished(disk.remove)
    const file = join(disk.path, 'access.log')
    const gateway = await startGateway({ ACCESS_LOG: file })
    onTestFinished(gateway.close)
    const failures = () => gateway.observations.filter(({ type }) => type === 'access-log-failed')
    writeFileSync(join(disk.path, 'other'), Buffer.alloc(disk.free()))
    for (let at = 0; at < 5; at++) expect((await ask(gateway.url + users)).response.status).toBe(200)
    await expect
      .poll(failures)
      .toMatchObject([{ path: file, reason: expect.stringContaining('ENOSPC'), lost: 0 }])
    rmSync(join(disk.path, 'other'))
    await ask(gateway.url + users)
    await expect.poll(() => entriesOf(readFileSync(file, 'utf8')).length).toBe(6)
  },
)

test('a pipe that nobody reads costs lines and holds up no request', async () => {
  const pipe = join(place.path, 'pipe')
  execFileSync('mkfifo', [pipe])
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
  onTestFinished(() => closeSync(reader))
  const gateway = await startGateway({ ACCESS_LOG: pipe })
  onTestFinished(gateway.close)
  const long = `${users}&x=${'y'.repeat(60_000)}`
  for (let at = 0; at < 100; at++) expect((await ask(gateway.url + long)).response.status).toBe(200)
  const failures = () => gateway.observations.filter((one) => one.type === 'access-log-failed')
  await expect.poll(() => failures().reduce((sum, { lost }) => sum + lost, 0)).toBeGreaterThan(20)
  expect(failures()[0]).toMatchObject({ path: pipe, reason: 'earlier lines still wait to be written' })
})
