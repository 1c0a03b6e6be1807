// A server that takes no more connections: the connections that the gateway has go on.

import { describe, expect, onTestFinished, test } from 'vitest'
import type { Client } from '../../kit/database-server.ts'
import { engines, makeForum, readerUrl, useServer, watchStore } from '../../kit/engines.ts'

const full = expect.stringMatching(/connection.* Raise max_connections on the server/)
const codes = { postgres: '53300', mysql: '1040' } as const

describe.for(engines)('$name', (engine) => {
  const server = useServer(
    () => engine.startServer({ maxConnections: 10 }),
    (one) => makeForum(engine, one),
  )
  const watch = () => watchStore(engine.locate(readerUrl(server())))

  /** Takes all connections that are left. @returns gives them back, as does the end of the test */
  async function takeAll(): Promise<() => Promise<void>> {
    const taken: Client[] = []
    const giveBack = async () => {
      for (const each of taken.splice(0)) await each.end()
    }
    onTestFinished(giveBack)
    for (;;) {
      try {
        taken.push(await server().connect('forum', 'reader'))
      } catch {
        return giveBack
      }
    }
  }

  test('the connections of the gateway answer all queries', async () => {
    const { store, of } = await watch()
    await Promise.all([store.findUsers('ID', ['1']), store.findUsers('ID', ['2'])])
    await takeAll()
    const ask = async () => {
      for (let time = 0; time < 50; time++) expect(await store.findUsers('ID', ['1'])).toHaveLength(1)
    }
    await Promise.all([ask(), ask(), ask(), ask()])
    expect(of('store-failed', 'store-retried')).toEqual([])
  })

  test('without a connection, lookups fail with the reason, and recover', async () => {
    const { store, of } = await watch()
    const giveBack = await takeAll()
    await expect(store.findUsers('ID', ['1'])).rejects.toMatchObject({ code: 'Unavailable' })
    const [failed] = of('store-failed')
    expect(failed?.type === 'store-failed' && engine.engine.errors.codeOf(failed.error)).toBe(
      codes[engine.kind],
    )
    expect(of('store-retried')[0]).toMatchObject({ reason: full })
    await expect(watch()).rejects.toThrow(/^The database of DATABASE_URL .* Raise max_connections/)
    await giveBack()
    await expect
      .poll(() => Promise.resolve(store.findUsers('ID', ['1'])).catch(() => null), { timeout: 5000 })
      .toHaveLength(1)
  })
})
