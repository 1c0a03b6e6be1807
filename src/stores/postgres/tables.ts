// The tables of PostgreSQL, which `lookup migrate` and imports make.

import type pg from 'pg'
import type { Relation } from '../../data/relation.ts'
import { createStatements, relations } from '../../data/relations.ts'
import { connectCommand } from './connection.ts'

/** Makes the missing tables. Views of the same name stay. */
export async function migrate(url: string): Promise<void> {
  const client = await connectCommand(url)
  try {
    await client.query('BEGIN')
    await makeTables(client)
    await client.query('COMMIT')
  } finally {
    await client.end().catch(() => {})
  }
}

/** Makes the missing tables within the transaction that is under way. */
export async function makeTables(client: pg.Client): Promise<void> {
  // Two programs that make the same table would clash.
  await client.query(`SELECT pg_advisory_xact_lock(hashtext('lookup migrate'))`)
  for (const relation of Object.values(relations)) {
    if ((await kindOf(client, relation)) !== null) continue
    for (const statement of createStatements(relation, 'postgres')) await client.query(statement)
  }
}

/** A view over other tables, which the gateway reads and never fills; or a table; or null for neither. */
export async function kindOf(client: pg.Client, { name }: Relation): Promise<'view' | 'table' | null> {
  const { rows } = await client.query<[string]>({
    text: 'SELECT relkind FROM pg_class WHERE oid = to_regclass($1)',
    values: [name],
    rowMode: 'array',
  })
  const kind = rows[0]?.[0]
  if (kind === undefined) return null
  return kind === 'v' || kind === 'm' ? 'view' : 'table'
}
