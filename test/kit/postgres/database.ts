import type { TestDatabase } from '../database-server.ts'
import type { Undoable } from '../engine.ts'
import { PostgresServer } from './server.ts'

export { locate } from './server.ts'

/** Makes an empty database in the server that all tests share. */
export async function makeDatabase(options = ''): Promise<TestDatabase> {
  const server = await PostgresServer.shared()
  return server.makeDatabase(options)
}

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
