// Nodes of Galera fail in every way, and no request fails while one node works. The rest of a cluster without
// quorum is not read.

import { setTimeout as pause } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { FORUM, makeForum, readerUrl } from '../kit/engines.ts'
import { figure, note } from '../kit/figures.ts'
import { type Asked, ask, percentile, startLoad } from '../kit/load.ts'
import { mysqlEngine } from '../kit/mysql/engine.ts'
import { desync, GaleraCluster, isolate, refuse } from '../kit/mysql/galera.ts'
import type { MysqlServer } from '../kit/mysql/server.ts'
import { type Gateway, portOf, serveSettings, statusOf } from './cluster.ts'

const addressOf = ({ port }: MysqlServer) => `127.0.0.1:${port}`

const fill = (server: MysqlServer) => makeForum(mysqlEngine('mariadb'), server)

/** One URL for all the nodes. */
function urlOfAll([first, ...others]: readonly MysqlServer[]): string {
  if (first === undefined) return ''
  return readerUrl(first).replace(addressOf(first), [first, ...others].map(addressOf).join())
}

/** The failed requests, with their time in milliseconds after a fault. */
function failuresOf(asked: readonly Asked[], fault: number): readonly string[] {
  const failed = asked.filter(({ status }) => status !== 200)
  return failed.map(({ at, status, body }) => `${Math.round(at - fault)} ms: ${status} ${body}`)
}

