import { inject } from 'vitest'
import type { PostgresLocation } from '../../../src/database-location.ts'
import { limits, type RemovableOf, type Undoable } from '../engine.ts'
import { connect } from './client.ts'

export type TestDatabase = RemovableOf<PostgresLocation>

let made = 0

export function locate(url: string, ...replicas: readonly string[]): PostgresLocation {
  return { kind: 'postgres', url, peers: [], replicas, ...limits }
}

/** Makes an empty database in the server that all tests share. */
export async function makeDatabase(options = ''): Promise<TestDatabase> {
  const { port } = inject('postgres')
  const name = `test_${process.pid}_${++made}_${Date.now()}`
  const urlOf = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`
  async function administer(sql: string): Promise<void> {
    const administrator = await connect(urlOf('postgres'))
    await administrator.run(sql).finally(administrator.end)
  }
  await administer(`CREATE DATABASE ${name} ${options}`)
  const { run, end } = await connect(urlOf(name))
  return {
    url: urlOf(name),
    location: locate(urlOf(name)),
    run,
    connect: () => connect(urlOf(name)),
    remove: async () => {
      await end()
      await administer(`DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}

/**
 * SQL that makes `users` a view which passes each username it shows to a function, and SQL that undoes it.
 * What the gateway's probes ask for shows none.
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
