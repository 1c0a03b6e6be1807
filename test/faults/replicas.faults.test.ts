// Promise 1: one of two database servers fails in every way, or lags, and no request fails.

import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Observation } from '../../src/observe/events.ts'
import { openStore } from '../../src/stores/open-store.ts'
import { endSessions, forumOf, readerUrl } from '../kit/engines.ts'
import { figure, note } from '../kit/figures.ts'
import { type Asked, ask, percentile, startLoad } from '../kit/load.ts'
import {
  type Cluster,
  enginesOfDay,
  enginesOfFew,
  faults,
  portOf,
  serveCluster,
  useCluster,
} from './cluster.ts'

function expectAllAnswered(asked: readonly Asked[]): void {
  expect(asked.filter(({ status }) => status !== 200)).toEqual([])
  expect(asked.length).toBeGreaterThan(100)
}

/** Two seconds after the fault, lookups take no longer than before it. */
function expectSettled(asked: readonly Asked[], fault: number): number {
  const during = asked.filter(({ at }) => at >= fault - 100).map(({ took }) => took)
  const p99 = percentile(during, 0.99)
  expect(p99).toBeLessThan(1000)
  const after = asked.filter(({ at }) => at > fault + 2000).map(({ took }) => took)
  expect(after.length).toBeGreaterThan(100)
  expect(percentile(after, 0.99)).toBeLessThan(500)
  return p99
}

describe.for(enginesOfFew)('$name', (engine) => {
  const cluster = useCluster(engine)
  const all: readonly (readonly [name: keyof Cluster, fault: keyof typeof faults])[] = [
    ['primary', 'frozen'],
    ['standby', 'killed'],
    ['standby', 'stopped'],
    ['standby', 'frozen'],
    ['primary', 'killed'],
  ]
  const few = all.slice(0, enginesOfDay.includes(engine) ? 2 : 1)

  test.for(figure(few, all))(
    'the %s %s: no request fails, and it is used again',
    async ([name, fault], context) => {
      // Despite the long timeout, a query leaves a frozen server after 150 ms.
      const gateway = await serveCluster(cluster(), { DATABASE_TIMEOUT: '5000' })
      const server = cluster()[name]
      const load = startLoad(gateway.url)
      await pause(500)
      const noticed = gateway.untilLogged('server-out', portOf(server), 8000)
      const began = load.now()
      await faults[fault].begin(server)
      await noticed
      await pause(Math.max(0, 3000 - (load.now() - began)))
      // MySQL may take long to start.
      const back = gateway.untilLogged('server-back', portOf(server), 40_000)
      await faults[fault].end(server)
      const returned = load.now()
      await back
      expect(load.now() - returned).toBeLessThan(5000)
      await pause(300)
      const asked = await load.stop()
      expectAllAnswered(asked)
      const measured = `0 of ${asked.length}, p99 ${Math.round(expectSettled(asked, began))} ms`
      const what = `${engine.name}: the ${name} ${fault}: failed requests`
      note(context, { promise: 1, what, bound: '0, p99 ≤ 1 s', measured })
    },
  )
})

