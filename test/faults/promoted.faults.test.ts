// A standby is promoted beside its primary: from then on its answers would be old for ever.

import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { ServerKind } from '../../src/database-location.ts'
import { parsePrometheus } from '../gateway/observe/prometheus.ts'
import type { DatabaseServer } from '../kit/database-server.ts'
import { putFarAway } from '../kit/distance.ts'
import { engines, forumOf, readerUrl } from '../kit/engines.ts'
import { type Asked, ask, startLoad } from '../kit/load.ts'
import { type Cluster, type Gateway, makeCluster, portOf, removeCluster, serveCluster } from './cluster.ts'

const shows = (name: string) => (asked: Pick<Asked, 'body'>) => asked.body.includes(name)
const first = { query: () => 'Event=ProfileLookup&Users=1' }
const isPromoted = { reason: expect.stringContaining('accepts writes itself') }

/** What is logged while the gateway starts is written a little later. */
async function expectLeftOut({ log }: Gateway): Promise<void> {
  await expect.poll(() => log.of('server-out')).toMatchObject([isPromoted])
}

describe.for(engines)('$name', (engine) => {
  let cluster: Cluster
  beforeEach(async () => {
    cluster = await makeCluster(engine)
  })
  afterEach(() => removeCluster(cluster))

  const rename = (server: DatabaseServer, name: string) =>
    forumOf(engine, server).run(`UPDATE users SET display_name = '${name}' WHERE id = 1`)

  test('a standby promoted beside its primary is left out with the next probe, until it is a standby again', async () => {
    const { primary, standby } = cluster
    const gateway = await serveCluster(cluster)
    const load = startLoad(gateway.url, first)
    await pause(500)
    const noticed = gateway.untilLogged('server-out', portOf(standby), 2500)
    await standby.promote()
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

    const remedy = {
      postgres: /itself\. Rebuild it/,
      mysql: /itself \(read_only is OFF\)\. Make it a replica/,
    }
    const lines = gateway.log.of('server-out')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatchObject({ reason: expect.stringMatching(remedy[engine.kind]) })
    const metrics = parsePrometheus((await ask(`${gateway.adminUrl}/metrics`)).body)
    const server = `{server="127.0.0.1:${standby.port}/forum"}`
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
    await standby.apply(false)
    const lagging = gateway.log.next('server-out', 4000, portOf(standby))
    await rename(primary, 'renamed')
    expect(await lagging).toMatchObject({ reason: expect.stringContaining('too far behind') })
    const promoted = gateway.log.next('server-out', 4000, portOf(standby))
    await standby.promote()
    expect(await promoted).toMatchObject(isPromoted)
    const failing = gateway.log.next('server-out', 4000, portOf(primary))
    await forumOf(engine, primary).run('ALTER TABLE apps RENAME TO gone')
    await failing
    const user = await ask(`${gateway.url}/?${first.query()}`)
    expect(user).toMatchObject({ status: 200, body: expect.stringContaining('renamed') })
    expect(await ask(`${gateway.url}/?Event=AppLookup&Apps=1`)).toMatchObject({ status: 503 })
  })

  test('a standby promoted beside a primary that is far away is left out, too', async () => {
    const { primary, standby } = cluster
    const far = await putFarAway(primary.port, 200)
    const gateway = await serveCluster(cluster, {
      DATABASE_URL: readerUrl(primary).replace(portOf(primary), `:${far}/`),
    })
    const out = gateway.log.next('server-out', 5000, portOf(standby))
    await standby.promote()
    expect(await out).toMatchObject(isPromoted)
    expect(gateway.log.of('history-unknown')).toEqual([])
  })

  test('a standby that was promoted before the start gives no answer', async () => {
    const { primary, standby } = cluster
    await standby.promote()
    await rename(primary, 'renamed')
    const gateway = await serveCluster(cluster)
    const load = startLoad(gateway.url, first)
    await pause(1000)
    const asked = await load.stop()
    expect(asked.length).toBeGreaterThan(0)
    expect(asked.filter((one) => !shows('renamed')(one))).toEqual([])
    await expectLeftOut(gateway)
  })

  test('while the primary is down, a promoted standby answers', async () => {
    const { primary, standby } = cluster
    const gateway = await serveCluster(cluster)
    const load = startLoad(gateway.url, first)
    const out = gateway.untilLogged('server-out', portOf(standby), 2500)
    await standby.promote()
    await out
    await primary.kill()
    await pause(1500)
    const asked = await load.stop()
    expect(asked.length).toBeGreaterThan(100)
    expect(asked.filter(({ status }) => status !== 200)).toEqual([])
  })

  const findings: Record<ServerKind, readonly (readonly [how: string, grant: string, reason: RegExp])[]> = {
    postgres: [
      // Positions tell: sooner or later it is further than the primary, or stays behind.
      ['by any role', '', /does not have|too far behind/],
      [
        'at once by a role that may see the receiver',
        'GRANT pg_read_all_stats TO reader',
        /follows another|does not have/,
      ],
    ],
    mysql: [['by any user', '', /does not have|too far behind/]],
  }
  test.for(findings[engine.kind])(
    'a standby that follows a promoted one is found out %s',
    async ([, grant, reason]) => {
      const { primary, standby } = cluster
      if (grant !== '') await primary.run(grant)
      const follower = await primary.startReplica()
      onTestFinished(() => follower.remove())
      await follower.untilCaughtUp(primary)
      await follower.follow(standby)
      const gateway = await serveCluster(cluster, {
        DATABASE_REPLICA_URLS: `${readerUrl(standby)},${readerUrl(follower)}`,
        ...(grant === '' ? { DATABASE_MAX_LAG: '1' } : {}),
      })
      const out = [standby, follower].map((server) => gateway.log.next('server-out', 8000, portOf(server)))
      await standby.promote()
      await rename(primary, 'renamed')
      expect(await Promise.all(out)).toMatchObject([isPromoted, { reason: expect.stringMatching(reason) }])
      for (let time = 0; time < 20; time++)
        expect(shows('renamed')(await ask(`${gateway.url}/?${first.query()}`))).toBe(true)
    },
  )

  test('a copy of the primary that was started as no standby is left out', async () => {
    const { primary, standby } = cluster
    await standby.rebuild(primary, false)
    const gateway = await serveCluster(cluster)
    await expectLeftOut(gateway)
  })
})
