import pg from 'pg'
import type { Client } from '../database-server.ts'

/** Connects to a PostgreSQL server. Booleans come as 0 or 1, and integers as numbers. */
export async function connect(connectionString: string): Promise<Client> {
  const client = new pg.Client({ connectionString, types: { getTypeParser } })
  client.on('error', () => {})
  await client.connect()
  return {
    run: async (text, values) => {
      const result: unknown = await client.query({
        text,
        rowMode: 'array',
        ...(values && { values: [...values] }),
      })
      const last = Array.isArray(result) ? result.at(-1) : result
      return last.rows
    },
    end: () => client.end(),
  }
}

// As an import has them.
function getTypeParser(oid: number): (text: string) => unknown {
  if (oid === 16) return (text) => Number(text === 't')
  return oid === 20 || oid === 21 || oid === 23 ? Number : (text) => text
}
