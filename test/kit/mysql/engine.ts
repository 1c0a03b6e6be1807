import { onTestFinished } from 'vitest'
import { mysql } from '../../../src/stores/mysql/engine.ts'
import type { TestEngine, Words } from '../engine.ts'
import { type Flavour, nameOf } from './programs.ts'
import { locate, MysqlServer } from './server.ts'

// Replication has sessions, too.
const others = `db = database() AND id <> connection_id() AND user <> 'system user'`

const words: Words = {
  parameter: () => '?',
  sessions: `SELECT id FROM information_schema.processlist WHERE ${others}`,
  asking: (pattern) =>
    `SELECT id FROM information_schema.processlist WHERE info LIKE '${pattern}' AND ${others}`,
  endSession: (id) => `KILL ${id}`,
  lock: (tables) => `LOCK TABLES ${tables.map((table) => `${table} WRITE`)}`,
  unlock: 'UNLOCK TABLES',
  // A statement that is interrupted within a function fails. SLEEP alone would have a value.
  slowUsers: (seconds) => ({
    begin: `
      CREATE FUNCTION show_user() RETURNS int NO SQL RETURN sleep(${seconds});
      CREATE TABLE all_users LIKE users;
      CREATE VIEW shown AS SELECT id, if(show_user() = 0, username, '') AS username, username_key, chat_id,
        display_name, \`rank\`, join_date, is_confirmed, banned FROM all_users;
      RENAME TABLE all_users TO nobody, users TO all_users, shown TO users;
      DROP TABLE nobody`,
    end: 'RENAME TABLE users TO shown, all_users TO users; DROP VIEW shown; DROP FUNCTION show_user',
  }),
  makeReader: 'CREATE USER reader; GRANT SELECT ON * TO reader',
}

export function mysqlEngine(flavour: Flavour): TestEngine {
  return {
    name: nameOf[flavour],
    kind: 'mysql',
    engine: mysql,
    words,
    locate,
    shared: () => MysqlServer.shared(flavour),
    watchLookups: async ({ run }, table, column) => {
      await run(`SET GLOBAL log_output = 'TABLE', general_log = ON`)
      onTestFinished(async () => {
        await run('SET GLOBAL general_log = OFF')
      })
      return async () => {
        // The check at the start is limited to no row.
        const asked = await run(
          `SELECT 1 FROM mysql.general_log WHERE argument LIKE '%FROM \`${table}\` WHERE \`${column}\` IN (%'
           AND argument NOT LIKE '%LIMIT 0%' AND argument NOT LIKE '%general_log%'
           AND thread_id IN (SELECT id FROM information_schema.processlist WHERE db = database())`,
        )
        return asked.length > 0
      }
    },
    startServer: ({ maxConnections = 100 } = {}) =>
      MysqlServer.start(flavour, [`--max-connections=${maxConnections}`, '--local-infile=ON']),
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
