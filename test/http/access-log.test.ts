// ACCESS_LOG: a line for each legacy request, for `census`, `replay` and logrotate.

import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { Census } from '../../src/migration/census/report.ts'
import { startAnswering } from '../kit/answering.ts'
import { filledFile } from '../kit/gateway.ts'
import { startServe } from '../kit/served.ts'
import { test as base } from '../kit/test.ts'
import { exchange, type RawAnswer, requestFor } from './raw.ts'

const users = '/?Event=ProfileLookup&Users=1'
const apps = '/?Event=AppLookup&Apps=1&Format=XML'

interface Logging {
  readonly url: string
  readonly send: (target: string, headers?: readonly string[], method?: string) => Promise<RawAnswer>
  readonly reload: () => void
  /** Stops the gateway. @returns the entries of the log */
  readonly stop: () => Promise<Record<string, unknown>[]>
}

const test = base.extend('logging', async ({ place }) => async (settings = {}): Promise<Logging> => {
  const file = join(place.path, 'access.log')
  await filledFile(join(place.path, 'lookup.db'))
  const gateway = await startServe({ ACCESS_LOG: file, ...settings }, place.path)
  onTestFinished(gateway.stop)
  const send: Logging['send'] = (target, headers = [], method = 'GET') =>
    exchange(gateway.url, requestFor(target, ['Host: a', 'Connection: close', ...headers], method))
  const stop = async () => {
    await gateway.stop()
    return entriesIn(file)
  }
  return { url: gateway.url, send, reload: () => gateway.reload(), stop }
})

const entriesIn = (file: string): Record<string, unknown>[] =>
  readFileSync(file, 'latin1')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

test('a line has the facts of the request and of the response', async ({ logging, place }) => {
  const { send, stop } = await logging({ TRUSTED_PROXIES: 'loopback' })
  const [userAgent, referer] = ['Client/1.0 ("old")', 'https://portal.example/a?b']
  const headers = ['X-Forwarded-For: 203.0.113.9', `User-Agent: ${userAgent}`, `Referer: ${referer}`]
  const { body } = await send(users, headers)
  const [first] = await stop()
  expect(first).toEqual({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    ...{ address: '203.0.113.9', method: 'GET', target: users, status: 200, bytes: body.length },
    ...{ userAgent, referer, duration: expect.any(Number) },
  })
  expect(statSync(join(place.path, 'access.log')).mode & 0o777).toBe(0o640 & ~process.umask())
})

test('every legacy request has a line, and no other request', async ({ logging }) => {
  const { send, stop } = await logging({ TRUSTED_PROXIES: 'loopback' })
  const { etag } = (await send(users)).headers
  await send(users, [`If-None-Match: ${etag}`, 'X-Forwarded-For: 2001:db8:1:2::7'])
  await send(apps, [], 'HEAD')
  await send('/?Event=Nothing')
  await send(users, ['Content-Length: 0'], 'POST')
  await send(`/?Users=${'1'.repeat(65_600)}`)
  await send('/?Event=ProfileLookup&Users=ren\xe9')
  for (const path of ['/', '/nowhere', '/schema/openapi.yaml', '/graphql?query={__typename}', '/explain'])
    await send(path, ['Accept: text/html'])
  await send(users, [], 'OPTIONS')
  const entries = await stop()
  expect(
    entries.map((one) => [one.method, String(one.target).slice(0, 50), one.status, one.bytes !== 0]),
  ).toEqual([
    ['GET', users, 200, true],
    ['GET', users, 304, false],
    ['HEAD', apps, 200, false],
    ['GET', '/?Event=Nothing', 400, true],
    ['POST', users, 405, true],
    ['GET', `/?Users=${'1'.repeat(42)}`, 414, true],
    ['GET', '/?Event=ProfileLookup&Users=ren\xe9', 400, true],
  ])
  expect(entries[1]?.address).toBe('2001:db8:1:2::/64')
})

test('a request that a cutover passes to the old service has a line', async ({ logging }) => {
  const old = await startAnswering((_, response) => void response.writeHead(418).end('teapot'))
  onTestFinished(old.close)
  const { send, stop } = await logging({ CUTOVER_URL: old.url, CUTOVER_GUARD: 'off' })
  await send(users)
  expect(await stop()).toMatchObject([{ target: users, status: 418, bytes: 6 }])
})

test('census reads the file', async ({ logging, place }) => {
  const { send, stop } = await logging({ TRUSTED_PROXIES: 'loopback' })
  for (const [address, agent, target] of [
    ['203.0.113.1', 'Client/1.0', users],
    ['203.0.113.2', 'Client/2.0', users],
    ['2001:db8::1', 'Other', apps],
    ['203.0.113.1', 'Client/1.0', `${users}:%C3%A9&x="\\`],
  ])
    await send(target ?? '', [`X-Forwarded-For: ${address}`, `User-Agent: ${agent}`])
  await expect.poll(() => entriesIn(join(place.path, 'access.log'))).toHaveLength(4)
  place.write('copy.log', readFileSync(join(place.path, 'access.log')))
  const args = ['census', 'copy.log', '--show-addresses', '--json', 'c.json']
  expect(await place.run(args)).toMatchObject({ status: 0, stderr: 'Reading copy.log as JSON.\n' })
  const census: Census = JSON.parse(readFileSync(join(place.path, 'c.json'), 'utf8'))
  expect(census).toMatchObject({ requests: 4, requestsWithoutTime: 0 })
  expect(
    census.clients.map(({ client, family, requests }) => `${client} ${family} ${requests}`).toSorted(),
  ).toEqual(['2001:db8:0:0::/64 Other 1', '203.0.113.1 Client 2', '203.0.113.2 Client 1'])
  await stop()
})

test('a file that cannot be opened ends the start', async ({ place }) => {
  const env = { ACCESS_LOG: 'no/such/access.log', PORT: '0', ADMIN_PORT: '0' }
  const { status, stderr } = await place.run(['serve'], { env })
  expect(status).toBe(2)
  expect(stderr).toMatch(/^Cannot open ACCESS_LOG: ENOENT: .*'no\/such\/access\.log'\.$/m)
})
