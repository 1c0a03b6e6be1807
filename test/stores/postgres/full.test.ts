// A server that takes no more connections (53300): those that the gateway has go on.

import pg from 'pg'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import type { Observation } from '../../../src/observation.ts'
import { openStore } from '../../../src/stores/open-store.ts'
import { makeTables } from '../../../src/stores/transfer.ts'
import { fill, sample } from '../../support/gateway.ts'
import { locate } from '../../support/postgres/database.ts'
import { PostgresServer } from '../../support/postgres/server.ts'

let server: PostgresServer
beforeAll(async () => {
  const settings = 'max_connections = 10\nsuperuser_reserved_connections = 3\n'
  server = await PostgresServer.start(inject('postgres').programs, undefined, settings)
  const location = locate(server.url())
  await makeTables(location)
  await fill(location, 'users', sample.users)
  await fill(location, 'apps', sample.apps)
  await server.run('CREATE ROLE reader LOGIN; GRANT SELECT ON users, apps TO reader')
})
afterAll(() => server.stop())

const url = () => server.url('postgres', 'reader')

/** Takes all connections that are left. @returns gives them back, as does the end of the test */
async function takeAll(): Promise<() => Promise<void>> {
  const taken: pg.Client[] = []
  const giveBack = async () => {
    for (const each of taken.splice(0)) await each.end()
  }
  onTestFinished(giveBack)
  for (;;) {
    const client = new pg.Client(url())
    client.on('error', () => {})
    try {
      await client.connect()
      taken.push(client)
    } catch {
      return giveBack
    }
  }
}

function watch() {
  const seen: Observation[] = []
  const of = (type: Observation['type']) => seen.filter((one) => one.type === type)
  return { observe: (one: Observation) => seen.push(one), of }
}

const full = expect.stringMatching(
  /connection.* Raise max_connections there, or lower DATABASE_CONNECTIONS here/,
)

test('the connections that there are answer all queries', async () => {
  const { observe, of } = watch()
  const store = await openStore(locate(url()), observe)
  await Promise.all([store.findUsers('ID', ['1']), store.findUsers('ID', ['2'])])
  const giveBack = await takeAll()
  const ask = async () => {
    for (let time = 0; time < 50; time++) expect(await store.findUsers('ID', ['1'])).toHaveLength(1)
  }
  await Promise.all([ask(), ask(), ask(), ask()])
  expect(of('store-failed')).toEqual([])
  expect(of('store-retried')).toEqual([])
  // The probe, too, has a connection of its own.
  await expect.poll(() => of('server-out'), { timeout: 5000 }).toMatchObject([{ reason: full }])
  await giveBack()
  await expect.poll(() => of('server-back'), { timeout: 5000 }).toHaveLength(1)
  await store.close()
})

test('without one, lookups fail with the reason, and go on by themselves', async () => {
  const { observe, of } = watch()
  const store = await openStore(locate(url()), observe)
  const giveBack = await takeAll()
  await expect(store.findUsers('ID', ['1'])).rejects.toMatchObject({ code: 'Unavailable' })
  expect(of('store-failed')[0]).toMatchObject({ error: { code: '53300' } })
  expect(of('store-retried')[0]).toMatchObject({
    reason: full,
  })
  await giveBack()
  await expect
    .poll(() => Promise.resolve(store.findUsers('ID', ['1'])).catch(() => null), { timeout: 5000 })
    .toHaveLength(1)
  await store.close()
})

test('a gateway that starts then says so', async () => {
  const giveBack = await takeAll()
  await expect(openStore(locate(url()), () => {})).rejects.toThrow(
    /^The database of DATABASE_URL .* cannot be used: .*connection.* Raise max_connections/,
  )
  await giveBack()
})
