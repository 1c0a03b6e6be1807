import type { Relation } from '../../data/relation.ts'
import { connectWriter } from './writer.ts'

/** How many rows are fetched at a time. */
const ROWS_PER_FETCH = 1000

/** Reads a whole relation in the order of the ids, as it was when reading began. */
export async function* readRows(
  url: string,
  { name, columns }: Relation,
): AsyncGenerator<readonly unknown[]> {
  const client = await connectWriter(url)
  try {
    const list = columns.map((column) => column.sql).join()
    await client.query('BEGIN READ ONLY')
    await client.query(`DECLARE all_rows NO SCROLL CURSOR FOR SELECT ${list} FROM ${name} ORDER BY id`)
    for (let count = ROWS_PER_FETCH; count === ROWS_PER_FETCH; ) {
      const { rows } = await client.query<unknown[]>({
        text: `FETCH ${ROWS_PER_FETCH} FROM all_rows`,
        rowMode: 'array',
      })
      yield* rows
      count = rows.length
    }
  } finally {
    await client.end().catch(() => {})
  }
}
