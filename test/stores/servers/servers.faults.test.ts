// Which of several servers is asked, and how often a query is tried again.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Observation } from '../../../src/observation.ts'
import { rowsOf } from '../../../src/stores/items.ts'
import { openStore } from '../../../src/stores/open-store.ts'
import { openServers } from '../../../src/stores/servers/servers.ts'
import type { Store } from '../../../src/stores/store.ts'
import type { TestDatabase } from '../../kit/engine.ts'
import { engines, fillSample, useDatabases } from '../../kit/engines.ts'
import { isStall } from '../../kit/stalls.ts'

describe.for(engines)('$name', (engine) => {
  const { words, locate } = engine
  const { errors, questions } = engine.engine
  const makeDatabase = useDatabases(engine)
  // Servers that know nothing of each other: what counts is which of them is asked.
  let databases: [TestDatabase, TestDatabase, TestDatabase]
  beforeAll(async () => {
    databases = await Promise.all([makeDatabase(), makeDatabase(), makeDatabase()])
    for (const database of databases) await fillSample(database)
  })
  afterAll(() => Promise.all(databases.map((database) => database.remove())))

  /** Which database answers: each has another name for user 1. */
  async function named(): Promise<void> {
    for (const [index, { run }] of databases.entries())
      await run(`UPDATE users SET display_name = 'server ${index}' WHERE id = 1`)
  }

  const locationOf = () => {
    const [primary, ...replicas] = databases
    return locate(primary.url, ...replicas.map(({ url }) => url))
  }

  describe('a query', () => {
    let store: Store
    beforeAll(async () => {
      await named()
      store = await openStore({ ...locationOf(), connections: 2 }, () => {})
    })
    afterAll(() => store.close())
    const whoAnswers = async (times: number) => {
      const found = await Promise.all(Array.from({ length: times }, () => store.findUsers('ID', ['1'])))
      const counts = Map.groupBy(found, (items) => rowsOf(items)[0]?.displayName)
      return [0, 1, 2].map((index) => counts.get(`server ${index}`)?.length ?? 0)
    }

    test('goes to the least busy replica', async () => {
      expect(await whoAnswers(2)).toEqual([0, 1, 1])
      expect(await whoAnswers(4)).toEqual([0, 2, 2])
    })

    test('goes to the primary where all replicas are busy', async () => {
      expect(await whoAnswers(6)).toEqual([2, 2, 2])
    })
  })

  test('as many queries may be under way as the servers that are used have connections', async () => {
    const store = await openStore({ ...locationOf(), connections: 3 }, () => {})
    expect(store.capacity?.()).toBe(9)
    await store.close()
  })

  describe('servers that are slow, and answer', () => {
    const slow = words.slowUsers(0.2)

    test('fail no request, whichever are', async () => {
      const [primary, replica] = databases
      await replica.run(slow.begin)
      const store = await openStore({ ...locate(primary.url, replica.url), connections: 2 }, () => {})
      const ask = async (times: number) => {
        for (let time = 0; time < times; time++)
          expect(await store.findUsers('ID', ['1'])).toMatchObject([{ id: 1 }])
      }
      await Promise.all(Array.from({ length: 4 }, () => ask(6)))
      await primary.run(slow.begin)
      await Promise.all(Array.from({ length: 4 }, () => ask(6)))
      await store.close()
      for (const { run } of [primary, replica]) await run(slow.end)
    })

    test('are not left for one that is worse', async () => {
      const [primary, replica] = databases
      const store = await openStore(locate(primary.url, replica.url), () => {})
      await primary.run(slow.begin)
      await replica.run('ALTER TABLE users RENAME TO gone')
      // The first finds out; from then on the primary is waited for.
      await Promise.resolve(store.findUsers('ID', ['1'])).catch(() => null)
      for (let time = 0; time < 8; time++)
        expect(await store.findUsers('ID', ['1'])).toMatchObject([{ id: 1 }])
      await store.close()
      await primary.run(slow.end)
      await replica.run('ALTER TABLE gone RENAME TO users')
    })
  })

  describe('a replica that fails though its probes do not', () => {
    // Rows that are found are refused; what the probes ask for is not found.
    const spoilt = words.failingUsers('disk error')

    test('fails no request, and is soon left alone', async () => {
      const [primary, replica] = databases
      await replica.run(spoilt.begin)
      const observations: Observation[] = []
      const store = await openStore(locate(primary.url, replica.url), (one) => observations.push(one))
      for (let time = 0; time < 300; time++) {
        expect(await store.findUsers('ID', ['1'])).toMatchObject([{ id: 1 }])
      }
      const count = (wanted: string) => observations.filter(({ type }) => type === wanted).length
      expect(count('store-failed')).toBe(0)
      expect(count('server-out')).toBeGreaterThan(0)
      const retried = observations.filter((one) => one.type === 'store-retried' && !isStall(one))
      expect(retried.length).toBeLessThan(20)
      // It is the one that failed, as its reason is, and not the one that helped out.
      const blamed = { server: errors.addressOf(replica.url), reason: expect.stringContaining('disk error') }
      for (const observation of retried) expect(observation).toMatchObject(blamed)
      await replica.run(spoilt.end)
      await expect.poll(() => count('server-back'), { timeout: 5000 }).toBe(count('server-out'))
      await store.close()
    })

    test('is not asked for more second attempts than the budget has', async () => {
      const [primary, replica, other] = databases
      for (const { run } of databases) await run(spoilt.begin)
      const observations: Observation[] = []
      const location = locate(primary.url, replica.url, other.url)
      const servers = openServers(engine.engine, location, (one) => observations.push(one))
      const asked = questions.usersById(['1'])
      for (let time = 0; time < 100; time++) {
        const reason = await servers.ask(asked).catch((error: unknown) => error)
        expect(errors.codeOf(reason)).toBe(words.failure)
      }
      expect(observations.filter(({ type }) => type === 'store-retried')).toHaveLength(20)
      for (const { run } of databases) await run(spoilt.end)
      // What goes well earns some of it back.
      for (let time = 0; time < 50; time++) expect(await servers.ask(asked)).toHaveLength(1)
      await servers.close()
    })
  })
})
