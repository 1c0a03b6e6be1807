// The tables of an SQLite file: `lookup migrate` and imports make them, and an export reads one whole.

import { DatabaseSync } from 'node:sqlite'
import type { Relation } from '../../data/relation.ts'
import { createStatements, relations } from '../../data/relations.ts'
import { openForReading, WRITING } from './database.ts'
import { explain, resolveLinks } from './files.ts'

/** Milliseconds to wait for another program's lock. */
const LOCK_TIMEOUT_MS = 10_000

/**
 * Creates the file and its tables, unless they exist. Views of the same name stay.
 * @throws SQLite's error
 */
export function migrate(path: string): void {
  const database = new DatabaseSync(path, { timeout: LOCK_TIMEOUT_MS })
  try {
    database.exec(WRITING)
    makeTables(database)
  } finally {
    database.close()
  }
}

/** Creates the missing tables and indexes. @throws SQLite's error */
export function makeTables(database: DatabaseSync): void {
  for (const relation of Object.values(relations)) {
    if (isView(database, relation)) continue
    for (const statement of createStatements(relation, 'sqlite')) database.exec(statement)
  }
}

/** Drops the indexes that `makeTables` creates. Indexes of the operator stay. */
export function dropIndexes(database: DatabaseSync, relation: Relation): void {
  for (const statement of createStatements(relation, 'sqlite')) {
    const index = /\bINDEX IF NOT EXISTS (\w+)/.exec(statement)?.[1]
    if (index !== undefined) database.exec(`DROP INDEX IF EXISTS ${index}`)
  }
}

/** Whether the relation is a view over other tables, which the gateway reads and never fills. */
export function isView(database: DatabaseSync, { name }: Relation): boolean {
  return (
    database.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'view' AND name = ?`).get(name) !== undefined
  )
}

/**
 * Reads a whole relation in the order of the ids, a row at a time.
 * @throws UnusableDatabase that says what to do, or SQLite's error
 */
export function* readRows(path: string, { name, columns }: Relation): Generator<readonly unknown[]> {
  let database: DatabaseSync | null = null
  try {
    database = openForReading(path, { lockTimeout: LOCK_TIMEOUT_MS })
    const statement = database.prepare(
      `SELECT ${columns.map((column) => column.sql).join()} FROM ${name} ORDER BY id`,
    )
    statement.setReturnArrays(true)
    for (const row of statement.iterate()) yield Object.values(row)
  } catch (error) {
    throw explain(resolveLinks(path), error)
  } finally {
    database?.close()
  }
}
