import { postgres } from '../../../src/stores/postgres/engine.ts'
import type { TestEngine, Words } from '../engine.ts'
import { locate, showUsernamesBy } from './database.ts'
import { PostgresServer } from './server.ts'

const words: Words = {
  parameter: (index) => `$${index + 1}`,
  sessions: `SELECT pid FROM pg_stat_activity
    WHERE application_name = 'lookup-service' AND datname = current_database()`,
  asking: (pattern) => `SELECT pid FROM pg_stat_activity
    WHERE query LIKE '${pattern}' AND state = 'active' AND datname = current_database()
    AND pid <> pg_backend_pid()`,
  endSession: (id) => `SELECT pg_terminate_backend(${id})`,
  sessionId: 'pg_backend_pid()',
  sleep: (seconds, value = '1') => `SELECT ${value} FROM pg_sleep(${seconds})`,
  lock: (tables) => `BEGIN; LOCK TABLE ${tables}`,
  unlock: 'COMMIT',
  slowUsers: (seconds) => showUsernamesBy(`PERFORM pg_sleep(${seconds}); RETURN $1;`),
  failingUsers: (message) => showUsernamesBy(`RAISE '${message}';`),
  failure: 'P0001',
  makeReader: `CREATE ROLE reader LOGIN; ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO reader`,
}

export const postgresEngine: TestEngine = {
  name: 'PostgreSQL',
  kind: 'postgres',
  engine: postgres,
  words,
  locate,
  shared: () => PostgresServer.shared(),
  watchLookups:
    async ({ run }, table, column) =>
    async () => {
      const asked = await run(
        `SELECT FROM pg_stat_activity WHERE query LIKE '%FROM ${table} WHERE ${column} = ANY%'
         AND datname = current_database() AND pid <> pg_backend_pid()`,
      )
      return asked.length > 0
    },
  startServer: ({ maxConnections = 100 } = {}) =>
    PostgresServer.start(undefined, undefined, `max_connections = ${maxConnections}\n`),
  startPair: async () => {
    const primary = await PostgresServer.start()
    return [primary, await primary.startReplica()]
  },
}
