// Promises 2 and 3: all database servers are down, locked, busy or too slow. Clients get a 503 at once, and
// lookups work again as soon as the servers are back.

import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { LookupError } from '../../src/errors.ts'
import { openStore } from '../../src/stores/open-store.ts'
import { childrenOf } from '../kit/children.ts'
import { forumOf, lock, readerUrl } from '../kit/engines.ts'
import { figure, note } from '../kit/figures.ts'
import { ask, p99Of as p99, percentile, startLoad } from '../kit/load.ts'
import { freePort } from '../kit/postgres/server.ts'
import { enginesOfDay, enginesOfFew, faults, serveCluster, statusOf, useCluster } from './cluster.ts'

const userLookup = 'Event=ProfileLookup&Users=1'

describe.for(enginesOfFew)('$name', (engine) => {
  const cluster = useCluster(engine)
  const servers = () => Object.values(cluster())

  test.for(enginesOfDay.includes(engine) ? (['killed', 'frozen'] as const) : (['killed'] as const))(
    'all servers %s: 503 at once, alive but not ready, and back when they are',
    async (fault, context) => {
      const { begin, end } = faults[fault]
      const gateway = await serveCluster(cluster())
      expect(await statusOf(`${gateway.admin}/ready`)).toBe(200)
      const load = startLoad(gateway.url)
      await pause(300)
      const began = load.now()
      await Promise.all(servers().map(begin))
      await pause(2000)
      expect(await statusOf(`${gateway.admin}/live`)).toBe(200)
      expect(await statusOf(`${gateway.admin}/ready`)).toBe(503)
      for (const format of ['JSON', 'XML'])
        expect((await ask(`${gateway.url}/?${userLookup}&Format=${format}`)).body).toContain('Unavailable')
      const ended = load.now()
      await Promise.all(servers().map(end))
      const up = load.now()
      await pause(2500)
      expect(await statusOf(`${gateway.admin}/ready`)).toBe(200)
      const asked = await load.stop()

      expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([200, 503]))
      const refused = asked.filter(({ status }) => status === 503)
      expect(refused.filter(({ retryAfter }) => !/^[1-9]\d*$/.test(retryAfter ?? ''))).toEqual([])
      // Once the outage is noticed, a request does not wait.
      const noticed = refused.filter(({ at }) => at > began + 1000)
      expect(noticed.length).toBeGreaterThan(100)
      const last = Math.max(...refused.map(({ at, took }) => at + took))
      const what = `${engine.name}: all servers ${fault}`
      const [late, after] = [Math.round(p99(noticed)), Math.max(0, Math.round(last - up))]
      note(
        context,
        { promise: 2, what: `${what}: p99 of 503, once noticed`, bound: '≤ 300 ms', measured: `${late} ms` },
        {
          promise: 2,
          what: `${what}: answered again after their return`,
          bound: '≤ 2 s',
          measured: `${after} ms`,
        },
      )
      expect(late).toBeLessThan(300)
      const between = asked.filter(({ at }) => at > began + 1000 && at < ended)
      expect(between.filter(({ status }) => status !== 503)).toEqual([])
      expect(after).toBeLessThan(2000)
    },
  )

  test('a query that takes too long is given up, and ended in the server', async (context) => {
    const gateway = await serveCluster(cluster(), { DATABASE_REPLICA_URLS: '' })
    const { run } = forumOf(engine, cluster().primary)
    const lookup = async (seconds: number) => {
      const slow = engine.words.slowUsers(seconds)
      await run(slow.begin)
      const began = performance.now()
      const { status, body } = await ask(`${gateway.url}/?${userLookup}`)
      const took = Math.round(performance.now() - began)
      // Dropping the view waits for the queries that read it.
      await run(slow.end)
      return { status, body, took, ended: performance.now() - began }
    }
    expect((await lookup(0.3)).status).toBe(200)
    const { took, ended, ...refused } = await lookup(30)
    expect(refused).toMatchObject({ status: 503, body: expect.stringContaining('Unavailable') })
    expect(took).toBeLessThan(2000)
    expect(ended).toBeLessThan(10_000)
    const measured = `503 after ${took} ms, and the query has ended`
    const what = `${engine.name}: a store query`
    note(context, { promise: 10, what, bound: 'given up after 1 s', measured })
  })
})

