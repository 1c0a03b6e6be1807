// How far a replica is behind, as real servers say it.

import { createConnection } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Observation } from '../../../src/observation.ts'
import { openStore } from '../../../src/stores/open-store.ts'
import { makeTables } from '../../../src/stores/transfer.ts'
import { locate } from '../../kit/mysql/database.ts'
import { flavours, hasServer } from '../../kit/mysql/programs.ts'
import { MysqlServer } from '../../kit/mysql/server.ts'

describe.for(flavours.filter(hasServer))('%s', (flavour) => {
  let primary: MysqlServer
  let replica: MysqlServer
  beforeAll(async () => {
    // Without identifiers of transactions; MariaDB always has them.
    const flags = flavour === 'mysql' ? ['--gtid-mode=OFF', '--enforce-gtid-consistency=OFF'] : []
    primary = await MysqlServer.startPrimary(flavour, flags)
    replica = await primary.startReplica(flags)
    await primary.run(
      `CREATE DATABASE forum; CREATE USER reader; GRANT SELECT ON forum.* TO reader;
       CREATE USER watcher; GRANT SELECT ON forum.* TO watcher;
       GRANT ${flavour === 'mysql' ? 'REPLICATION CLIENT' : 'SLAVE MONITOR'} ON *.* TO watcher`,
    )
    await makeTables(locate(primary.url('forum')))
    await vi.waitFor(async () => expect(await replica.run('SHOW TABLES', 'forum')).toHaveLength(2), 15_000)
  })
  afterAll(async () => {
    await replica.remove()
    await primary.remove()
  })

  test('the seconds are where they are looked for', async () => {
    const client = await createConnection({ host: '127.0.0.1', port: replica.port, user: 'watcher' })
    onTestFinished(() => client.end())
    const [, fields] = await client.query('SHOW REPLICA STATUS')
    expect(fields[32]?.name).toMatch(/^Seconds_Behind_(?:Source|Master)$/)
  })

  async function observe(user: string) {
    const seen: Observation[] = []
    const location = { ...locate(primary.url('forum', user), replica.url('forum', user)), maxLag: 1 }
    const store = await openStore(location, (one) => seen.push(one))
    onTestFinished(() => store.close())
    return { store, of: (type: Observation['type']) => seen.filter((one) => one.type === type) }
  }

  test('a replica that applies nothing is left out until it does', async () => {
    const { of } = await observe('watcher')
    await replica.apply(false)
    await primary.run(`INSERT INTO apps VALUES (1, 'T', '1.0.0', 1, 'x', 'x/1/')`, 'forum')
    await expect
      .poll(() => of('server-out'), { timeout: 10_000 })
      .toMatchObject([
        {
          server: `127.0.0.1:${replica.port}/forum`,
          reason: expect.stringMatching(
            /too far behind the primary .* Check whether replication has stopped/,
          ),
        },
      ])
    await replica.apply(true)
    await expect.poll(() => of('server-back'), { timeout: 10_000 }).toHaveLength(1)
    expect(of('lag-unknown')).toEqual([])
  })

  test.runIf(flavour === 'mysql')(
    'a user that may not ask is told so, once, and the replica is used',
    async () => {
      const { store, of } = await observe('reader')
      expect(await store.findApps(['1'])).toMatchObject([{ title: 'T' }])
      await expect
        .poll(() => of('lag-unknown'))
        .toMatchObject([{ reason: expect.stringMatching(/REPLICATION CLIENT.*Grant/) }])
      expect(of('server-out')).toEqual([])
    },
  )
})
