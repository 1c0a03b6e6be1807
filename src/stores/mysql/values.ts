// Values as the driver has them, and as stores read them.

import { isUtf8 } from 'node:buffer'
import type { FieldPacket } from 'mysql2'
import type { Row } from '../servers/driver.ts'

/** The number of a type, as the protocol has it. */
const types = { bit: 16 } as const
/** The character set of what is no text. */
const BINARY = 63

/** The columns of each result: `undefined` for one without rows. */
type FieldsOfSeveral = readonly (readonly FieldPacket[] | undefined)[]

/**
 * @param rows arrays; of a statement without rows, something else
 * @returns the same rows, of which what came as bytes is text or a number; `null` of a statement without rows
 * @throws where there are several results: one statement has one, but for a server, or a proxy, that is
 * broken
 */
export function readRows(
  rows: unknown,
  fields: readonly FieldPacket[] | FieldsOfSeveral | undefined,
): readonly Row[] | null {
  if (!Array.isArray(rows) || fields === undefined) return null
  if (!areOfOne(fields)) throw new Error('the server answered with several results')
  const inBytes = fields.flatMap(({ columnType, characterSet }, index) =>
    columnType === types.bit || characterSet === BINARY ? [index] : [],
  )
  for (const row of rows) for (const index of inBytes) row[index] = readBytes(row[index], fields[index])
  return rows
}

function areOfOne(fields: readonly FieldPacket[] | FieldsOfSeveral): fields is readonly FieldPacket[] {
  return fields.every((field) => field !== undefined && 'columnType' in field)
}

/** Bytes that are no text are left: such a row is refused. */
function readBytes(value: unknown, field: FieldPacket | undefined): unknown {
  if (!(value instanceof Buffer)) return value
  if (field?.columnType === types.bit) return value.some((byte) => byte !== 0) ? 1 : 0
  return isUtf8(value) ? value.toString() : value
}
