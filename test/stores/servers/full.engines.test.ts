// A server that takes no more connections: those that the gateway has go on.

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Observation } from '../../../src/observation.ts'
import { openStore } from '../../../src/stores/open-store.ts'
import type { Client, DatabaseServer } from '../../kit/database-server.ts'
import { engines, makeForum, readerUrl } from '../../kit/engines.ts'

const full = expect.stringMatching(
  /connection.* Raise max_connections on the server, or lower DATABASE_CONNECTIONS/,
)
const codes = { postgres: '53300', mysql: '1040' } as const

describe.for(engines)('$name', (engine) => {
  let server: DatabaseServer
  beforeAll(async () => {
    server = await engine.startServer({ maxConnections: 10 })
    await makeForum(engine, server)
  })
  afterAll(() => server.remove())

  /** Takes all connections that are left. @returns gives them back, as does the end of the test */
  async function takeAll(): Promise<() => Promise<void>> {
    const taken: Client[] = []
    const giveBack = async () => {
      for (const each of taken.splice(0)) await each.end()
    }
    onTestFinished(giveBack)
    for (;;) {
      try {
        taken.push(await server.connect('forum', 'reader'))
      } catch {
        return giveBack
      }
    }
  }

  async function watch() {
    const seen: Observation[] = []
    const store = await openStore(engine.locate(readerUrl(server)), (one) => seen.push(one))
    onTestFinished(() => store.close())
    return { store, of: (type: Observation['type']) => seen.filter((one) => one.type === type) }
  }

  test('the connections that there are answer all queries', async () => {
    const { store, of } = await watch()
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
  })

  test('without one, lookups fail with the reason, and go on by themselves', async () => {
    const { store, of } = await watch()
    const giveBack = await takeAll()
    await expect(store.findUsers('ID', ['1'])).rejects.toMatchObject({ code: 'Unavailable' })
    const [failed] = of('store-failed')
    expect(failed?.type === 'store-failed' && engine.engine.errors.codeOf(failed.error)).toBe(
      codes[engine.kind],
    )
    expect(of('store-retried')[0]).toMatchObject({ reason: full })
    await giveBack()
    await expect
      .poll(() => Promise.resolve(store.findUsers('ID', ['1'])).catch(() => null), { timeout: 5000 })
      .toHaveLength(1)
  })

  test('a gateway that starts then says so', async () => {
    const giveBack = await takeAll()
    await expect(watch()).rejects.toThrow(
      /^The database of DATABASE_URL .* cannot be used: .*connection.* Raise max_connections/,
    )
    await giveBack()
  })
})