describe.for(enginesOfDay)('$name', (engine) => {
  const cluster = useCluster(engine)
  const servers = () => Object.values(cluster())

  const states = [
    ['busy', {}, 100],
    ['idle', {}, 0],
    ['for long, and patient', { DATABASE_TIMEOUT: '60000' }, 3000],
  ] as const
  test.for(states.slice(0, figure(2, 3)))(
    'a gateway whose servers are frozen ends all the same: %s',
    async (row) => {
      const [what, settings, milliseconds] = row
      const gateway = await serveCluster(cluster(), settings)
      const load = startLoad(gateway.url, { clients: what === 'idle' ? 0 : 16 })
      expect(await ask(`${gateway.url}/?${userLookup}`)).toMatchObject({ status: 200 })
      for (const server of servers()) server.freeze()
      await pause(milliseconds)
      const started = performance.now()
      const { status } = await gateway.stop()
      const took = performance.now() - started
      for (const server of servers()) server.thaw()
      await load.stop()
      expect(status).toBe(0)
      expect(took).toBeLessThan(5000)
    },
  )

  describe('when the last server has just gone out', () => {
    const users = () => engine.locate(readerUrl(cluster().primary))
    // MySQL takes longer to start than a query waits.
    const { begin, end } = faults[engine.kind === 'postgres' ? 'killed' : 'frozen']

    test('a query waits for its return', async () => {
      const { primary } = cluster()
      // On a busy machine the server may return too late for the query.
      const soon = 300
      let returned = Number.POSITIVE_INFINITY
      for (let time = 0; time < 10 && returned > soon; time++) {
        const out = Promise.withResolvers<void>()
        const store = await openStore(users(), ({ type }) => type === 'server-out' && out.resolve())
        await begin(primary)
        await out.promise
        const from = performance.now()
        const found = Promise.resolve(store.findUsers('ID', ['1'])).catch((error: unknown) => error)
        await end(primary)
        returned = performance.now() - from
        const user = await found
        if (returned <= soon) expect(user).toMatchObject([{ id: 1 }])
        await store.close()
      }
      expect(returned).toBeLessThanOrEqual(soon)
    })

    test('and it does not return, queries are refused at once from half a second on', async () => {
      const { primary } = cluster()
      const store = await openStore(users(), () => {})
      await primary.kill()
      const query = async () => {
        const from = performance.now()
        await expect(store.findUsers('ID', ['1'])).rejects.toThrow(LookupError)
        return performance.now() - from
      }
      expect(await query()).toBeLessThan(1000)
      await pause(100)
      const took: number[] = []
      for (let time = 0; time < 100; time++) took.push(await query())
      expect(percentile(took, 0.9)).toBeLessThan(20)
      expect(store.capacity?.()).toBe(0)
      await store.close()
      await primary.start()
    })
  })

  test('workers that die while the servers are away are replaced', async () => {
    const gateway = await serveCluster(cluster(), { WORKERS: '2', PORT: String(await freePort()) })
    const workers = () => childrenOf(gateway.process.pid)
    const lookup = async () => (await ask(`${gateway.url}/?${userLookup}`)).status
    expect(await lookup()).toBe(200)
    await Promise.all(servers().map((server) => server.kill()))
    const before = workers()
    for (const worker of before) process.kill(worker, 'SIGKILL')
    await pause(1500)
    await Promise.all(servers().map((server) => server.start()))
    await expect.poll(lookup, { timeout: 30_000 }).toBe(200)
    const replaced = () => workers().filter((worker) => !before.includes(worker))
    await expect.poll(replaced, { timeout: 30_000 }).toHaveLength(2)
    expect(await gateway.stop()).toMatchObject({ status: 0 })
  })

  test('a full pool: 503 within a quarter of a second, and it passes', async (context) => {
    const settings = { DATABASE_CONNECTIONS: '1', DATABASE_REPLICA_URLS: '' }
    const gateway = await serveCluster(cluster(), settings)
    const { run } = forumOf(engine, cluster().primary)
    // Lookups of users are slow; health checks are not.
    const slow = engine.words.slowUsers(0.7)
    await run(slow.begin)
    const load = startLoad(gateway.url, { query: () => 'Event=AppLookup&Apps=1', clients: 8 })
    const slowLoad = startLoad(gateway.url, { query: () => userLookup, clients: 2, pause: 0 })
    await pause(figure(1500, 3000))
    await slowLoad.stop()
    await pause(1500)
    const from = load.now()
    await pause(500)
    const asked = await load.stop()
    await run(slow.end)
    const refused = asked.filter(({ status }) => status !== 200)
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]))
    expect(refused.some(({ body }) => body.includes('Overloaded'))).toBe(true)
    const measured = `${Math.round(p99(refused))} ms`
    const what = `${engine.name}: pool full: p99 of 503`
    note(context, { promise: 3, what, bound: '≤ 250 ms', measured })
    // 200 ms of waiting, and time for a busy machine.
    expect(p99(refused)).toBeLessThan(figure(400, 260))
    expect(asked.filter(({ at, status }) => at > from && status !== 200)).toEqual([])
  })

  test('a lock on users, as ALTER TABLE takes it: apps are answered, however many ask for users', async () => {
    const settings = { DATABASE_REPLICA_URLS: '', LOG_SAMPLE: '0' }
    const gateway = await serveCluster(cluster(), settings)
    const apps = startLoad(gateway.url, { query: () => 'Event=AppLookup&Apps=1' })
    // At first all of them wait for the lock. Later they are refused at once, at a rate that one core can
    // serve.
    const someUser = () => `Event=ProfileLookup&Users=${Math.ceil(Math.random() * 1e6)}`
    const users = startLoad(gateway.url, { query: someUser, clients: 64, pause: 25 })
    await pause(500)
    const out = gateway.log.next('server-out', 10_000)
    const unlock = await lock(engine, forumOf(engine, cluster().primary), 'users')
    expect(await out).toMatchObject({ reason: expect.stringMatching(/^users: no response .* locked/) })
    // Requests that waited by then have timed out.
    const from = apps.now() + 1500
    await pause(3000)
    expect(await statusOf(`${gateway.admin}/ready`)).toBe(200)
    const to = apps.now()
    const back = gateway.log.next('server-back', 10_000)
    await unlock()
    await back
    await pause(200)
    const again = users.now()
    await pause(500)
    const during = (await apps.stop()).filter(({ at }) => at > from && at < to)
    const after = (await users.stop()).filter(({ at }) => at > again)
    for (const asked of [during, after]) {
      expect(asked.length).toBeGreaterThan(100)
      expect(asked.filter(({ status }) => status !== 200)).toEqual([])
    }
    expect(p99(during)).toBeLessThan(300)
  })
})
