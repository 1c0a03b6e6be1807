import { onTestFinished } from 'vitest'
import { mysql } from '../../../src/stores/mysql/engine.ts'
import type { TestEngine } from '../engine.ts'
import { locate, makeDatabase } from './database.ts'
import { type Flavour, nameOf } from './programs.ts'
import { MysqlServer } from './server.ts'
import { words } from './words.ts'

export function mysqlEngine(flavour: Flavour): TestEngine {
  return {
    name: nameOf[flavour],
    kind: 'mysql',
    engine: mysql,
    words,
    locate,
    openDatabases: async () => {
      const server = await MysqlServer.start(flavour, ['--local-infile=ON'])
      return { make: () => makeDatabase(server), close: () => server.remove() }
    },
    watchLookups: async ({ run }, table, column) => {
      await run(`SET GLOBAL log_output = 'TABLE', general_log = ON`)
      onTestFinished(async () => {
        await run('SET GLOBAL general_log = OFF')
      })
      return async () => {
        // The check at the start is limited to no row.
        const asked = await run(
          `SELECT 1 FROM mysql.general_log WHERE argument LIKE '%FROM \`${table}\` WHERE \`${column}\` IN (%'
           AND argument NOT LIKE '%LIMIT 0%' AND argument NOT LIKE '%general_log%'`,
        )
        return asked.length > 0
      }
    },
    startServer: ({ maxConnections = 100, addresses = ['127.0.0.1'] } = {}) =>
      MysqlServer.start(flavour, [
        `--max-connections=${maxConnections}`,
        `--bind-address=${addresses}`,
        '--local-infile=ON',
      ]),
    startPair: async () => {
      // At the same time: MySQL takes more than a second.
      const [primary, standby] = await Promise.all([
        MysqlServer.startPrimary(flavour),
        MysqlServer.prepareReplica(flavour),
      ])
      await standby.follow(primary)
      return [primary, standby]
    },
  }
}
