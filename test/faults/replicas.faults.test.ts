// One of two database servers fails in every way it can: no request does.

import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { endSessions, engines, forumOf } from '../kit/engines.ts'
import { note } from '../kit/figures.ts'
import { type Asked, percentile, startLoad } from '../kit/load.ts'
import { faults, portOf, serveCluster, useCluster } from './cluster.ts'

function expectAllAnswered(asked: readonly Asked[]): void {
  expect(asked.filter(({ status }) => status !== 200)).toEqual([])
  expect(asked.length).toBeGreaterThan(100)
}

/** From a second after the fault, half the time it has to settle, lookups take no longer than before it. */
function expectSettled(asked: readonly Asked[], fault: number): number {
  const during = asked.filter(({ at }) => at >= fault - 100).map(({ took }) => took)
  const p99 = percentile(during, 0.99)
  expect(p99).toBeLessThan(1000)
  const after = asked.filter(({ at }) => at > fault + 2000).map(({ took }) => took)
  expect(after.length).toBeGreaterThan(100)
  expect(Math.max(...after)).toBeLessThan(500)
  return p99
}

describe.for(engines)('$name', (engine) => {
  const cluster = useCluster(engine)

  test.for([
    ['standby', 'killed'],
    ['standby', 'stopped'],
    ['standby', 'frozen'],
    ['primary', 'killed'],
    ['primary', 'frozen'],
  ] as const)('the %s %s: no request fails, and it is used again', async ([name, fault], context) => {
    const gateway = await serveCluster(cluster())
    const server = cluster()[name]
    const load = startLoad(gateway.url)
    await pause(500)
    const noticed = gateway.untilLogged('server-out', portOf(server), 3000)
    const began = load.now()
    await faults[fault].begin(server)
    await noticed
    await pause(Math.max(0, 3000 - (load.now() - began)))
    const back = gateway.untilLogged('server-back', portOf(server), 5000)
    await faults[fault].end(server)
    await back
    await pause(300)
    const asked = await load.stop()
    expectAllAnswered(asked)
    const measured = `0 of ${asked.length}, p99 ${Math.round(expectSettled(asked, began))} ms`
    note(context, {
      promise: 1,
      what: `${engine.name}: the ${name} ${fault}: failed requests`,
      bound: '0, p99 ≤ 1 s',
      measured,
    })
  })

  test('a frozen standby is left after 150 ms, however long a query may take', async () => {
    const { standby } = cluster()
    const gateway = await serveCluster(cluster(), { DATABASE_TIMEOUT: '5000' })
    const load = startLoad(gateway.url)
    await pause(500)
    const began = load.now()
    standby.freeze()
    await pause(1500)
    const asked = await load.stop()
    const back = gateway.untilLogged('server-back', portOf(standby), 5000)
    await gateway.untilLogged('server-out', portOf(standby), 5000)
    standby.thaw()
    await back
    expectAllAnswered(asked)
    const during = asked.filter(({ at }) => at >= began - 100).map(({ took }) => took)
    expect(percentile(during, 0.99)).toBeLessThan(1000)
  })

  test('sessions that an administrator ends, again and again: no request fails', async () => {
    const gateway = await serveCluster(cluster())
    const load = startLoad(gateway.url)
    for (let time = 0; time < 10; time++) {
      await pause(150)
      for (const server of Object.values(cluster())) await endSessions(engine, forumOf(engine, server))
    }
    expectAllAnswered(await load.stop())
  })

  test('a standby that lags is better than nothing', async () => {
    const { primary, standby } = cluster()
    const gateway = await serveCluster(cluster(), { DATABASE_MAX_LAG: '1' })
    await standby.apply(false)
    await forumOf(engine, primary).run('UPDATE users SET join_date = join_date + 1 WHERE id = 3')
    await gateway.untilLogged('server-out', portOf(standby), 3500)
    const load = startLoad(gateway.url)
    await pause(200)
    await primary.kill()
    await pause(1500)
    expectAllAnswered(await load.stop())
    await primary.start()
    await standby.apply(true)
    await standby.untilCaughtUp(primary)
  })

  test('a standby that lags is left out until it has caught up', async () => {
    const { primary, standby } = cluster()
    const { run } = forumOf(engine, primary)
    const gateway = await serveCluster(cluster(), { DATABASE_MAX_LAG: '1' })
    expect(gateway.shown.Data).toBe(`127.0.0.1:${primary.port}/forum, and 1 replica`)
    const load = startLoad(gateway.url)
    await pause(1500)
    await standby.apply(false)
    await run(`UPDATE users SET display_name = 'changed' WHERE id = 1`)
    const began = load.now()
    // A second that it may lag, and two to notice.
    await gateway.untilLogged('server-out', portOf(standby), 3500)
    const noticed = load.now()
    await pause(300)
    const back = gateway.untilLogged('server-back', portOf(standby), 5000)
    await standby.apply(true)
    await back
    await run(`UPDATE users SET display_name = 'Ada' WHERE id = 1`)
    const asked = await load.stop()
    expectAllAnswered(asked)
    const first = asked.filter(({ body }) => body.includes('"Id":1,'))
    const shown = (from: number, to: number) =>
      new Set(
        first
          .filter(({ at, took }) => at > from && at + took < to)
          .map(({ body }) => body.includes('changed')),
      )
    expect(shown(0, began)).toEqual(new Set([false]))
    expect(shown(noticed + 50, noticed + 300)).toEqual(new Set([true]))
    await standby.untilCaughtUp(primary)
  })
})
