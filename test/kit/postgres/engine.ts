import { inject } from 'vitest'
import { postgres } from '../../../src/stores/postgres/engine.ts'
import type { TestEngine } from '../engine.ts'
import { locate, makeDatabase } from './database.ts'
import { PostgresServer } from './server.ts'
import { words } from './words.ts'

export const postgresEngine: TestEngine = {
  name: 'PostgreSQL',
  kind: 'postgres',
  engine: postgres,
  words,
  locate,
  openDatabases: async () => ({ make: () => makeDatabase(), close: async () => {} }),
  watchLookups:
    async ({ run }, table, column) =>
    async () => {
      const asked = await run(
        `SELECT FROM pg_stat_activity WHERE query LIKE '%FROM ${table} WHERE ${column} = ANY%'
         AND datname = current_database() AND pid <> pg_backend_pid()`,
      )
      return asked.length > 0
    },
  startServer: ({ maxConnections = 100, addresses = ['127.0.0.1'] } = {}) =>
    PostgresServer.start(
      inject('postgres').programs,
      undefined,
      `max_connections = ${maxConnections}\nlisten_addresses = '${addresses}'\n`,
    ),
  startPair: async () => {
    const primary = await PostgresServer.start(inject('postgres').programs)
    return [primary, await primary.startReplica()]
  },
}
