// A standby is promoted beside its primary, so its rows would stay old. The same holds for servers with
// another history.

import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import type { DatabaseServer } from '../kit/database-server.ts'
import type { TestEngine } from '../kit/engine.ts'
import { forumOf, makeForum, readerUrl } from '../kit/engines.ts'
import { figure } from '../kit/figures.ts'
import { ask, startLoad } from '../kit/load.ts'
import { MysqlServer } from '../kit/mysql/server.ts'
import { postgresEngine } from '../kit/postgres/engine.ts'
import { giveAway, makePristine } from '../kit/postgres/programs.ts'
import { PostgresServer } from '../kit/postgres/server.ts'
import { parsePrometheus } from '../observe/prometheus.ts'
import {
  type Cluster,
  enginesOfDay,
  enginesOfFew,
  makeCluster,
  portOf,
  removeCluster,
  serveCluster,
} from './cluster.ts'

const lookup = 'Event=ProfileLookup&Users=1'
const first = { query: () => lookup }
/** Time for a busy machine to connect. */
const patient = { DATABASE_TIMEOUT: '5000' }
const isPromoted = { reason: expect.stringContaining('accepts writes itself') }

/** A cluster for each test of a `describe`. */
function useFreshCluster(engine: TestEngine) {
  let cluster: Cluster
  beforeEach(async () => {
    cluster = await makeCluster(engine)
  })
  afterEach(() => removeCluster(cluster))
  const rename = (server: DatabaseServer, name: string) =>
    forumOf(engine, server).run(`UPDATE users SET display_name = '${name}' WHERE id = 1`)
  return { cluster: () => cluster, rename }
}

describe.for(enginesOfFew)('$name', (engine) => {
  const { cluster, rename } = useFreshCluster(engine)

  test('a promoted standby is left out with the next probe, until it is a standby again', async () => {
    const { primary, standby } = cluster()
    const gateway = await serveCluster(cluster(), patient)
    const load = startLoad(gateway.url, first)
    await pause(500)
    const noticed = gateway.untilLogged('server-out', portOf(standby), 8000)
    await standby.promote()
    await rename(primary, 'renamed')
    await noticed
    const out = load.now()
    await pause(1500)
    const asked = await load.stop()
    expect(asked.filter(({ status }) => status !== 200)).toEqual([])
    const after = asked.filter(({ at }) => at > out + 50)
    expect(after.length).toBeGreaterThan(20)
    expect(after.filter(({ body }) => !body.includes('renamed'))).toEqual([])

    const remedy = {
      postgres: /itself\. Rebuild it/,
      mysql: /itself \(read_only is OFF\)\. Make it a replica/,
    }
    expect(gateway.log.of('server-out')).toMatchObject([
      { reason: expect.stringMatching(remedy[engine.kind]) },
    ])
    const metrics = parsePrometheus((await ask(`${gateway.admin}/metrics`)).body)
    const server = `{server="127.0.0.1:${standby.port}/forum"}`
    expect(metrics.get(`lookup_server_up${server}`)).toBe(0)
    expect(metrics.get(`lookup_server_outs_total${server}`)).toBe(1)

    const back = gateway.untilLogged('server-back', portOf(standby), 30_000)
    await standby.rebuild(primary)
    await back
    await rename(primary, 'twice')
    await expect.poll(async () => (await ask(`${gateway.url}/?${lookup}`)).body).toContain('twice')
  })
})

describe.for(enginesOfDay)('$name', (engine) => {
  const { cluster, rename } = useFreshCluster(engine)

  test.for([
    ['promoted', ({ standby }) => standby.promote()],
    ['started as a copy of the primary', ({ primary, standby }) => standby.rebuild(primary, false)],
  ] as const satisfies readonly (readonly [string, (cluster: Cluster) => Promise<void>])[])(
    'a server that was %s before the start is read only once the primary is down',
    async ([, make]) => {
      const { primary } = cluster()
      await make(cluster())
      await rename(primary, 'renamed')
      const gateway = await serveCluster(cluster(), patient)
      const lookups = async () => {
        const found: Awaited<ReturnType<typeof ask>>[] = []
        for (let time = 0; time < 30; time++) found.push(await ask(`${gateway.url}/?${lookup}`))
        return found
      }
      for (const { body } of await lookups()) expect(body).toContain('renamed')
      await expect.poll(() => gateway.log.of('server-out')).toMatchObject([isPromoted])
      await primary.kill()
      for (const { status } of await lookups()) expect(status).toBe(200)
    },
  )

  /** By its position: the standby gets ahead of the primary, or stays behind. */
  const byPositions = ['by any user', '', /does not have|too far behind/] as const
  const byReceiver = [
    'at once by a role that may see the receiver',
    'GRANT pg_read_all_stats TO reader',
    /follows another|does not have/,
  ] as const
  test.for(engine.kind === 'postgres' ? figure([byReceiver], [byPositions, byReceiver]) : [byPositions])(
    'a standby that follows a promoted one is found out %s',
    async ([, grant, reason]) => {
      const { primary, standby } = cluster()
      if (grant !== '') await primary.run(grant)
      const follower = await primary.startReplica()
      onTestFinished(() => follower.remove())
      await follower.untilCaughtUp(primary)
      await follower.follow(standby)
      const gateway = await serveCluster(cluster(), {
        ...patient,
        DATABASE_REPLICA_URLS: `${readerUrl(standby)},${readerUrl(follower)}`,
        ...(grant === '' ? { DATABASE_MAX_LAG: '1' } : {}),
      })
      const out = [standby, follower].map((server) => gateway.log.next('server-out', 15_000, portOf(server)))
      await standby.promote()
      await rename(primary, 'renamed')
      expect(await Promise.all(out)).toMatchObject([isPromoted, { reason: expect.stringMatching(reason) }])
      for (let time = 0; time < 20; time++)
        expect((await ask(`${gateway.url}/?${lookup}`)).body).toContain('renamed')
    },
  )

  test('a server of another history is named at the start, and used', async () => {
    const other = await startStranger(engine)
    onTestFinished(() => other.remove())
    const gateway = await serveCluster(cluster(), { ...patient, DATABASE_REPLICA_URLS: readerUrl(other) })
    const reason = { postgres: 'their system identifiers differ', mysql: 'no transaction in common' }
    const named = () => gateway.log.of('lag-unknown')
    await expect.poll(named).toMatchObject([
      {
        server: expect.stringContaining(portOf(other)),
        reason: expect.stringContaining(reason[engine.kind]),
      },
    ])
    await pause(1500)
    expect(named()).toHaveLength(1)
    expect(gateway.log.of('server-out')).toEqual([])
  })
})

/** A server with the same rows and another history. */
async function startStranger(engine: TestEngine): Promise<DatabaseServer> {
  if (engine.kind === 'postgres') {
    const { home, bin } = inject('postgres').programs
    const folder = mkdtempSync(join(home, 'other-'))
    giveAway(folder)
    const stranger = await PostgresServer.start(makePristine(folder, bin))
    await makeForum(postgresEngine, stranger)
    return stranger
  }
  // MariaDB distinguishes histories by the replication domain.
  const flavour = engine.name === 'MariaDB' ? 'mariadb' : 'mysql'
  const domain = flavour === 'mariadb' ? ['--gtid-domain-id=7'] : []
  const source = await MysqlServer.startPrimary(flavour, domain)
  onTestFinished(() => source.remove())
  await makeForum(engine, source)
  const stranger = await source.startReplica(domain)
  await stranger.untilCaughtUp(source)
  return stranger
}
