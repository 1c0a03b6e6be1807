// DNS rebinding: the admin port refuses host names that an attacker could point at it.

import { hostname } from 'node:os'
import { expect } from 'vitest'
import { exchange, requestFor } from '../http/raw.ts'
import { startServe } from '../kit/served.ts'
import { test as base } from '../kit/test.ts'

const test = base.extend('admin', { scope: 'file' }, async ({ shared }, { onCleanup }) => {
  const env = {
    DATABASE_URL: `sqlite:${shared.path}`,
    ADMIN_HOST: '127.0.0.1',
    ADMIN_HOSTS: 'gateway,Gateway.Internal.,my_gateway',
  }
  const { admin, stop } = await startServe(env, '')
  onCleanup(stop)
  return admin
})

const paths = ['/ready', '/metrics', '/nothing']
const statuses = (admin: string, headers: readonly string[]) =>
  Promise.all(paths.map(async (path) => (await exchange(admin, requestFor(path, headers))).status))

test.for([
  ...['127.0.0.1', '127.0.0.1:4001', '10.1.2.3:9999', '192.0.2.1.', '[::1]', '[2001:DB8::1]:4001'],
  ...['localhost', 'LOCALHOST:4001', 'localhost.', 'localhost:', hostname().toUpperCase()],
  ...['gateway', 'gateway:4001', 'GATEWAY.', 'gateway.internal', 'gateway.internal.:80', 'my_gateway'],
])('"%s" is allowed', async (host, { admin }) => {
  expect(await statuses(admin, [`Host: ${host}`])).toEqual([200, 200, 404])
})

const refusal = 'Host not allowed. Add it to ADMIN_HOSTS.\n'
test.for([
  ...'rebound.example rebound.example:4001 127.0.0.1.rebound.example localhost.rebound.example'.split(' '),
  ...'gateway.rebound.example agateway gateway.. notlocalhost l%6fcalhost 127.1 0x7f000001 .'.split(' '),
  ...['', 'gateway,localhost'],
])('"%s" is refused, and the response says how to allow it', async (host, { admin }) => {
  expect(await statuses(admin, [`Host: ${host}`])).toEqual([421, 421, 421])
  expect((await exchange(admin, requestFor('/metrics', [`Host: ${host}`]))).body).toBe(refusal)
})

// test/http/hosts.test.ts has more of them.
const malformed = [
  ...'localhost:99999 user@localhost [] [localhost] local\x7fhost b\xfccher'.split(' '),
  'localhost, localhost',
  // Longer than any name.
  ...['a'.repeat(256), `localhost${'.'.repeat(300)}`, '%'.repeat(10_000), 'a.'.repeat(60_000)],
]
test.for([
  ...malformed.map((host) => [`Host: ${host}`]),
  [],
  ['Host: localhost', 'Host: rebound.example'],
  ['Host: localhost', 'Host: localhost'],
])('%j is malformed', async (headers, { admin }) => {
  expect(await statuses(admin, headers)).toEqual([400, 400, 400])
})

test.for([
  ['/ready?verbose', 'ready\n'],
  ['/live?x=1', 'live\n'],
  ['/metrics?x=1', '# HELP'],
] as const)('the query of %s changes nothing', async ([target, start], { admin }) => {
  const { status, body } = await exchange(admin, requestFor(target, ['Host: localhost']))
  expect([status, body.slice(0, start.length)]).toEqual([200, start])
})

test.for([
  [[]],
  [['Host: rebound.example']],
  [['Host: a', 'Host: b']],
  [['Host: <x>']],
  [[`Host: ${'a'.repeat(9_999)}`]],
])('/live answers to %j', async ([headers], { admin }) => {
  const live = await exchange(admin, requestFor('/live', headers))
  expect(live).toMatchObject({ status: 200, body: 'live\n' })
})
