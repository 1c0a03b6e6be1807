// Servers of MariaDB and MySQL that accept writes, or have nothing of the primary.

import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeForum, readerUrl } from '../../kit/engines.ts'
import { mysqlEngine } from '../../kit/mysql/engine.ts'
import { flavours, hasServer, nameOf } from '../../kit/mysql/programs.ts'
import { MysqlServer } from '../../kit/mysql/server.ts'
import { portOf, serveCluster, useCluster } from '../cluster.ts'

describe.for(flavours.filter(hasServer).map((flavour) => [nameOf[flavour], flavour] as const))(
  '%s',
  ([, flavour]) => {
    const engine = mysqlEngine(flavour)
    const cluster = useCluster(engine)

    test('a replica that accepts writes is left out until it does not', async () => {
      const { standby } = cluster()
      const gateway = await serveCluster(cluster())
      const out = gateway.log.next('server-out', 3500, portOf(standby))
      await standby.run('SET GLOBAL read_only = OFF')
      expect(await out).toMatchObject({
        reason: expect.stringMatching(/accepts writes itself \(read_only is OFF\)\. Make it a replica/),
      })
      const back = gateway.untilLogged('server-back', portOf(standby), 5000)
      await standby.run('SET GLOBAL read_only = ON')
      await back
    })

    test('a server without a transaction of the primary is named at the start, and used', async () => {
      // Those of MariaDB are told apart by their replication domain.
      const domain = flavour === 'mariadb' ? ['--gtid-domain-id=7'] : []
      const elsewhere = await MysqlServer.startPrimary(flavour, domain)
      onTestFinished(() => elsewhere.remove())
      await makeForum(engine, elsewhere)
      const other = await elsewhere.startReplica(domain)
      onTestFinished(() => other.remove())
      await other.untilCaughtUp(elsewhere)
      const gateway = await serveCluster(cluster(), { DATABASE_REPLICA_URLS: readerUrl(other) })
      const named = () => gateway.log.of('lag-unknown')
      await expect.poll(named).toMatchObject([
        {
          server: expect.stringContaining(portOf(other)),
          reason: expect.stringContaining('no transaction in common'),
        },
      ])
      await pause(2500)
      expect(named()).toHaveLength(1)
      expect(gateway.log.of('server-out')).toEqual([])
    })
  },
)
