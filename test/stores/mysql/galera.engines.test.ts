// How a node of Galera is read, and a server that is no node.

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Observation } from '../../../src/observation.ts'
import { openStore } from '../../../src/stores/open-store.ts'
import { makeTables } from '../../../src/stores/transfer.ts'
import { putFarAway } from '../../kit/distance.ts'
import { locate } from '../../kit/mysql/database.ts'
import { desync, GaleraCluster, hasGalera, leave, refuse, statusOf } from '../../kit/mysql/galera.ts'
import { flavours, hasServer } from '../../kit/mysql/programs.ts'
import { MysqlServer } from '../../kit/mysql/server.ts'
import { isStall } from '../../kit/stalls.ts'

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
