// A query for which no client waits any more is ended at the server.

import { request } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeCaller } from '../../kit/caller.ts'
import { engines, fillSample, openDatabase, watchStore } from '../../kit/engines.ts'
import { startGatewayOver } from '../../kit/gateway.ts'

describe.for(engines)('$name', (engine) => {
  const { words } = engine

  async function open(seconds = 4) {
    const database = await openDatabase(engine, async (one) => {
      await fillSample(one)
      await one.run(words.slowUsers(seconds).begin)
    })
    const { store, of } = await watchStore({ ...database.location, timeout: 8000 })
    const lookUp = async (value: string, ...callers: ReturnType<typeof makeCaller>[]) => {
      const questions = callers.map((caller) => ({ values: [value], caller }))
      return store.findUsers(
        'ID',
        callers.map(() => value),
        { questions, nextRound: () => {} },
      )
    }
    const queries = () => database.run(words.asking('%FROM%users%WHERE%'))
    return { database, lookUp, queries, of }
  }

  test('all clients leave: the query is cancelled, which is no failure', async () => {
    const { database, lookUp, queries, of } = await open()
    const [first, second] = [makeCaller(), makeCaller()]
    const outcome = lookUp('1', first, second).catch((error: unknown) => error)
    await expect.poll(queries, { interval: 10 }).toHaveLength(1)
    first.leave()
    setTimeout(second.leave, 200)
    expect(await outcome).toMatchObject({ code: 'CallerLeft' })
    await expect.poll(queries, { timeout: 3000 }).toEqual([])
    expect(of('store-failed', 'store-retried', 'server-out')).toEqual([])
    // The connection that ended the query is closed again: the prober's is left.
    await expect.poll(() => database.run(words.sessions)).toHaveLength(1)
  })

  test('the client leaves before the query began: the query is ended as well', async () => {
    const { lookUp, queries } = await open()
    const client = makeCaller()
    const outcome = lookUp('1', client).catch((error: unknown) => error)
    client.leave()
    expect(await outcome).toMatchObject({ code: 'CallerLeft' })
    await expect.poll(queries, { timeout: 3000 }).toEqual([])
  })

  test('one of two leaves: the other has its response', async () => {
    const { lookUp } = await open(0.5)
    const [leaving, staying] = [makeCaller(), makeCaller()]
    const outcome = lookUp('1', leaving, staying)
    setTimeout(leaving.leave, 200)
    expect(await outcome).toMatchObject([{ id: 1 }, { id: 1 }])
  })

  test('a quick query is not ended', async () => {
    const { lookUp } = await open()
    const client = makeCaller()
    const outcome = lookUp('99', client)
    client.leave()
    expect(await outcome).toEqual([null])
  })

  test('a client that closes its connection to the gateway ends its query', async () => {
    const { database, queries } = await open()
    const gateway = await startGatewayOver({ DATABASE_TIMEOUT: '8000', DATABASE_URL: database.url })
    onTestFinished(() => gateway.close())
    const client = request(`${gateway.url}/?Event=ProfileLookup&Users=1`).on('error', () => {})
    client.end()
    await expect.poll(queries, { interval: 10 }).toHaveLength(1)
    client.destroy()
    await expect.poll(queries, { interval: 10, timeout: 3000 }).toEqual([])
    const requests = () => gateway.observations.filter(({ type }) => type === 'request')
    await expect.poll(requests).toMatchObject([{ about: { outcome: 'CallerLeft' } }])
  })
})
