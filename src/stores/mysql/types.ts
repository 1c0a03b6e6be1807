// The types of columns, as the protocol numbers them.

import type { FieldPacket } from 'mysql2'
import type { Row } from '../servers/driver.ts'

const integer = 'integer boolean'
const text = 'string'
const any = 'integer string boolean'

/** Names, and the kinds of fields that such a column can hold. A view's NULL has a type of its own. */
const types: Readonly<Record<number, readonly [name: string, kinds: string]>> = {
  ...{
    0: ['decimal', ''],
    4: ['float', ''],
    5: ['double', ''],
    246: ['decimal', ''],
    16: ['bit', 'boolean'],
  },
  ...{ 1: ['tinyint', integer], 2: ['smallint', integer], 3: ['int', integer], 9: ['mediumint', integer] },
  ...{ 8: ['bigint', integer], 6: ['null', any] },
  ...{ 7: ['timestamp', ''], 10: ['date', ''], 11: ['time', ''], 12: ['datetime', ''], 13: ['year', ''] },
  ...{
    15: ['varchar', text],
    253: ['varchar', text],
    254: ['char', text],
    247: ['enum', text],
    248: ['set', text],
  },
  ...{ 249: ['tinyblob', text], 250: ['mediumblob', text], 251: ['longblob', text], 252: ['blob', text] },
  ...{ 242: ['vector', ''], 245: ['json', ''], 255: ['geometry', ''] },
}

/** The flags of ENUM and SET, which come as texts. */
const ENUM = 0x100
const SET = 0x800

/** @returns the name of a column, its type, and the kinds of fields that it can hold */
export function describe({ name, columnType, type, flags }: FieldPacket): Row {
  const bits = typeof flags === 'number' ? flags : 0
  if ((bits & ENUM) !== 0) return [name, 'enum', text]
  if ((bits & SET) !== 0) return [name, 'set', text]
  return [name, ...(types[columnType ?? type ?? -1] ?? ['unknown', ''])]
}
