import type pg from 'pg'
import type { Relation } from '../../data/relation.ts'
import { connectCommand } from './connection.ts'

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
