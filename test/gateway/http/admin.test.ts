// DNS rebinding: the admin port answers only to hosts that no other page can point at it.

import { hostname } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { createAdmin } from '../../../src/gateway/http/admin.ts'
import { type Listener, listen } from '../../../src/gateway/http/server.ts'
import { serve } from '../../kit/serving.ts'
import { makeWorkplace } from '../../kit/workplace.ts'
import { exchange, requestFor } from './raw.ts'

const guarded = ['/ready', '/metrics', '/nothing']
const refusal = 'Host not allowed. Add it to ADMIN_HOSTS.\n'

let listener: Listener
let url = ''
beforeAll(async () => {
  const hosts = ['gateway', 'Gateway.Internal.', 'my_gateway']
  const handle = createAdmin({
    whyNotReady: async () => null,
    aboutData: async () => null,
    metrics: () => 'lookup_info 1\n',
    hosts,
    operations: () => null,
    page: async () => [200, 'page\n'],
  })
  const { timeouts } = readConfig({})
  listener = await listen({ handle }, { port: 0, host: '127.0.0.1', timeouts })
  url = listener.url.replace('localhost', '127.0.0.1')
})
afterAll(() => listener.close(0))

const send = (path: string, ...headers: readonly string[]) => exchange(url, requestFor(path, headers))
const statuses = (...headers: readonly string[]) =>
  Promise.all(guarded.map(async (path) => (await send(path, ...headers)).status))

describe('is allowed', () => {
  test.for([
    ...['127.0.0.1', '127.0.0.1:4001', '10.1.2.3:9999', '192.0.2.1.', '[::1]', '[2001:DB8::1]:4001'],
    ...['localhost', 'LOCALHOST:4001', 'localhost.', 'localhost:'],
    ...['gateway', 'gateway:4001', 'GATEWAY.', 'gateway.internal', 'gateway.internal.:80', 'my_gateway'],
  ])('"%s"', async (host) => {
    expect(await statuses(`Host: ${host}`)).toEqual([200, 200, 404])
  })
})

describe('is refused', () => {
  test.for([
    ...['rebound.example', 'rebound.example:4001', '127.0.0.1.rebound.example', 'localhost.rebound.example'],
    ...[
      'gateway.rebound.example',
      'agateway',
      'gateway..',
      'notlocalhost',
      'l%6fcalhost',
      '127.1',
      '0x7f000001',
    ],
    ...['', '.', 'gateway,localhost'],
  ])('"%s", and the answer says how to allow it', async (host) => {
    expect(await statuses(`Host: ${host}`)).toEqual([421, 421, 421])
    expect((await send('/metrics', `Host: ${host}`)).body).toBe(refusal)
  })
})

describe('is malformed', () => {
  test.for([
    ...[
      ':',
      ':4001',
      'a b',
      'a:b',
      'localhost:99999',
      'localhost:80:80',
      'user@localhost',
      'localhost/',
      '<x>',
    ],
    ...['::1', '[', '[]', '[localhost]', '[127.0.0.1]', 'local\x7fhost', 'localhost, localhost', 'b\xfccher'],
  ])('%j', async (host) => {
    expect(await statuses(`Host: ${host}`)).toEqual([400, 400, 400])
  })

  test('a Host longer than any name', async () => {
    const hosts = ['a'.repeat(256), `localhost${'.'.repeat(300)}`, '%'.repeat(10_000), 'a.'.repeat(60_000)]
    for (const host of hosts) expect(await statuses(`Host: ${host}`)).toEqual([400, 400, 400])
  })

  test('no Host with HTTP/1.1, and two of them', async () => {
    expect(await statuses()).toEqual([400, 400, 400])
    expect(await statuses('Host: localhost', 'Host: rebound.example')).toEqual([400, 400, 400])
    expect(await statuses('Host: localhost', 'Host: localhost')).toEqual([400, 400, 400])
    expect((await send('/ready')).body).toMatch(/^The Host header is missing, repeated, or not a/)
  })
})

test('HTTP/1.0 needs no Host, and one that it names is checked', async () => {
  const old = (header: string) => exchange(url, `GET /ready HTTP/1.0\r\n${header}\r\n`)
  expect(await old('')).toMatchObject({ status: 200, body: 'ready\n' })
  expect(await old('Host: rebound.example\r\n')).toMatchObject({ status: 421, body: refusal })
})

test('/live answers whatever the Host is', async () => {
  const hosts = [
    [],
    ['Host: rebound.example'],
    ['Host: a', 'Host: b'],
    ['Host: <x>'],
    [`Host: ${'a'.repeat(9_999)}`],
  ]
  for (const headers of hosts)
    expect(await send('/live', ...headers)).toMatchObject({ status: 200, body: 'live\n' })
})

test('a service answers to its own host name, and to those in ADMIN_HOST and ADMIN_HOSTS', async () => {
  const place = makeWorkplace()
  const env = { ADMIN_HOST: 'localhost', ADMIN_HOSTS: 'gateway,gateway.internal' }
  const { shown, stop } = await serve({ cwd: place.path, env })
  const { port, hostname: address } = new URL(shown.Readiness ?? '')
  const ask = async (host: string) =>
    (await exchange(`http://${address}:${port}`, requestFor('/ready', [`Host: ${host}:${port}`]))).status
  expect(await ask(hostname().toUpperCase())).toBe(200)
  expect(await ask('gateway.internal')).toBe(200)
  expect(await ask('rebound.example')).toBe(421)
  await stop()
  await place.remove()
})
