// What a node of Galera says of itself, and what servers say that are none.

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Observation } from '../../../src/observation.ts'
import { readNode } from '../../../src/stores/mysql/galera.ts'
import { openStore } from '../../../src/stores/open-store.ts'
import { makeTables } from '../../../src/stores/transfer.ts'
import { putFarAway } from '../../kit/distance.ts'
import { locate } from '../../kit/mysql/database.ts'
import { desync, GaleraCluster, hasGalera, leave, refuse, statusOf } from '../../kit/mysql/galera.ts'
import { flavours, hasServer } from '../../kit/mysql/programs.ts'
import { MysqlServer } from '../../kit/mysql/server.ts'
import { isStall } from '../../kit/stalls.ts'

const cluster = '8a40127a-e742-11f1-aa86-0fffd33b51f8'

/** What a node says, in capitals as real ones do. */
function said(values: Readonly<Record<string, string>> = {}): string {
  const all = {
    ...{ reject_queries: 'NONE', last_committed: '12', local_state: '4', cluster_state_uuid: cluster },
    ...{ cluster_status: 'Primary', ready: 'ON', ...values },
  }
  return Object.entries(all)
    .map(([name, value]) => `WSREP_${name.toUpperCase()}=${value}`)
    .join()
}

describe('a node', () => {
  test('that is synced is fit', () => {
    expect(readNode(said())).toEqual({ cluster, position: 12, trouble: null })
  })

  test.for([
    ['has no quorum', { cluster_status: 'non-Primary', local_state: '0', ready: 'OFF' }, 'non-Primary', true],
    ['has no quorum, and is ready yet', { cluster_status: 'non-Primary' }, 'non-Primary', true],
    ['has left its cluster', { cluster_status: 'Disconnected', ready: 'OFF' }, 'left its cluster', true],
    ['is joining', { local_state: '1', ready: 'OFF' }, 'wsrep_local_state is 1', true],
    ['is a donor', { local_state: '2' }, 'wsrep_local_state is 2', false],
    ['has joined', { local_state: '3' }, 'catching up (wsrep_local_state is 3)', false],
    ['refuses queries', { reject_queries: 'ALL_KILL' }, 'wsrep_reject_queries is ALL_KILL', false],
  ] as const)('that %s is not', ([, values, reason, isApart]) => {
    expect(readNode(said(values))).toEqual({
      cluster,
      position: isApart ? null : 12,
      trouble: { reason: expect.stringContaining(reason), isApart },
    })
  })

  test.for(['', '00000000-0000-0000-0000-000000000000'])('may know no cluster yet: "%s"', (unknown) => {
    expect(readNode(said({ cluster_state_uuid: unknown }))).toMatchObject({ cluster: null })
  })
})

async function watch(url: string, settings = {}) {
  const seen: Observation[] = []
  const store = await openStore({ ...locate(url), ...settings }, (one) => seen.push(one))
  onTestFinished(() => store.close())
  return { store, of: (type: Observation['type']) => seen.filter((one) => one.type === type) }
}

describe.for(flavours.filter(hasServer))('%s, which is no node', (flavour) => {
  let server: MysqlServer
  beforeAll(async () => {
    // It would be one with a provider.
    server = await MysqlServer.start(
      flavour,
      flavour === 'mariadb' ? ['--wsrep-on=ON', '--binlog-format=ROW'] : [],
    )
    await server.run('CREATE DATABASE forum; CREATE USER reader; GRANT SELECT ON forum.* TO reader')
    await makeTables(locate(server.url('forum')))
  })
  afterAll(() => server.remove())

  test('is used, and DATABASE_DIRTY_READS is said to have no effect', async () => {
    const url = server.url('forum', 'reader')
    const { store, of } = await watch(url, { dirtyReads: true })
    expect(await store.findUsers('ID', ['1'])).toEqual([null])
    expect(of('server-warning')).toMatchObject([
      { reason: 'DATABASE_DIRTY_READS=on has no effect: the server is not a Galera node' },
    ])
    expect((await watch(url)).of('server-warning')).toEqual([])
  })

  test.runIf(flavour === 'mariadb').for([false, true])(
    'is used though it was built without Galera, with dirty reads: %s',
    async (dirtyReads) => {
      // What it is asked of Galera goes by names that it does not know.
      const port = await putFarAway(server.port, 0, ['wsrep_', 'wsrex_'])
      const url = server.url('forum', 'reader').replace(String(server.port), String(port))
      const { store, of } = await watch(url, { dirtyReads, replicas: [url] })
      for (const until = performance.now() + 1500; performance.now() < until; )
        expect(await store.findUsers('ID', ['1'])).toEqual([null])
      expect(of('server-warning')).toHaveLength(dirtyReads ? 2 : 0)
      for (const trouble of ['store-failed', 'store-retried', 'server-out'] as const)
        expect(of(trouble).filter((one) => !isStall(one))).toEqual([])
    },
  )
})

describe.runIf(hasGalera())('a lone node', () => {
  let alone: GaleraCluster
  let node: MysqlServer
  beforeAll(async () => {
    alone = await GaleraCluster.startAlone(async (server) => {
      await server.run('CREATE DATABASE forum; CREATE USER reader; GRANT SELECT ON forum.* TO reader')
      await makeTables(locate(server.url('forum')))
    })
    node = alone.nodes[0] ?? node
  })
  afterAll(() => alone.remove())

  test('waits for no other node, whatever its own setting is', async () => {
    await node.run('SET GLOBAL wsrep_sync_wait = 1')
    const waits = () => statusOf(node, 'causal_reads')
    const { store } = await watch(node.url('forum', 'reader'))
    const before = await waits()
    expect(await store.findUsers('ID', ['1'])).toEqual([null])
    expect(await waits()).toBe(before)
    await node.run('SELECT 1 FROM users', 'forum')
    expect(await waits()).not.toBe(before)
    await node.run('SET GLOBAL wsrep_sync_wait = 0')
  })

  test.for([
    ['a donor is read from where nothing else is', false, desync, /^it is a donor/],
    ['one that refuses queries is not', false, refuse, /^it refuses all queries .*wsrep_reject_queries/],
    [
      'one that has left its cluster is not',
      false,
      leave,
      /^it has left its cluster .*Disconnected.* restart the server/,
    ],
    ['one that refuses queries is, with dirty reads', true, refuse, /^it refuses all queries/],
  ] as const)('%s', async ([what, dirtyReads, change, reason]) => {
    const { store, of } = await watch(node.url('forum', 'reader'), { dirtyReads })
    expect(of('server-warning')).toEqual([])
    await change(node, true)
    await expect.poll(() => of('server-out')).toMatchObject([{ reason: expect.stringMatching(reason) }])
    const answer = store.findUsers('ID', ['1'])
    if (what.endsWith('is not')) await expect(answer).rejects.toMatchObject({ code: 'Unavailable' })
    else expect(await answer).toEqual([null])
    await change(node, false)
    await expect.poll(() => of('server-back')).toHaveLength(1)
    expect(await store.findUsers('ID', ['1'])).toEqual([null])
  })
})
