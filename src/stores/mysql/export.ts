import { Socket } from 'node:net'
import type { Connection, FieldPacket } from 'mysql2'
import type { Relation } from '../../data/relation.ts'
import { connectionTo } from './connection.ts'
import { logIn } from './login.ts'
import { query, readRows as readValues } from './results.ts'
import { quote } from './statements.ts'
import { CONNECT_TIMEOUT_MS, LOCK_TIMEOUT_SECONDS } from './writer.ts'

/** How many rows are read ahead. */
const ROWS_AHEAD = 1000
/** Seconds that the server waits for a reader that takes no rows, such as a pager. */
const IDLE_TIMEOUT_SECONDS = 24 * 60 * 60

/** Reads a whole relation in the order of the ids, as it was at the beginning: a statement is a snapshot. */
export async function* readRows(
  url: string,
  { name, columns }: Relation,
): AsyncGenerator<readonly unknown[]> {
  const limits = { connectTimeout: CONNECT_TIMEOUT_MS, statementTimeout: 0, readOnly: true }
  const config = connectionTo(url, limits)
  const socket = new Socket()
  try {
    // A time of the operator's own table is shown as the server has it.
    const connection = await logIn({ ...config, options: { ...config.options, dateStrings: true } }, socket)
    await query(
      connection,
      `SET net_write_timeout = ${IDLE_TIMEOUT_SECONDS}, lock_wait_timeout = ${LOCK_TIMEOUT_SECONDS}`,
    )
    const list = columns.map(({ sql }) => quote(sql)).join()
    yield* streamRows(connection, `SELECT ${list} FROM ${quote(name)} ORDER BY ${quote('id')}`)
  } finally {
    socket.destroy()
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
