// When a pool logs in, and when it does not.

import { expect, test } from 'vitest'
import { errors } from '../../../src/stores/postgres/errors.ts'
import type { ServerLogin } from '../../../src/stores/servers/driver.ts'
import { openPool } from '../../../src/stores/servers/pool.ts'
import { failure } from './fake-servers.ts'

const statement = { name: '', text: '', values: [] }

/** A pool of two connections to a server that answers after 20 ms, and whose logins fail with `refusal`. */
function open() {
  const server = { logins: 0, refusal: null as unknown }
  const loginOf = (key: string): ServerLogin => ({
    key,
    connect: async () => {
      server.logins++
      if (server.refusal !== null) throw server.refusal
      const query = (_: unknown, done: (error: unknown, rows: readonly []) => void) =>
        void setTimeout(() => done(null, []), 20)
      return { query, end: () => {}, destroy: () => {} }
    },
  })
  const pool = openPool(2, errors)
  pool.use(loginOf('one'))
  return { server, pool, loginOf, ask: () => pool.query(statement, () => 10_000) }
}

test('connections are made as they are needed, and used again', async () => {
  const { server, pool, ask } = open()
  expect(server.logins).toBe(0)
  await Promise.all([ask(), ask(), ask(), ask()])
  expect([server.logins, pool.size(), pool.busy()]).toEqual([2, 2, 0])
})

test('a refused login is not tried again before `use`; open connections go on', async () => {
  const { server, pool, loginOf, ask } = open()
  await ask()
  server.refusal = failure('28P01')
  await Promise.all([ask(), ask(), ask()])
  expect([server.logins, pool.refusal()]).toEqual([2, server.refusal])
  // With its last connection, the pool has none.
  pool.renew()
  for (let time = 0; time < 5; time++) await expect(ask()).rejects.toBe(server.refusal)
  expect(server.logins).toBe(2)
  server.refusal = null
  pool.use(loginOf('two'))
  await ask()
  expect(server.logins).toBe(3)
})

test('a full server gets another login after a second', async () => {
  const { server, ask } = open()
  server.refusal = failure('53300', 'too many clients')
  for (let time = 0; time < 5; time++) await expect(ask()).rejects.toBe(server.refusal)
  expect(server.logins).toBe(1)
  server.refusal = null
  await expect.poll(() => ask().catch(() => null), { timeout: 3000 }).toEqual([])
  expect(server.logins).toBe(2)
})

test('a query without a response in time frees its connection, which is not used again', async () => {
  const { server, pool, ask } = open()
  const late = pool.query(statement, (waited) => (waited === 0 ? 5 : 0))
  await expect(late).rejects.toThrow('within 5 ms')
  expect([pool.size(), pool.busy()]).toEqual([0, 0])
  await ask()
  expect(server.logins).toBe(2)
})
