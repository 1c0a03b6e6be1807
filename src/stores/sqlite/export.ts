import type { Relation } from '../../data/relation.ts'
import { openForReading } from './database.ts'

/** Milliseconds that an export waits for another program's lock. */
const LOCK_TIMEOUT_MS = 10_000

/** Reads a whole relation in the order of the ids, a row at a time. */
export function* readRows(path: string, { name, columns }: Relation): Generator<readonly unknown[]> {
  const database = openForReading(path, { lockTimeout: LOCK_TIMEOUT_MS })
  try {
    const statement = database.prepare(
      `SELECT ${columns.map((column) => column.sql).join()} FROM ${name} ORDER BY id`,
    )
    statement.setReturnArrays(true)
    for (const row of statement.iterate()) yield Object.values(row)
  } finally {
    database.close()
  }
}
