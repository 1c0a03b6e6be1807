// Checks that the relations have the columns of lookups, and names each column that is missing or of another
// type. SQLite stores any value in any column, and knows no type for an expression of a view: so this checks
// some rows, too.

import type { DatabaseSync } from 'node:sqlite'
import { type Relation, storedColumns } from '../../data/relation.ts'
import { relations } from '../../data/relations.ts'
import { isSqliteError, primaryCode } from './database.ts'

const CHECKED_ROWS = 100

type SqliteColumn = ReturnType<typeof storedColumns>[number]
type Affinity = 'integer' | 'text' | 'none' | 'real' | 'numeric'

/** A text in a column for numbers may lose zeros, and a number in a column for text becomes a text. */
const numeric: readonly Affinity[] = ['integer', 'numeric', 'real', 'none']
const types = {
  integer: { name: 'INTEGER', affinities: numeric, stored: 'integer' },
  boolean: { name: 'INTEGER (0 or 1)', affinities: numeric, stored: 'integer' },
  string: { name: 'TEXT', affinities: ['text', 'none'], stored: 'text' },
} as const satisfies Record<SqliteColumn['type'], unknown>

/** @throws SQLite's error, or an error that names the columns */
export function checkRelations(database: DatabaseSync): void {
  const faults = Object.values(relations).flatMap((relation) => findFaults(database, relation))
  if (faults.length > 0) throw new Error(faults.join('; '))
}

function findFaults(database: DatabaseSync, relation: Relation): string[] {
  const { name } = relation
  try {
    const declared = declaredTypes(database, name)
    const wanted = storedColumns(relation)
    const missing = wanted.filter(({ sql }) => !declared.has(sql))
    if (missing.length > 0) return missing.map(({ sql }) => `${name} has no column ${sql}`)
    const wrong = wanted.filter(
      ({ sql, type }) => !types[type].affinities.some((one) => one === affinityOf(declared.get(sql) ?? '')),
    )
    const faults = wrong.map(
      ({ sql, type }) => `${name}.${sql} is of type ${declared.get(sql)}, and must be ${types[type].name}`,
    )
    return [
      ...faults,
      ...findWrongValues(
        database,
        name,
        wanted.filter((column) => !wrong.includes(column)),
      ),
    ]
  } catch (error) {
    // SQLITE_ERROR: the SQL is wrong, and not the file. SQLite names what a view lacks, and not the view.
    if (!isSqliteError(error) || primaryCode(error) !== 1) throw error
    const view = database.prepare(
      `SELECT 1 FROM sqlite_schema WHERE type = 'view' AND name = ? COLLATE NOCASE`,
    )
    if (view.get(name) === undefined) throw error
    return [`the view ${name} is broken: ${error.message}`]
  }
}

/** @throws SQLite's error if there is no such relation */
function declaredTypes(database: DatabaseSync, name: string): ReadonlyMap<string, string> {
  const columns = database.prepare('SELECT name, type FROM pragma_table_xinfo(?)').all(name)
  if (columns.length === 0) database.prepare(`SELECT 1 FROM ${name}`)
  return new Map(columns.map((column) => [String(column.name).toLowerCase(), String(column.type)]))
}

/** How SQLite reads the type in a CREATE TABLE (https://sqlite.org/datatype3.html, 3.1). */
function affinityOf(declared: string): Affinity {
  if (/INT/i.test(declared)) return 'integer'
  if (/CHAR|CLOB|TEXT/i.test(declared)) return 'text'
  if (declared === '' || /BLOB|^ANY$/i.test(declared)) return 'none'
  return /REAL|FLOA|DOUB/i.test(declared) ? 'real' : 'numeric'
}

/** Returns a complaint about the first wrong value of each column. */
function findWrongValues(database: DatabaseSync, name: string, columns: readonly SqliteColumn[]): string[] {
  // A real number that is whole is as good as an integer.
  const typesOf = columns.map(
    ({ sql }) =>
      `iif(typeof(${sql}) = 'real' AND ${sql} = CAST(${sql} AS INTEGER), 'integer', typeof(${sql}))`,
  )
  const statement = database.prepare(
    `SELECT ${['id', ...typesOf].join()} FROM (SELECT * FROM ${name} LIMIT ${CHECKED_ROWS})`,
  )
  statement.setReturnArrays(true)
  statement.setReadBigInts(true)
  const rows = statement.all().map((row) => Object.values(row))
  return columns.flatMap(({ sql, type }, index) => {
    const isWrong = (found: unknown) => found !== 'null' && found !== types[type].stored
    const row = rows.find((cells) => isWrong(cells[index + 1]))
    if (row === undefined) return []
    return [
      `${name}.${sql} of the row with id ${row[0]} is ${row[index + 1]}, and must be ${types[type].name}`,
    ]
  })
}
