// How far a replica of MySQL is behind: with and without identifiers of transactions, over real servers.
// Servers of MariaDB always have identifiers.

import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { makeTables } from '../../../src/stores/transfer.ts'
import { watchStore } from '../../kit/engines.ts'
import { locate, MysqlServer } from '../../kit/mysql/server.ts'

const flags = ['--gtid-mode=OFF', '--enforce-gtid-consistency=OFF']
describe('MySQL without identifiers of transactions', () => {
  let primary: MysqlServer
  let replica: MysqlServer
  beforeAll(async () => {
    primary = await MysqlServer.startPrimary('mysql', flags)
    replica = await primary.startReplica(flags)
    await primary.run(
      `CREATE DATABASE forum; CREATE USER reader; GRANT SELECT ON forum.* TO reader;
       CREATE USER watcher; GRANT SELECT ON forum.* TO watcher; GRANT REPLICATION CLIENT ON *.* TO watcher`,
    )
    await makeTables(locate(primary.url('forum')))
    await primary.run(`INSERT INTO apps VALUES (1, 'T', '1.0.0', 1, 'x', 'x/1/')`, 'forum')
    const isThere = async () => expect(await replica.run('SELECT id FROM apps', 'forum')).toEqual([[1]])
    await vi.waitFor(isThere, 15_000)
  })
  afterAll(async () => {
    await replica.remove()
    await primary.remove()
  })
  const watch = (user: string) =>
    watchStore({ ...locate(primary.url('forum', user), replica.url('forum', user)), maxLag: 1 })

  test('a replica that applies nothing is out until it does', async () => {
    const { of } = await watch('watcher')
    await replica.apply(false)
    await primary.run(`INSERT INTO apps VALUES (2, 'T', '1.0.0', 1, 'x', 'x/1/')`, 'forum')
    const reason = expect.stringMatching(
      /too far behind the primary .* Check whether replication has stopped/,
    )
    const out = { server: `127.0.0.1:${replica.port}/forum`, reason }
    await expect.poll(() => of('server-out'), { timeout: 10_000 }).toMatchObject([out])
    await replica.apply(true)
    await expect.poll(() => of('server-back'), { timeout: 10_000 }).toHaveLength(1)
    expect(of('lag-unknown')).toEqual([])
  })

  test('if the user may not ask, the log has the missing right once, and the replica is used', async () => {
    const { store, of } = await watch('reader')
    expect(await store.findApps(['1'])).toMatchObject([{ title: 'T' }])
    const reason = expect.stringMatching(/REPLICATION CLIENT.*Grant/)
    await expect.poll(() => of('lag-unknown')).toMatchObject([{ reason }])
    expect(of('server-out')).toEqual([])
  })
})

test('transactions of a MySQL replica itself do not hide its lag', async () => {
  const primary = await MysqlServer.startPrimary('mysql')
  onTestFinished(() => primary.remove())
  const replica = await primary.startReplica()
  onTestFinished(() => replica.remove())
  await primary.run('CREATE DATABASE forum')
  await makeTables(locate(primary.url('forum')))
  await vi.waitFor(async () => expect(await replica.run('SELECT id FROM apps', 'forum')).toEqual([]), 15_000)
  await replica.run('CREATE USER a; CREATE USER b; CREATE USER c')
  const { of } = await watchStore({ ...locate(primary.url('forum'), replica.url('forum')), maxLag: 1 })
  await replica.apply(false)
  await primary.run(`INSERT INTO apps VALUES (1, 'T', '1.0.0', 1, 'x', 'x/1/')`, 'forum')
  const reason = expect.stringMatching(/too far behind the primary/)
  await expect.poll(() => of('server-out'), { timeout: 10_000 }).toMatchObject([{ reason }])
  await replica.apply(true)
  await expect.poll(() => of('server-back'), { timeout: 10_000 }).toHaveLength(1)
})
