// The tables of PostgreSQL: `lookup migrate` and imports make them, and an export reads one whole.

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

/** How many rows are fetched at a time. */
const ROWS_PER_FETCH = 1000

/** Reads a whole relation in the order of the ids, as it was when reading began. */
export async function* readRows(
  url: string,
  { name, columns }: Relation,
): AsyncGenerator<readonly unknown[]> {
  const client = await connectCommand(url)
  try {
    await client.query('BEGIN READ ONLY')
    yield* readAll(client, `SELECT ${columns.map((column) => column.sql).join()} FROM ${name} ORDER BY id`)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Reads any number of rows within the transaction that is under way. */
export async function* readAll(client: pg.Client, query: string): AsyncGenerator<readonly unknown[]> {
  await client.query(`DECLARE all_rows NO SCROLL CURSOR FOR ${query}`)
  for (let count = ROWS_PER_FETCH; count === ROWS_PER_FETCH; ) {
    const { rows } = await client.query<unknown[]>({
      text: `FETCH ${ROWS_PER_FETCH} FROM all_rows`,
      rowMode: 'array',
    })
    yield* rows
    count = rows.length
  }
}
