// Reads the result of a statement: rows with the values that stores read, or the types of its columns.

import { isUtf8 } from 'node:buffer'
import type { Connection, FieldPacket, RowDataPacket } from 'mysql2'
import type { ServerRow, Statement } from '../servers/driver.ts'

/**
 * Runs a statement. It is done with rows, or with null if the statement has none; or with the columns: for
 * each its name, its type, and the kinds of fields that it can hold.
 */
export function run(
  connection: Connection,
  { text, describes }: Pick<Statement, 'text' | 'describes'>,
  done: (error: unknown, rows: readonly ServerRow[] | null) => void,
): void {
  connection.query<RowDataPacket[]>(text, (error, rows, fields) => {
    if (error !== null) return done(error, null)
    done(null, describes ? fields.map(describe) : readRows(rows, fields))
  })
}

/** Like `run`, with a promise. @returns no rows for a statement that has none @throws the error */
export function query(connection: Connection, statement: string | Statement): Promise<readonly ServerRow[]> {
  const parts = typeof statement === 'string' ? { text: statement } : statement
  return new Promise((resolve, reject) =>
    run(connection, parts, (error, rows) => (error === null ? resolve(rows ?? []) : reject(error))),
  )
}

const BIT = 16
/** The character set of bytes. */
const BINARY = 63

/**
 * @param rows arrays; of a statement without rows, something else
 * @returns the same rows with texts and numbers in place of bytes; null for a statement without rows
 */
export function readRows(rows: unknown, fields: readonly FieldPacket[]): readonly ServerRow[] | null {
  if (!Array.isArray(rows)) return null
  const inBytes = fields.flatMap(({ columnType, characterSet }, index) =>
    columnType === BIT || characterSet === BINARY ? [index] : [],
  )
  for (const row of rows) for (const index of inBytes) row[index] = readBytes(row[index], fields[index])
  return rows
}

/** Bytes that are no text stay bytes: such a row is refused. */
function readBytes(value: unknown, field: FieldPacket | undefined): unknown {
  if (!(value instanceof Buffer)) return value
  if (field?.columnType === BIT) return value.some((byte) => byte !== 0) ? 1 : 0
  return isUtf8(value) ? value.toString() : value
}

/** The flags of ENUM and SET, which come as texts. */
const ENUM = 0x100
const SET = 0x800
/** A view's NULL. */
const NULL = 6

/** Names of types by their numbers. */
const names = new Map([
  ...'decimal tinyint smallint int float double null timestamp bigint mediumint date time datetime year'
    .split(' ')
    .entries(),
  ...([
    [15, 'varchar'],
    [BIT, 'bit'],
    [245, 'json'],
    [246, 'decimal'],
    [252, 'blob'],
    [253, 'varchar'],
    [254, 'char'],
  ] as const),
])
const integers: readonly number[] = [1, 2, 3, 8, 9]
/** VARCHAR, the four sizes of BLOB and TEXT, and CHAR. */
const texts: readonly number[] = [15, 249, 250, 251, 252, 253, 254]

function describe({ name, columnType, type: other, flags }: FieldPacket): ServerRow {
  const type = columnType ?? other ?? -1
  const bits = typeof flags === 'number' ? flags : 0
  if ((bits & ENUM) !== 0) return [name, 'enum', 'string']
  if ((bits & SET) !== 0) return [name, 'set', 'string']
  const kinds = [
    type === NULL || integers.includes(type) ? 'integer boolean' : '',
    type === NULL || texts.includes(type) ? 'string' : '',
    type === BIT ? 'boolean' : '',
  ]
  return [name, names.get(type) ?? `number ${type}`, kinds.join(' ')]
}
