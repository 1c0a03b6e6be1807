import pg from 'pg'
import { inject } from 'vitest'
import type { PostgresLocation } from '../../../src/settings.ts'

export interface TestDatabase {
  readonly url: string
  readonly location: PostgresLocation
  /**
   * Runs SQL as the superuser. @returns the rows of the last statement, booleans as 0 or 1 and integers as
   * numbers
   */
  readonly run: (sql: string, values?: readonly unknown[]) => Promise<unknown[][]>
  readonly remove: () => Promise<void>
}

let made = 0

export const limits = { connections: 4, timeout: 1000, maxLag: 10 } as const

export function locate(url: string, ...replicas: readonly string[]): PostgresLocation {
  return { kind: 'postgres', url, replicas, ...limits }
}

/** Makes an empty database in the server that all tests share. */
export async function makeDatabase(options = ''): Promise<TestDatabase> {
  const { port } = inject('postgres')
  const name = `test_${process.pid}_${++made}_${Date.now()}`
  const urlOf = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`
  async function administer(sql: string): Promise<void> {
    const administrator = new pg.Client(urlOf('postgres'))
    await administrator.connect()
    await administrator.query(sql).finally(() => administrator.end())
  }
  await administer(`CREATE DATABASE ${name} ${options}`)
  const client = new pg.Client({ connectionString: urlOf(name), types: { getTypeParser } })
  client.on('error', () => {})
  await client.connect()
  return {
    url: urlOf(name),
    location: locate(urlOf(name)),
    run: async (text, values) => {
      const result: unknown = await client.query({
        text,
        rowMode: 'array',
        ...(values && { values: [...values] }),
      })
      const last = Array.isArray(result) ? result.at(-1) : result
      return last.rows
    },
    remove: async () => {
      await client.end()
      await administer(`DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}

// As an import has them.
function getTypeParser(oid: number): (text: string) => unknown {
  if (oid === 16) return (text) => Number(text === 't')
  return oid === 20 || oid === 21 || oid === 23 ? Number : (text) => text
}

/**
 * SQL that makes `users` a view which passes each username it shows to a function, and SQL that undoes it.
 * What the gateway's probes ask for shows none.
 * @param body of the function, in PL/pgSQL; the username is `$1`
 */
export function showUsernamesBy(body: string): { readonly begin: string; readonly end: string } {
  return {
    begin: `
      ALTER TABLE users RENAME TO all_users;
      CREATE FUNCTION show(text) RETURNS text LANGUAGE plpgsql STABLE AS $$ BEGIN ${body} END $$;
      CREATE VIEW users AS SELECT id, show(username) AS username, username_key, chat_id, display_name, rank, join_date,
        is_confirmed, banned FROM all_users`,
    end: 'DROP VIEW users; DROP FUNCTION show(text); ALTER TABLE all_users RENAME TO users',
  }
}
