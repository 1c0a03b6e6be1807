import { postgres } from '../../../src/stores/postgres/engine.ts'
import type { TestEngine, Undoable, Words } from '../engine.ts'
import { locate, PostgresServer } from './server.ts'

/**
 * SQL that makes `users` a view which passes each username it shows to a function, and SQL that undoes it.
 * The gateway's probes find no rows.
 * @param body of the function, in PL/pgSQL; the username is `$1`
 */
export function showUsernamesBy(body: string): Undoable {
  return {
    begin: `
      ALTER TABLE users RENAME TO all_users;
      CREATE FUNCTION show(text) RETURNS text LANGUAGE plpgsql STABLE AS $$ BEGIN ${body} END $$;
      CREATE VIEW users AS SELECT id, show(username) AS username, username_key, chat_id, display_name, rank, join_date,
        is_confirmed, banned FROM all_users`,
    end: 'DROP VIEW users; DROP FUNCTION show(text); ALTER TABLE all_users RENAME TO users',
  }
}

const words: Words = {
  parameter: (index) => `$${index + 1}`,
  sessions: `SELECT pid FROM pg_stat_activity
    WHERE application_name = 'lookup-service' AND datname = current_database()`,
  asking: (pattern) => `SELECT pid FROM pg_stat_activity
    WHERE query LIKE '${pattern}' AND state = 'active' AND datname = current_database()
    AND pid <> pg_backend_pid()`,
  endSession: (id) => `SELECT pg_terminate_backend(${id})`,
  lock: (tables) => `BEGIN; LOCK TABLE ${tables}`,
  unlock: 'COMMIT',
  slowUsers: (seconds) => showUsernamesBy(`PERFORM pg_sleep(${seconds}); RETURN $1;`),
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
