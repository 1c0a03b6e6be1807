import type { Connection, FieldPacket } from 'mysql2'
import type { Relation } from '../../data/relation.ts'
import { readRows as readValues } from './results.ts'
import { openSession } from './session.ts'
import { quote } from './statements.ts'

/** How many rows are read ahead. */
const ROWS_AHEAD = 1000

/** Reads a whole relation in the order of the ids, as it was at the beginning: a statement is a snapshot. */
export async function* readRows(
  url: string,
  { name, columns }: Relation,
): AsyncGenerator<readonly unknown[]> {
  const { connection, destroy } = await openSession(url)
  try {
    const list = columns.map(({ sql }) => quote(sql)).join()
    yield* streamRows(connection, `SELECT ${list} FROM ${quote(name)} ORDER BY ${quote('id')}`)
  } finally {
    destroy()
  }
}

/** Reads any number of rows of a statement. */
export async function* streamRows(
  connection: Connection,
  statement: string,
): AsyncGenerator<readonly unknown[]> {
  const running = connection.query(statement)
  let fields: FieldPacket[] = []
  running.on('fields', (found: FieldPacket[]) => {
    fields = found
  })
  const rows = running.stream({ highWaterMark: ROWS_AHEAD })
  // The driver does not tell a stream that the connection is lost.
  const fail = (error: Error) => rows.destroy(error)
  connection.on('error', fail)
  for await (const row of rows) yield* readValues([row], fields) ?? []
  connection.off('error', fail)
}
