// When a pool logs in, and when it does not.

import { expect, test } from 'vitest'
import { errors } from '../../../src/stores/postgres/errors.ts'
import type { ServerLogin, ServerRow, Statement } from '../../../src/stores/servers/driver.ts'
import { openPool } from '../../../src/stores/servers/pool.ts'
import { failure } from './fake-servers.ts'

const statement: Statement = { name: '', text: '', values: [] }
const patient = () => 10_000
const wrongPassword = failure('28P01', 'wrong password')

/** A server. Its queries wait until `respond`; logins fail while `refusal` is set. */
function serve() {
  const server = { logins: 0, ended: 0, refusal: null as unknown }
  const waiting: (() => void)[] = []
  const lose: (() => void)[] = []
  const accessTo = (row: ServerRow): ServerLogin => ({
    key: String(row),
    connect: async (_createSocket, onLost) => {
      server.logins++
      if (server.refusal !== null) throw server.refusal
      lose.push(onLost)
      return {
        query: (_question, done) => waiting.push(() => done(null, [row])),
        end: () => server.ended++,
        destroy: () => server.ended++,
      }
    },
  })
  const respond = async (count: number) => {
    await expect.poll(() => waiting.length).toBe(count)
    for (const answer of waiting.splice(0)) answer()
  }
  return { server, accessTo, respond, lose }
}

/** A pool of two connections. */
function open(row: ServerRow = [1]) {
  const served = serve()
  const pool = openPool(2, errors)
  pool.use(served.accessTo(row))
  return { ...served, pool, ask: () => pool.query(statement, patient) }
}

test('connections are made as they are needed, and used again', async () => {
  const { server, respond, pool, ask } = open()
  expect(server.logins).toBe(0)
  const rows = [ask(), ask(), ask()]
  await respond(2)
  await respond(1)
  expect(await Promise.all(rows)).toEqual([[[1]], [[1]], [[1]]])
  expect([server.logins, pool.size(), pool.busy()]).toEqual([2, 2, 0])
})

test('a refused login is not tried again before `use`; open connections go on', async () => {
  const { server, accessTo, respond, pool, ask } = open()
  const first = ask()
  await respond(1)
  await first
  server.refusal = wrongPassword
  const both = [ask(), ask()]
  await respond(1)
  await respond(1)
  expect(await Promise.all(both)).toHaveLength(2)
  expect([server.logins, pool.refusal()]).toEqual([2, wrongPassword])
  // With its last connection, the pool has none.
  pool.renew()
  for (let time = 0; time < 5; time++) await expect(ask()).rejects.toBe(wrongPassword)
  expect(server.logins).toBe(2)
  server.refusal = null
  pool.use(accessTo([2]))
  const next = ask()
  await respond(1)
  expect(await next).toEqual([[2]])
})

test('another login, and `renew`, close idle connections at once, and others after their response', async () => {
  const { server, accessTo, respond, pool, ask } = open()
  const both = [ask(), ask()]
  await respond(2)
  await Promise.all(both)
  const busy = ask()
  pool.use(accessTo([2]))
  expect(server.ended).toBe(1)
  await respond(1)
  expect(await busy).toEqual([[1]])
  expect([server.ended, pool.size()]).toEqual([2, 0])
  const next = ask()
  await respond(1)
  expect(await next).toEqual([[2]])
})

test('a full server is asked again after a second', async () => {
  const { server, ask } = open()
  server.refusal = failure('53300', 'too many clients')
  for (let time = 0; time < 5; time++) await expect(ask()).rejects.toBe(server.refusal)
  expect(server.logins).toBe(1)
  server.refusal = null
  const next = () => ask().catch(() => null)
  await expect
    .poll(
      () => {
        void next()
        return server.logins
      },
      { timeout: 3000 },
    )
    .toBe(2)
})

test('a lost connection is replaced', async () => {
  const { server, respond, lose, ask } = open()
  const first = ask()
  await respond(1)
  await first
  lose[0]?.()
  const second = ask()
  await respond(1)
  await second
  expect(server.logins).toBe(2)
})

test('a query that gets no response in time frees its connection, which is not used again', async () => {
  const { server, respond, pool, ask } = open()
  await expect(pool.query(statement, (waited) => (waited === 0 ? 20 : 0))).rejects.toThrow('within 20 ms')
  expect([server.ended, pool.size(), pool.busy()]).toEqual([1, 0, 0])
  const next = ask()
  await respond(2)
  expect(await next).toEqual([[1]])
})

test('no connection is made for a query that was given up', async () => {
  const { server, respond, pool, ask } = open()
  const both = [ask(), ask()]
  await expect(pool.query(statement, (waited) => (waited === 0 ? 20 : 0))).rejects.toThrow('within 20 ms')
  pool.renew()
  await respond(2)
  await Promise.all(both)
  expect([server.logins, pool.size()]).toEqual([2, 0])
})

test('a closed pool fails what waits', async () => {
  const { pool, ask } = open()
  const all = [ask(), ask(), ask()]
  const failed = Promise.allSettled(all.slice(2))
  await expect.poll(pool.size).toBe(2)
  await pool.close()
  expect(await failed).toMatchObject([{ reason: { message: 'the store is closed' } }])
  await expect(ask()).rejects.toThrow('no connection')
})
