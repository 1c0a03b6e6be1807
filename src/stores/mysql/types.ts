// The types of columns, as the protocol numbers them.

import type { FieldPacket } from 'mysql2'

const names: Readonly<Record<number, string>> = {
  0: 'decimal',
  1: 'tinyint',
  2: 'smallint',
  3: 'int',
  4: 'float',
  5: 'double',
  6: 'null',
  7: 'timestamp',
  8: 'bigint',
  9: 'mediumint',
  10: 'date',
  11: 'time',
  12: 'datetime',
  13: 'year',
  15: 'varchar',
  16: 'bit',
  242: 'vector',
  245: 'json',
  246: 'decimal',
  247: 'enum',
  248: 'set',
  249: 'tinyblob',
  250: 'mediumblob',
  251: 'longblob',
  252: 'blob',
  253: 'varchar',
  254: 'char',
  255: 'geometry',
}

const integers = ['tinyint', 'smallint', 'mediumint', 'int', 'bigint', 'null']
const texts = [...['varchar', 'char', 'tinyblob', 'mediumblob', 'longblob', 'blob', 'enum', 'set', 'null']]

/** The types that a column may have, for each kind of column. A view's `NULL` has a type of its own. */
const suitable = {
  integer: integers,
  string: texts,
  boolean: [...integers, 'bit'],
} as const satisfies Record<string, readonly string[]>

export function suits(field: FieldPacket, kind: keyof typeof suitable): boolean {
  return suitable[kind].includes(describeType(field))
}

/** Flags of columns that come as texts, and are none to those who made them. */
const ENUM = 0x100
const SET = 0x800

export function describeType({ columnType, type, flags }: FieldPacket): string {
  const bits = typeof flags === 'number' ? flags : 0
  if ((bits & ENUM) !== 0) return 'enum'
  if ((bits & SET) !== 0) return 'set'
  return names[columnType ?? type ?? -1] ?? 'unknown'
}
