// One of two database servers fails in every way it can: no request does.

import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { note } from '../support/figures.ts'
import { type Asked, percentile, startLoad } from '../support/load.ts'
import type { PostgresServer } from '../support/postgres/server.ts'
import { serveCluster, useCluster } from './cluster.ts'

const cluster = useCluster()
const portOf = ({ port }: PostgresServer) => `:${port}/`

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

const faults = {
  killed: {
    begin: (server: PostgresServer) => server.kill(),
    end: (server: PostgresServer) => server.start(),
  },
  stopped: {
    begin: (server: PostgresServer) => server.stop(),
    end: (server: PostgresServer) => server.start(),
  },
  frozen: {
    begin: async (server: PostgresServer) => server.freeze(),
    end: async (server: PostgresServer) => server.thaw(),
  },
} as const

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
  await pause(3000 - (load.now() - began))
  const back = gateway.untilLogged('server-back', portOf(server), 5000)
  await faults[fault].end(server)
  await back
  await pause(300)
  const asked = await load.stop()
  expectAllAnswered(asked)
  const measured = `0 of ${asked.length}, p99 ${Math.round(expectSettled(asked, began))} ms`
  note(context, {
    promise: 1,
    what: `the ${name} ${fault}: failed requests`,
    bound: '0, p99 ≤ 1 s',
    measured,
  })
})

test('sessions that an administrator ends, again and again: no request fails', async () => {
  const gateway = await serveCluster(cluster())
  const load = startLoad(gateway.url)
  for (let time = 0; time < 10; time++) {
    await pause(150)
    for (const server of Object.values(cluster())) {
      await server.run(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'lookup-service'`,
      )
    }
  }
  expectAllAnswered(await load.stop())
})

test('a standby that lags is better than nothing', async () => {
  const { primary, standby } = cluster()
  const gateway = await serveCluster(cluster(), { DATABASE_MAX_LAG: '1' })
  await standby.run('SELECT pg_wal_replay_pause()')
  await primary.run(`UPDATE users SET rank = rank WHERE id = 3`)
  await gateway.untilLogged('server-out', portOf(standby), 3500)
  const load = startLoad(gateway.url)
  await pause(200)
  await primary.kill()
  await pause(1500)
  expectAllAnswered(await load.stop())
  await standby.run('SELECT pg_wal_replay_resume()')
  await primary.start()
})

test('a standby that lags is left out until it has caught up', async () => {
  const { primary, standby } = cluster()
  const gateway = await serveCluster(cluster(), { DATABASE_MAX_LAG: '1' })
  expect(gateway.shown.Data).toBe(`127.0.0.1:${primary.port}/postgres, and 1 replica`)
  const load = startLoad(gateway.url)
  await pause(1500)
  await standby.run('SELECT pg_wal_replay_pause()')
  await primary.run(`UPDATE users SET display_name = 'changed' WHERE id = 1`)
  const began = load.now()
  // A second that it may lag, and two to notice.
  await gateway.untilLogged('server-out', portOf(standby), 3500)
  const noticed = load.now()
  await pause(300)
  const back = gateway.untilLogged('server-back', portOf(standby), 5000)
  await standby.run('SELECT pg_wal_replay_resume()')
  await back
  await primary.run(`UPDATE users SET display_name = 'Ada' WHERE id = 1`)
  const asked = await load.stop()
  expectAllAnswered(asked)
  const first = asked.filter(({ body }) => body.includes('"Id":1,'))
  const shown = (from: number, to: number) =>
    new Set(
      first.filter(({ at, took }) => at > from && at + took < to).map(({ body }) => body.includes('changed')),
    )
  expect(shown(0, began)).toEqual(new Set([false]))
  expect(shown(noticed + 50, noticed + 300)).toEqual(new Set([true]))
})