describe.for(enginesOfDay)('$name', (engine) => {
  const cluster = useCluster(engine)
  const rename = (name: string) =>
    forumOf(engine, cluster().primary).run(`UPDATE users SET display_name = '${name}' WHERE id = 1`)

  test('sessions that an administrator ends, again and again: no request fails', async () => {
    const gateway = await serveCluster(cluster())
    const load = startLoad(gateway.url)
    for (let time = 0; time < 10; time++) {
      await pause(150)
      for (const server of Object.values(cluster())) await endSessions(engine, forumOf(engine, server))
    }
    expectAllAnswered(await load.stop())
  })

  test('both servers restarted in turn, faster than they are probed: no request fails', async (context) => {
    // Milliseconds from one restart to the next. MySQL takes seconds to stop and to start.
    const every = 650
    const restarts = figure(6, engine.kind === 'postgres' ? 40 : 10)
    const gateway = await serveCluster(cluster())
    const load = startLoad(gateway.url)
    await pause(500)
    const { primary, standby } = cluster()
    for (let time = 0; time < restarts; time++) {
      const next = load.now() + every
      const server = time % 2 === 0 ? primary : standby
      await server.stop()
      await server.start()
      await pause(Math.max(0, next - load.now()))
    }
    const asked = await load.stop()
    expectAllAnswered(asked)
    const slowest = Math.round(Math.max(...asked.map(({ took }) => took)))
    const what = `${engine.name}: both servers restarted in turn, ${restarts} times: failed requests`
    note(context, { promise: 1, what, bound: '0', measured: `0 of ${asked.length}, slowest ${slowest} ms` })
  }, 240_000)

  test('a standby that lags is left out until it has caught up, but is better than nothing', async () => {
    const { primary, standby } = cluster()
    const gateway = await serveCluster(cluster(), { DATABASE_MAX_LAG: '1' })
    expect(gateway.shown.Data).toBe(`127.0.0.1:${primary.port}/forum, and 1 replica`)
    const load = startLoad(gateway.url, { query: () => 'Event=ProfileLookup&Users=1' })
    await pause(1500)
    const out = gateway.untilLogged('server-out', portOf(standby), 8000)
    await standby.apply(false)
    // The primary may show the new name from here on.
    const began = load.now()
    await rename('changed')
    await out
    const noticed = load.now()
    await pause(300)
    // A reload does not bring the standby back.
    const reloaded = gateway.untilLogged('reloaded', '', 5000)
    gateway.process.kill('SIGHUP')
    await reloaded
    await pause(1000)
    const alone = load.now()
    const gone = gateway.untilLogged('server-out', portOf(primary), 8000)
    await primary.kill()
    await gone
    await pause(300)
    const back = gateway.untilLogged('server-back', portOf(standby), 10_000)
    await primary.start()
    await standby.apply(true)
    await standby.untilCaughtUp(primary)
    await back
    const asked = await load.stop()
    await rename('Ada')
    await standby.untilCaughtUp(primary)
    expectAllAnswered(asked)
    const shown = (from: number, to: number) => {
      const then = asked.filter(({ at, took }) => at > from && at + took < to)
      return new Set(then.map(({ body }) => body.includes('changed')))
    }
    expect(shown(0, began)).toEqual(new Set([false]))
    expect(shown(noticed + 50, alone)).toEqual(new Set([true]))
  })

  test('beside a standby that lags, no old row is read from the start on', async () => {
    const { primary, standby } = cluster()
    await standby.apply(false)
    onTestFinished(async () => {
      await rename('Ada')
      await standby.apply(true)
      await standby.untilCaughtUp(primary)
    })
    await rename('changed')
    const gateway = await serveCluster(cluster(), { DATABASE_MAX_LAG: '2' })
    const out = gateway.log.next('server-out', 10_000, portOf(standby))
    for (let time = 0; time < 50; time++)
      expect((await ask(`${gateway.url}/?Event=ProfileLookup&Users=1`)).body).toContain('changed')
    // The lag is logged once it is certain.
    expect(await out).toMatchObject({
      reason: expect.stringMatching(/too far behind the primary .* Check whether replication has stopped/),
    })
  })

  test('a standby of a busy primary is used soon, and nothing is logged', async () => {
    const { primary, standby } = cluster()
    const writer = await forumOf(engine, primary).connect()
    let isOver = false
    const writing = (async () => {
      while (!isOver) await writer.run('UPDATE users SET join_date = join_date + 1')
      await writer.end()
    })()
    // Health checks look up no username.
    const wasAsked = await engine.watchLookups(forumOf(engine, standby), 'users', 'username_key')
    const seen: Observation[] = []
    const location = engine.locate(readerUrl(primary), readerUrl(standby))
    const store = await openStore(location, (one) => seen.push(one))
    const isUsed = async () => {
      await store.findUsers('USERNAME', ['ada'])
      return wasAsked()
    }
    await expect.poll(isUsed, { interval: 20 }).toBe(true)
    isOver = true
    await writing
    expect(seen.filter(({ type }) => type !== 'server-known')).toEqual([])
    await store.close()
  })
})
