// A standby is promoted beside its primary: from then on its answers would be old for ever.

import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { parsePrometheus } from '../gateway/observe/prometheus.ts'
import { type Asked, ask, startLoad } from '../support/load.ts'
import type { PostgresServer } from '../support/postgres/server.ts'
import { type Cluster, type Gateway, makeCluster, serveCluster } from './cluster.ts'

let cluster: Cluster
beforeEach(async () => {
  cluster = await makeCluster()
  // The gateway's own role may do no more than read.
  await cluster.primary.run('CREATE ROLE reader LOGIN; GRANT SELECT ON users, apps TO reader')
  const granted = () => cluster.standby.run(`SELECT FROM pg_roles WHERE rolname = 'reader'`)
  await expect.poll(granted).toHaveLength(1)
})
afterEach(async () => {
  await cluster.standby.kill()
  await cluster.primary.kill()
})

const portOf = ({ port }: PostgresServer) => `:${port}/`
const urlOf = (server: PostgresServer) => server.url('postgres', 'reader')
const rename = (server: PostgresServer, name: string) =>
  server.run(`UPDATE users SET display_name = '${name}' WHERE id = 1`)
const shows = (name: string) => (asked: Pick<Asked, 'body'>) => asked.body.includes(name)

function serveAsReader(replicas = [cluster.standby], settings = {}): Promise<Gateway> {
  const urls = {
    DATABASE_URL: urlOf(cluster.primary),
    DATABASE_REPLICA_URLS: replicas.map(urlOf).join(),
  }
  return serveCluster(cluster, { ...urls, ...settings })
}

const first = { query: () => 'Event=ProfileLookup&Users=1' }

/** What is logged while the gateway starts is written a little later. */
async function expectLeftOut({ log }: Gateway): Promise<void> {
  const reasons = () => log.of('server-out').map(({ reason }) => reason)
  await expect.poll(reasons).toEqual([expect.stringContaining('accepts writes itself')])
}

test('a standby promoted beside its primary is left out with the next probe, until it is a standby again', async () => {
  const { primary, standby } = cluster
  const gateway = await serveAsReader()
  const load = startLoad(gateway.url, first)
  await pause(500)
  const noticed = gateway.untilLogged('server-out', portOf(standby), 2500)
  await standby.run('SELECT pg_promote()')
  const promoted = load.now()
  await rename(primary, 'renamed')
  await noticed
  const out = load.now()
  await pause(3000)
  const asked = await load.stop()
  expect(asked.filter(({ status }) => status !== 200)).toEqual([])
  // A probe each second, and the time of a loaded machine.
  expect(out - promoted).toBeLessThan(2000)
  const after = asked.filter(({ at }) => at > out + 50)
  expect(after.length).toBeGreaterThan(100)
  expect(after.filter((one) => !shows('renamed')(one))).toEqual([])

  const lines = gateway.log.of('server-out')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatchObject({ reason: expect.stringMatching(/accepts writes itself\. Rebuild it/) })
  const metrics = parsePrometheus((await ask(`${gateway.adminUrl}/metrics`)).body)
  const server = `{server="127.0.0.1:${standby.port}/postgres"}`
  expect(metrics.get(`lookup_server_up${server}`)).toBe(0)
  expect(metrics.get(`lookup_server_outs_total${server}`)).toBe(1)

  const back = gateway.untilLogged('server-back', portOf(standby), 20_000)
  await standby.rebuild(primary)
  await back
  await rename(primary, 'twice')
  const isSeen = async () => shows('twice')(await ask(`${gateway.url}/?${first.query()}`))
  await expect.poll(isSeen, { timeout: 10_000 }).toBe(true)
})

test('a promoted standby gives no answer while the primary fails lookups, and is named though it lagged', async () => {
  const { primary, standby } = cluster
  const gateway = await serveCluster(cluster, { DATABASE_MAX_LAG: '1' })
  await standby.run('SELECT pg_wal_replay_pause()')
  const lagging = gateway.log.next('server-out', 4000, portOf(standby))
  await rename(primary, 'renamed')
  expect(await lagging).toMatchObject({ reason: expect.stringContaining('too far behind') })
  const promoted = gateway.log.next('server-out', 4000, portOf(standby))
  await standby.run('SELECT pg_promote()')
  expect(await promoted).toMatchObject({ reason: expect.stringContaining('accepts writes itself') })
  const failing = gateway.log.next('server-out', 4000, portOf(primary))
  await primary.run('ALTER TABLE apps RENAME TO gone')
  await failing
  const user = await ask(`${gateway.url}/?${first.query()}`)
  expect(user).toMatchObject({ status: 200, body: expect.stringContaining('renamed') })
  expect(await ask(`${gateway.url}/?Event=AppLookup&Apps=1`)).toMatchObject({ status: 503 })
})

test('a standby that was promoted before the start gives no answer', async () => {
  const { primary, standby } = cluster
  await standby.run('SELECT pg_promote()')
  await rename(primary, 'renamed')
  const gateway = await serveAsReader()
  const load = startLoad(gateway.url, first)
  await pause(1000)
  const asked = await load.stop()
  expect(asked.length).toBeGreaterThan(0)
  expect(asked.filter((one) => !shows('renamed')(one))).toEqual([])
  await expectLeftOut(gateway)
})

test('while the primary is down, a promoted standby answers', async () => {
  const { primary, standby } = cluster
  const gateway = await serveAsReader()
  const load = startLoad(gateway.url, first)
  const out = gateway.untilLogged('server-out', portOf(standby), 2500)
  await standby.run('SELECT pg_promote()')
  await out
  await primary.kill()
  await pause(1500)
  const asked = await load.stop()
  expect(asked.length).toBeGreaterThan(100)
  expect(asked.filter(({ status }) => status !== 200)).toEqual([])
  await primary.start()
})

test.for([
  // Positions tell: sooner or later it is further than the primary, or stays behind.
  ['by any role', '', /does not have|too far behind/],
  [
    'at once by a role that may see the receiver',
    'GRANT pg_read_all_stats TO reader',
    /follows another|does not have/,
  ],
] as const)('a standby that follows a promoted one is found out %s', async ([, grant, reason]) => {
  const { primary, standby } = cluster
  await primary.run(grant)
  const follower = await primary.startStandby(inject('postgres').programs)
  try {
    const source = `host=127.0.0.1 port=${standby.port} user=postgres`
    await follower.run(`ALTER SYSTEM SET primary_conninfo = '${source}'`)
    await follower.run('SELECT pg_reload_conf()')
    const followers = () => standby.run('SELECT state FROM pg_stat_replication')
    await expect.poll(followers, { timeout: 10_000 }).toEqual([['streaming']])
    const settings = grant === '' ? { DATABASE_MAX_LAG: '1' } : {}
    const gateway = await serveAsReader([standby, follower], settings)
    const out = [standby, follower].map((server) => gateway.log.next('server-out', 8000, portOf(server)))
    await standby.run('SELECT pg_promote()')
    await rename(primary, 'renamed')
    expect(await Promise.all(out)).toMatchObject([
      { reason: expect.stringContaining('accepts writes itself') },
      { reason: expect.stringMatching(reason) },
    ])
    for (let time = 0; time < 20; time++)
      expect(shows('renamed')(await ask(`${gateway.url}/?${first.query()}`))).toBe(true)
  } finally {
    await follower.kill()
  }
})

test('a copy of the primary that was started as no standby is left out', async () => {
  const { primary, standby } = cluster
  await standby.rebuild(primary, false)
  const gateway = await serveAsReader()
  await expectLeftOut(gateway)
})
