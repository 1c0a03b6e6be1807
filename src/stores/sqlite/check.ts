// Checks that the relations have the columns of lookups, and names each column that is missing or of another
// type. SQLite stores any value in any column, and knows no type for an expression of a view: so this checks
// some rows, too.

import type { DatabaseSync } from 'node:sqlite'
import { type Relation, storedColumns } from '../../data/relation.ts'
import { relations } from '../../data/relations.ts'
import { hasCode } from './database.ts'

const CHECKED_ROWS = 100

type SqliteColumn = ReturnType<typeof storedColumns>[number]

const types = {
  integer: 'INTEGER',
  boolean: 'INTEGER (0 or 1)',
  string: 'TEXT',
} as const satisfies Record<SqliteColumn['type'], string>

/** @throws SQLite's error, or an error that names the columns */
export function checkRelations(database: DatabaseSync): void {
  const faults = Object.values(relations).flatMap((relation) => findFaults(database, relation))
  if (faults.length > 0) throw new Error(faults.join('; '))
}

function findFaults(database: DatabaseSync, relation: Relation): string[] {
  const { name } = relation
  try {
    const declared = declaredTypes(database, name)
    const missing = storedColumns(relation).filter(({ sql }) => !declared.has(sql))
    if (missing.length > 0) return missing.map(({ sql }) => `${name} has no column ${sql}`)
    return storedColumns(relation).flatMap((column) => {
      const { sql, type } = column
      const found = declared.get(sql) ?? ''
      const fault = isFitting(found, type) ? findWrongValue(database, name, column) : `is of type ${found}`
      return fault === null ? [] : [`${name}.${sql} ${fault}, and must be ${types[type]}`]
    })
  } catch (error) {
    // SQLite names what a view lacks, and not the view.
    if (!hasCode(error, 'SQL') || error.message === `no such table: ${name}`) throw error
    return [`the view ${name} is broken: ${error.message}`]
  }
}

/** @throws SQLite's error if there is no such relation */
function declaredTypes(database: DatabaseSync, name: string): ReadonlyMap<string, string> {
  const columns = database.prepare('SELECT name, type FROM pragma_table_xinfo(?)').all(name)
  if (columns.length === 0) database.prepare(`SELECT 1 FROM ${name}`)
  return new Map(columns.map((column) => [String(column.name).toLowerCase(), String(column.type)]))
}

/**
 * Whether SQLite stores a value of this type unchanged (https://sqlite.org/datatype3.html, 3.1). A text in a
 * column for numbers may lose zeros, and a number in a column for text becomes a text.
 */
function isFitting(declared: string, type: SqliteColumn['type']): boolean {
  const isInteger = /INT/i.test(declared)
  if (!isInteger && /CHAR|CLOB|TEXT/i.test(declared)) return type === 'string'
  return type !== 'string' || (!isInteger && /^$|^ANY$|BLOB/i.test(declared))
}

/** Describes the first wrong value of a column. A real number that is whole is as good as an integer. */
function findWrongValue(database: DatabaseSync, name: string, { sql, type }: SqliteColumn): string | null {
  const isWrong =
    type === 'string'
      ? `typeof(${sql}) NOT IN ('null', 'text')`
      : `typeof(${sql}) NOT IN ('null', 'integer') AND (typeof(${sql}) <> 'real' OR ${sql} <> CAST(${sql} AS INTEGER))`
  const statement = database.prepare(
    `SELECT id, typeof(${sql}) AS found FROM (SELECT * FROM ${name} LIMIT ${CHECKED_ROWS}) WHERE ${isWrong} LIMIT 1`,
  )
  statement.setReadBigInts(true)
  const row = statement.get()
  return row === undefined ? null : `of the row with id ${row.id} is ${row.found}`
}
