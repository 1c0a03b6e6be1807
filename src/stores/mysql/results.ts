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
    let found: readonly ServerRow[] | null
    // An error that is thrown here would end the process.
    try {
      found = readRows(rows, fields)
    } catch (fault) {
      return done(fault, null)
    }
    done(null, describes ? fields.map(describe) : found)
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

/** The columns of each result: `undefined` for one without rows. */
type FieldsOfSeveral = readonly (readonly FieldPacket[] | undefined)[]

/**
 * @param rows arrays; of a statement without rows, something else
 * @returns the same rows with texts and numbers in place of bytes; null for a statement without rows
 * @throws Error for several results, which only a broken server or proxy sends for one statement
 */
export function readRows(
  rows: unknown,
  fields: readonly FieldPacket[] | FieldsOfSeveral | undefined,
): readonly ServerRow[] | null {
  if (!Array.isArray(rows) || fields === undefined) return null
  if (!areOfOne(fields)) throw new Error('the server answered with several results')
  const inBytes = fields.flatMap(({ columnType, characterSet }, index) =>
    columnType === BIT || characterSet === BINARY ? [index] : [],
  )
  for (const row of rows) for (const index of inBytes) row[index] = readBytes(row[index], fields[index])
  return rows
}

function areOfOne(fields: readonly FieldPacket[] | FieldsOfSeveral): fields is readonly FieldPacket[] {
  return fields.every((field) => field !== undefined && 'columnType' in field)
}

/** Bytes that are no text stay bytes: such a row is refused. */
function readBytes(value: unknown, field: FieldPacket | undefined): unknown {
  if (!(value instanceof Buffer)) return value
  if (field?.columnType === BIT) return value.some((byte) => byte !== 0) ? 1 : 0
  return isUtf8(value) ? value.toString() : value
}

const integer = 'integer boolean'
const text = 'string'
/** Names of types by their numbers, and the kinds of fields that such a column can hold. */
const types: Readonly<Record<number, readonly [name: string, kinds: string]>> = {
  0: ['decimal', ''],
  1: ['tinyint', integer],
  2: ['smallint', integer],
  3: ['int', integer],
  4: ['float', ''],
  5: ['double', ''],
  // A view's NULL.
  6: ['null', 'integer string boolean'],
  7: ['timestamp', ''],
  8: ['bigint', integer],
  9: ['mediumint', integer],
  10: ['date', ''],
  11: ['time', ''],
  12: ['datetime', ''],
  13: ['year', ''],
  15: ['varchar', text],
  [BIT]: ['bit', 'boolean'],
  242: ['vector', ''],
  245: ['json', ''],
  246: ['decimal', ''],
  249: ['tinyblob', text],
  250: ['mediumblob', text],
  251: ['longblob', text],
  252: ['blob', text],
  253: ['varchar', text],
  254: ['char', text],
  255: ['geometry', ''],
}

/** The flags of ENUM and SET, which come as texts. */
const ENUM = 0x100
const SET = 0x800

function describe({ name, columnType, type, flags }: FieldPacket): ServerRow {
  const bits = typeof flags === 'number' ? flags : 0
  if ((bits & ENUM) !== 0) return [name, 'enum', text]
  if ((bits & SET) !== 0) return [name, 'set', text]
  return [name, ...(types[columnType ?? type ?? -1] ?? ['unknown', ''])]
}