describe('of three nodes of Galera', () => {
  let cluster: GaleraCluster
  beforeAll(async () => {
    cluster = await GaleraCluster.start(fill)
  })
  afterAll(() => cluster?.remove())

  function serveNodes(settings: Readonly<Record<string, string>> = {}): Promise<Gateway> {
    return serveSettings({ DATABASE_URL: urlOfAll(cluster.nodes), ...settings })
  }
  /** The first node of the URL, and another one. */
  function twoNodes(): readonly [MysqlServer, MysqlServer] {
    const [first, second] = cluster.nodes
    if (first === undefined || second === undefined) throw new Error('the cluster has no nodes')
    return [first, second]
  }
  const nameOn = async (node: MysqlServer) => {
    const rows = await node.run('SELECT display_name FROM users WHERE id = 1', FORUM).catch(() => [])
    return rows[0]?.[0]
  }
  const rename = (node: MysqlServer, name: string) =>
    node.run(`UPDATE users SET display_name = '${name}' WHERE id = 1`, FORUM)

  interface Fault {
    readonly reason: RegExp
    readonly begin: (node: MysqlServer) => Promise<void>
    readonly end: (node: MysqlServer) => Promise<void>
  }
  const parted: Fault = {
    // A query may find out first, and its error has no reason.
    reason: /^it has no quorum|WSREP/,
    begin: (node) => isolate(node, true),
    end: (node) => isolate(node, false),
  }

  const all: readonly (readonly [what: string, fault: Fault])[] = [
    ['parted from the others', parted],
    ['killed', { reason: /ECONN|lost/, begin: (node) => node.kill(), end: (node) => cluster.rejoin(node) }],
    [
      'stopped',
      {
        // The reason depends on how far the stop has come at the next health check: the node may accept a
        // connection, and never respond.
        reason: /ECONN|lost|shutdown|quorum|left its cluster|not synced|^no (?:response|connection)/,
        begin: (node) => node.stop(),
        end: (node) => cluster.rejoin(node),
      },
    ],
    [
      'frozen',
      {
        reason: /^no response within/,
        begin: async (node) => node.freeze(),
        end: async (node) => node.thaw(),
      },
    ],
    [
      'desynced',
      {
        reason: /^it is a donor, or desynced/,
        begin: (node) => desync(node, true),
        end: (node) => desync(node, false),
      },
    ],
    [
      'told to refuse queries',
      {
        reason: /^it refuses all queries/,
        begin: (node) => refuse(node, true),
        end: (node) => refuse(node, false),
      },
    ],
  ]
  test.for(all.slice(0, figure(2, all.length)))(
    'one %s: no request fails, and it is used again',
    async ([what, fault], context) => {
      const { reason, begin, end } = fault
      const [node, other] = twoNodes()
      const gateway = await serveNodes()
      const load = startLoad(gateway.url)
      await pause(500)
      const out = gateway.log.next('server-out', 10_000, portOf(node))
      const began = load.now()
      let isEnded = false
      // The next test needs three nodes, even if this one fails.
      onTestFinished(async () => {
        if (!isEnded) await end(node)
      })
      await begin(node)
      expect((await out).reason).toMatch(reason)
      const noticed = load.now()
      // The others accept writes once they have noticed.
      await rename(other, 'changed')
      await pause(50)
      const changed = load.now()
      await pause(figure(1000, 6000))
      const ended = load.now()
      const back = gateway.log.next('server-back', 60_000, portOf(node)).then(load.now)
      isEnded = true
      await end(node)
      await expect.poll(() => nameOn(node), { timeout: 60_000 }).toBe('changed')
      const whole = load.now()
      const late = Math.max(0, (await back) - whole)
      await pause(500)
      const asked = await load.stop()
      await rename(other, 'Ada of the Hill')

      expect(failuresOf(asked, began)).toEqual([])
      expect(late).toBeLessThan(3000)
      const during = asked.filter(({ at }) => at >= began - 100 && at < ended).map(({ took }) => took)
      const p99 = percentile(during, 0.99)
      expect(p99).toBeLessThan(1000)
      // The node is not read while it is out, nor before it has caught up.
      const old = asked.filter(
        ({ at, body }) => at > changed && /"Id":1,/.test(body) && !/changed/.test(body),
      )
      expect(old.map(({ at }) => Math.round(at - ended))).toEqual([])
      note(context, {
        promise: 1,
        what: `Galera: a node ${what}: failed requests`,
        bound: '0, p99 ≤ 1 s',
        measured: `0 of ${asked.length}, p99 ${Math.round(p99)} ms, left out after ${Math.round(noticed - began)} ms`,
      })
    },
  )

  test('a node that is synced, and lags, is left out until it has caught up', async () => {
    const [node, other] = twoNodes()
    const gateway = await serveNodes({ DATABASE_MAX_LAG: '1' })
    const load = startLoad(gateway.url)
    const holder = await createConnection({
      host: '127.0.0.1',
      port: node.port,
      user: 'root',
      database: FORUM,
    })
    onTestFinished(() => holder.end())
    await pause(1500)
    // The lock stops replication to this node, and not its lookups.
    await holder.query('LOCK TABLES users READ')
    const out = gateway.log.next('server-out', 5000, portOf(node))
    await rename(other, 'changed')
    expect((await out).reason).toMatch(
      /too far behind the other nodes \(DATABASE_MAX_LAG\)\. Check whether .* a lock holds up changes/,
    )
    const noticed = load.now()
    await pause(500)
    const back = gateway.untilLogged('server-back', portOf(node), 5000)
    await holder.query('UNLOCK TABLES')
    await back
    await pause(200)
    const asked = await load.stop()
    await rename(other, 'Ada of the Hill')
    expect(asked.filter(({ status }) => status !== 200)).toEqual([])
    const late = asked.filter(({ at, body }) => at > noticed + 50 && /"Id":1,/.test(body))
    expect(late.length).toBeGreaterThan(100)
    expect(late.filter(({ body }) => !/changed/.test(body))).toEqual([])
  })

  test('a node that is started outside of the cluster is not read from, though it is the first', async () => {
    const [node, other] = twoNodes()
    const gateway = await serveNodes()
    const load = startLoad(gateway.url, { clients: 4 })
    await node.stop()
    await rename(other, 'changed')
    await pause(50)
    const changed = load.now()
    // Like an operator who investigates a problem.
    await node.restart([])
    const reasons = () => gateway.log.of('server-out').map(({ reason }) => reason)
    await expect
      .poll(reasons, { timeout: 5000 })
      .toContainEqual(
        expect.stringMatching(
          /^it is not in the cluster of most hosts.* Start it as a node of their cluster/,
        ),
      )
    const later = await serveNodes()
    for (let time = 0; time < 20; time++)
      expect((await ask(`${later.url}/?Event=ProfileLookup&Users=1`)).body).toMatch(/changed/)
    await pause(1500)
    const asked = await load.stop()
    const [out, all] = [gateway.log.of('server-out'), asked.filter(({ at }) => at > changed)]
    await cluster.rejoin(node)
    await rename(other, 'Ada of the Hill')
    expect(failuresOf(asked, 0)).toEqual([])
    expect(all.length).toBeGreaterThan(100)
    expect(all.filter(({ body }) => /"Id":1,/.test(body) && !/changed/.test(body))).toEqual([])
    // The other nodes stay in use.
    expect(out.filter(({ server }) => !String(server).includes(portOf(node)))).toEqual([])
  })

  test('a survivor without quorum is not read, until the operator gives it one', async (context) => {
    const [node, ...others] = cluster.nodes
    if (node === undefined) throw new Error('the cluster has no nodes')
    const gateway = await serveNodes()
    const load = startLoad(gateway.url, { clients: 8 })
    await pause(500)
    const out = gateway.log.next('server-out', 20_000, portOf(node))
    for (const other of others) await other.kill()
    expect((await out).reason).toMatch(
      /^it has no quorum \(wsrep_cluster_status is non-Primary\)\. Check .*pc\.bootstrap=YES|WSREP/,
    )
    const noticed = load.now()
    expect(gateway.shown.Data).toBe(`${addressOf(node)}/${FORUM}, and 2 other nodes`)
    await pause(2000)
    // A simple query still works.
    expect(await node.run('SELECT 1')).toEqual([[1]])
    expect(await statusOf(`${gateway.admin}/ready`)).toBe(503)
    expect((await ask(`${gateway.admin}/metrics`)).body).toMatch(
      new RegExp(`lookup_server_up\\{.*${portOf(node)}.*\\} 0`),
    )
    const mended = load.now()
    const back = gateway.untilLogged('server-back', portOf(node), 5000)
    await node.run(`SET GLOBAL wsrep_provider_options = 'pc.bootstrap=YES'`)
    await back
    const recovered = load.now()
    await pause(500)
    const asked = await load.stop()

    const outage = asked.filter(({ at, took }) => at > noticed && at + took < mended)
    expect(outage.length).toBeGreaterThan(100)
    const outcomes = outage.map(({ status, body }) => `${status} ${/Unavailable/.test(body)}`)
    expect(new Set(outcomes)).toEqual(new Set(['503 true']))
    const later = asked.filter(({ at }) => at > recovered + 100)
    expect(new Set(later.map(({ status }) => status))).toEqual(new Set([200]))
    const what = 'Galera: recovery of a survivor without quorum'
    note(context, { promise: 2, what, bound: '1 s', measured: `${Math.round(recovered - mended)} ms` })
  })
})
