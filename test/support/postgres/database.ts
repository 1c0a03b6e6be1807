import pg from 'pg'
import { inject } from 'vitest'
import type { PostgresLocation } from '../../../src/settings.ts'

export interface TestDatabase {
  readonly url: string
  readonly location: PostgresLocation
  /** Runs SQL as the superuser. @returns the rows of the last statement, booleans as 0 or 1 and integers as numbers */
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
