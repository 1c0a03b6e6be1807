// A query for which no client waits any more is ended at the server.

import { request } from 'node:http'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Observation } from '../../../src/observation.ts'
import { openStore } from '../../../src/stores/open-store.ts'
import type { Store } from '../../../src/stores/store.ts'
import { makeCaller } from '../../kit/caller.ts'
import type { TestDatabase } from '../../kit/engine.ts'
import { engines, fillSample, useDatabases } from '../../kit/engines.ts'
import { startGatewayOver } from '../../kit/gateway.ts'

describe.for(engines)('$name', (engine) => {
  const { words } = engine
  const makeDatabase = useDatabases(engine)
  let database: TestDatabase
  let store: Store
  let observations: Observation[]
  beforeEach(async () => {
    observations = []
    database = await makeDatabase()
    await fillSample(database)
    await database.run(words.slowUsers(4).begin)
    store = await openStore({ ...database.location, timeout: 8000 }, (one) => observations.push(one))
    onTestFinished(async () => {
      await store.close()
      await database.remove()
    })
  })

  const queries = () => database.run(words.asking('%FROM%users%WHERE%'))
  const ask = (...callers: ReturnType<typeof makeCaller>[]) => {
    const questions = callers.map((caller) => ({ values: ['1'], caller }))
    return store.findUsers(
      'ID',
      questions.flatMap(({ values }) => values),
      { questions, nextRound: () => {} },
    )
  }
  // The superuser may write, and MySQL warns of it.
  const isNews = ({ type }: Observation) => type !== 'server-known' && type !== 'server-warning'

  test('all clients leave: it is cancelled, and reported as no failure', async () => {
    const [first, second] = [makeCaller(), makeCaller()]
    const asked = performance.now()
    const outcome = Promise.resolve(ask(first, second)).catch((error: unknown) => error)
    await expect.poll(queries, { interval: 10 }).toHaveLength(1)
    first.leave()
    setTimeout(second.leave, 400)
    expect(await outcome).toMatchObject({ code: 'CallerLeft' })
    await expect.poll(queries).toEqual([])
    expect(performance.now() - asked).toBeLessThan(3000)
    expect(observations.filter(isNews)).toEqual([])
  })

  test('they leave at once: it is ended as well', async () => {
    const client = makeCaller()
    const outcome = Promise.resolve(ask(client)).catch((error: unknown) => error)
    client.leave()
    expect(await outcome).toMatchObject({ code: 'CallerLeft' })
    await expect.poll(queries).toEqual([])
  })

  test('one of two leaves: the other is answered', async () => {
    const [leaving, staying] = [makeCaller(), makeCaller()]
    const outcome = ask(leaving, staying)
    setTimeout(leaving.leave, 300)
    expect(await outcome).toMatchObject([{ id: 1 }, { id: 1 }])
  })

  test('a quick query is not ended, and its session is used again', async () => {
    const client = makeCaller()
    const question = { values: ['99'], caller: client }
    const outcome = store.findUsers('ID', ['99'], { questions: [question], nextRound: () => {} })
    client.leave()
    expect(await outcome).toEqual([null])
  })

  test('the connection that ends it is closed again', async () => {
    const client = makeCaller()
    const outcome = Promise.resolve(ask(client)).catch((error: unknown) => error)
    client.leave()
    await outcome
    // What is left is that of the prober.
    await expect.poll(() => database.run(words.sessions)).toHaveLength(1)
  })

  test('through the gateway: a client that closes its connection ends its query', async () => {
    const gateway = await startGatewayOver({ DATABASE_TIMEOUT: '8000', DATABASE_URL: database.url })
    onTestFinished(() => gateway.close())
    const client = request(`${gateway.url}/?Event=ProfileLookup&Users=1`).on('error', () => {})
    client.end()
    await expect.poll(queries, { interval: 10 }).toHaveLength(1)
    client.destroy()
    await expect.poll(queries, { interval: 10, timeout: 3000 }).toEqual([])
    await expect
      .poll(() => gateway.observations.filter(({ type }) => type === 'request'))
      .toMatchObject([{ about: { outcome: 'CallerLeft' } }])
  })
})
