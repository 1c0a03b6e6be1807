import type pg from 'pg'
import type { Relation } from '../../data/relation.ts'
import { createStatements, relations } from '../../data/relations.ts'
import { withWriter } from './writer.ts'

/** Makes those of the tables that are not there yet. Views of the same name are left alone. */
export async function migrate(url: string): Promise<void> {
  await withWriter(url, async (client) => {
    await client.query('BEGIN')
    await makeTables(client)
    await client.query('COMMIT')
  })
}

/**
 * Within the transaction that is under way. A table that is there is left as it is, whichever role owns it.
 */
export async function makeTables(client: pg.Client): Promise<void> {
  // Two programs that make the same table would trip over each other.
  await client.query(`SELECT pg_advisory_xact_lock(hashtext('lookup migrate'))`)
  for (const relation of Object.values(relations)) {
    if ((await kindOf(client, relation)) !== null) continue
    for (const statement of createStatements(relation, 'postgres')) await client.query(statement)
  }
}

/**
 * Whether there is such a relation: a view over other tables, which the gateway reads and never fills, or a
 * table.
 */
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
