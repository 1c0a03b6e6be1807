// How a node of Galera is read, and a server that is no node.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeTables } from '../../../src/stores/transfer.ts'
import { putFarAway } from '../../kit/distance.ts'
import { openDatabase, useServer, watchStore } from '../../kit/engines.ts'
import { mysqlEngine } from '../../kit/mysql/engine.ts'
import { desync, GaleraCluster, leave, refuse, statusOf } from '../../kit/mysql/galera.ts'
import { flavours } from '../../kit/mysql/programs.ts'
import { locate, MysqlServer } from '../../kit/mysql/server.ts'
import { range, user } from '../import-data.ts'
import { importUsers } from '../servers/import-target.ts'

async function makeEmptyForum(server: MysqlServer): Promise<void> {
  await server.run('CREATE DATABASE forum; CREATE USER reader; GRANT SELECT ON forum.* TO reader')
  await makeTables(locate(server.url('forum')))
}

test.for(flavours)('%s that is no node is used', async (flavour) => {
  const { url, name, run } = await openDatabase(mysqlEngine(flavour), ({ location }) => makeTables(location))
  await run(`CREATE USER ${name}; GRANT SELECT ON ${name}.* TO ${name}`)
  const location = locate(url.replace('root@', `${name}@`))
  const { store, of } = await watchStore(location)
  expect(await store.findUsers('ID', ['1'])).toEqual([null])
  expect(of('server-warning')).toEqual([])
})

describe('MariaDB that would be a node with a provider', () => {
  const flags = ['--wsrep-on=ON', '--binlog-format=ROW']
  const server = useServer(() => MysqlServer.start('mariadb', flags), makeEmptyForum)

  test.for([
    ['', null],
    // The variables of Galera are renamed on their way, so that the server does not know them.
    [' that was built without Galera', ['wsrep_', 'wsrex_']],
  ] as const)('is used as a server%s', async ([, renamed]) => {
    const port = await putFarAway(server().port, 0, renamed)
    const url = server().url('forum', 'reader').replace(String(server().port), String(port))
    const { store, of } = await watchStore(locate(url, url))
    for (const until = performance.now() + 1500; performance.now() < until; )
      expect(await store.findUsers('ID', ['1'])).toEqual([null])
    expect(of('server-warning')).toEqual([])
    expect(of('store-failed', 'server-out')).toEqual([])
    // A busy machine may delay a server for as long as that.
    const late = { reason: expect.stringMatching(/^no response within 150 ms/) }
    const retried = of('store-retried')
    expect(retried).toEqual(retried.map(() => expect.objectContaining(late)))
  })
})

describe('a lone node', () => {
  let alone: GaleraCluster
  let node: MysqlServer
  beforeAll(async () => {
    alone = await GaleraCluster.startAlone(makeEmptyForum)
    node = alone.nodes[0] ?? node
  })
  afterAll(() => alone.remove())

  test('is filled, and rows that clash are named', async () => {
    await node.run('SET GLOBAL wsrep_load_data_splitting = ON, wsrep_max_ws_rows = 0')
    const database = { location: locate(node.url('forum')) }
    const rows = range(1, 2000).map((id) => user(id))
    for (const replace of [false, true]) {
      const { complaints } = await importUsers(database, [...rows, user(7)], replace)
      expect(complaints.filter((complaint) => complaint !== null)).toEqual(['another user has this id'])
    }
    await node.run('DELETE FROM users', 'forum')
  })

  test('waits for no other node, whatever its own setting is', async () => {
    await node.run('SET GLOBAL wsrep_sync_wait = 1')
    const waits = () => statusOf(node, 'causal_reads')
    const { store } = await watchStore(locate(node.url('forum', 'reader')))
    const before = await waits()
    expect(await store.findUsers('ID', ['1'])).toEqual([null])
    expect(await waits()).toBe(before)
    await node.run('SELECT 1 FROM users', 'forum')
    expect(await waits()).not.toBe(before)
    await node.run('SET GLOBAL wsrep_sync_wait = 0')
  })

  test.for([
    ['a donor is read from where nothing else is', desync, /^it is a donor/],
    ['one that refuses queries is not', refuse, /^it refuses all queries .*wsrep_reject_queries/],
    ['one that has left its cluster is not', leave, /^it has left its cluster .*Disconnected/],
  ] as const)('%s', async ([what, change, reason]) => {
    const { store, of } = await watchStore(locate(node.url('forum', 'reader')))
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
