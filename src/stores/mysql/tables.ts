// The tables of MySQL and MariaDB: `lookup migrate` and imports make them, and an export reads one whole.

import type { Connection, FieldPacket } from 'mysql2'
import type { Relation } from '../../data/relation.ts'
import { createStatements, relations } from '../../data/relations.ts'
import { errorNumber } from './errors.ts'
import { query, readRows as readValues } from './results.ts'
import { LOCK_TIMEOUT_SECONDS, openSession } from './session.ts'
import { quote, text } from './statements.ts'

/** Characters; MySQL refuses longer names. */
const MAX_LOCK_NAME_LENGTH = 64
/** The user lacks a right on a table. */
const DENIED = '1142'

/** Makes the missing tables. Views of the same name stay. */
export async function migrate(url: string): Promise<void> {
  const { connection, disconnect } = await openSession(url)
  await makeTables(connection).finally(disconnect)
}

/**
 * Makes the missing tables. Each statement commits the transaction that is under way.
 * @param needed the table that must be there; by default both. A table looks missing to a user who has no
 * right on it, and an import needs one table only.
 */
export async function makeTables(connection: Connection, needed?: Relation): Promise<void> {
  // Two programs that make the same table would clash.
  if (!(await takeLock(connection, 'lookup migrate')))
    throw new Error('another program is creating the tables. Try again when it has ended')
  for (const relation of Object.values(relations)) {
    if ((await findTable(connection, relation)) !== null) continue
    await refuseReadOnly(connection)
    const isNeeded = needed === undefined || needed === relation
    for (const statement of createStatements(relation, 'mysql')) {
      await query(connection, statement).catch((error: unknown) => {
        if (isNeeded || errorNumber(error) !== DENIED) throw error
      })
    }
  }
  await query(connection, `DO release_lock('lookup migrate')`)
}

/** @throws Error on a read-only server, where a superuser could still write */
export async function refuseReadOnly(connection: Connection): Promise<void> {
  const rows = await query(
    connection,
    `SHOW VARIABLES WHERE variable_name IN ('read_only', 'innodb_read_only')`,
  )
  if (rows.some(([, value]) => !/^(?:OFF|0|)$/.test(String(value))))
    throw new Error('the server is read only (read_only = ON)')
}

/**
 * Waits for another session that has the lock.
 * @returns whether this session has the lock now, until it ends
 */
export async function takeLock(connection: Connection, name: string): Promise<boolean> {
  const lock = text(name.slice(0, MAX_LOCK_NAME_LENGTH))
  const [row] = await query(connection, `SELECT get_lock(${lock}, ${LOCK_TIMEOUT_SECONDS})`)
  return row?.[0] === 1
}

interface MysqlTable {
  /** False for a view over other tables, which the gateway reads and never fills. */
  readonly isTable: boolean
  readonly engine: string
  readonly isTransactional: boolean
}

/** @returns `null` if there is no such relation */
export async function findTable(connection: Connection, { name }: Relation): Promise<MysqlTable | null> {
  const [row] = await query(
    connection,
    `SELECT t.table_type, t.engine, e.transactions FROM information_schema.tables AS t
      LEFT JOIN information_schema.engines AS e ON e.engine = t.engine
      WHERE t.table_schema = database() AND t.table_name = '${name}'`,
  )
  if (row === undefined) return null
  const [type, engine, transactions] = row
  return { isTable: type !== 'VIEW', engine: String(engine), isTransactional: transactions === 'YES' }
}

/** How many rows are read ahead. */
const ROWS_AHEAD = 1000

/** Reads a whole relation in the order of the ids, as it was at the beginning: a statement is a snapshot. */
export async function* readRows(
  url: string,
  { name, columns }: Relation,
): AsyncGenerator<readonly unknown[]> {
  const { connection, disconnect } = await openSession(url)
  try {
    const list = columns.map(({ sql }) => quote(sql)).join()
    yield* streamRows(connection, `SELECT ${list} FROM ${quote(name)} ORDER BY ${quote('id')}`)
  } finally {
    disconnect()
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
