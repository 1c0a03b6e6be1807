// Whether the relations have what is looked up: every column that is missing, or of another type, by its
// name. To SQLite the type of a column is a wish; for an expression in a view it knows none. So some rows are
// looked at.

import type { DatabaseSync } from 'node:sqlite'
import { type Relation, storedColumns } from '../../data/relation.ts'
import { relations } from '../../data/relations.ts'
import { isSqliteError, primaryCode } from './database.ts'

/** How many rows are looked at. */
const CHECKED_ROWS = 100

type Wanted = ReturnType<typeof storedColumns>[number]

/** @throws SQLite's error, or an error that names the columns */
export function checkRelations(database: DatabaseSync): void {
  const faults = Object.values(relations).flatMap((relation) => explained(database, relation))
  if (faults.length > 0) throw new Error(faults.join('; '))
}

/** SQLite names what a view lacks, and not the view. */
function explained(database: DatabaseSync, relation: Relation): string[] {
  const { name } = relation
  try {
    return findFaults(database, relation)
  } catch (error) {
    // SQLITE_ERROR: something is wrong with the SQL, and not with the file.
    if (!isSqliteError(error) || primaryCode(error) !== 1) throw error
    const view = database.prepare(
      `SELECT 1 FROM sqlite_schema WHERE type = 'view' AND name = ? COLLATE NOCASE`,
    )
    if (view.get(name) === undefined) throw error
    return [`the view ${name} is broken: ${error.message}`]
  }
}

function findFaults(database: DatabaseSync, relation: Relation): string[] {
  const { name } = relation
  const declared = new Map(
    database
      .prepare('SELECT name, type FROM pragma_table_xinfo(?)')
      .all(name)
      .map((column) => [String(column.name).toLowerCase(), String(column.type)]),
  )
  // SQLite has the words for a relation that is not there.
  if (declared.size === 0) database.prepare(`SELECT 1 FROM ${name}`)
  const wanted = storedColumns(relation)
  const missing = wanted.filter(({ sql }) => !declared.has(sql))
  if (missing.length > 0) return missing.map(({ sql }) => `${name} has no column ${sql}`)

  const wrong = new Map<string, string>()
  for (const { sql, type } of wanted) {
    const text = declared.get(sql) ?? ''
    if (!affinities[type].includes(affinityOf(text)))
      wrong.set(sql, `${name}.${sql} is of type ${text}, and must be ${typeNames[type]}`)
  }
  const types = database.prepare(
    `SELECT id, ${wanted.map(typeOf).join()} FROM (SELECT * FROM ${name} LIMIT ${CHECKED_ROWS})`,
  )
  types.setReturnArrays(true)
  types.setReadBigInts(true)
  for (const row of types.iterate()) {
    const [id, ...found] = Object.values(row)
    for (const [index, { sql, type }] of wanted.entries())
      if (!wrong.has(sql) && !isOfType(String(found[index]), type))
        wrong.set(
          sql,
          `${name}.${sql} of the row with id ${String(id)} is ${found[index]}, and must be ${typeNames[type]}`,
        )
  }
  return [...wrong.values()]
}

type Affinity = 'integer' | 'text' | 'none' | 'real' | 'numeric'

/** What SQLite makes of the type in a CREATE TABLE (https://sqlite.org/datatype3.html, 3.1). */
function affinityOf(declared: string): Affinity {
  if (/INT/i.test(declared)) return 'integer'
  if (/CHAR|CLOB|TEXT/i.test(declared)) return 'text'
  if (declared === '' || /BLOB|^ANY$/i.test(declared)) return 'none'
  return /REAL|FLOA|DOUB/i.test(declared) ? 'real' : 'numeric'
}

/** A text in a column for numbers may lose zeros; a number in a column for text has become one. */
const affinities: Readonly<Record<Wanted['type'], readonly Affinity[]>> = {
  integer: ['integer', 'numeric', 'real', 'none'],
  boolean: ['integer', 'numeric', 'real', 'none'],
  string: ['text', 'none'],
}

/** The type of a value; a real number that is a whole one is as good as an integer. */
function typeOf({ sql }: Wanted): string {
  return `iif(typeof(${sql}) = 'real' AND ${sql} = CAST(${sql} AS INTEGER), 'integer', typeof(${sql}))`
}

function isOfType(found: string, type: Wanted['type']): boolean {
  return found === 'null' || found === (type === 'string' ? 'text' : 'integer')
}

const typeNames = { integer: 'INTEGER', boolean: 'INTEGER (0 or 1)', string: 'TEXT' } as const
