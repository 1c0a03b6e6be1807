import { DatabaseSync } from 'node:sqlite'
import type { Relation } from '../../data/relation.ts'
import { relations } from '../../data/relations.ts'
import { createStatements } from '../../data/tables.ts'
import { WRITING } from './database.ts'

/** Milliseconds to wait for another program's lock. */
const LOCK_TIMEOUT_MS = 10_000

/**
 * Makes the database file and those of its tables that are not there yet. Views of the same name are left
 * alone.
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

/** Makes the tables that are missing, and their indexes. @throws SQLite's error */
export function makeTables(database: DatabaseSync): void {
  for (const relation of Object.values(relations)) {
    if (isView(database, relation)) continue
    for (const statement of partsOf(relation)) database.exec(statement)
  }
}

/** SQL for the table and each of its indexes, which makes what is missing. */
export function partsOf(relation: Relation): readonly string[] {
  return createStatements(relation, 'sqlite')
}

/** Drops the indexes that `partsOf` makes, and no others: an operator may have some too. */
export function dropIndexes(database: DatabaseSync, relation: Relation): void {
  for (const statement of partsOf(relation)) {
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
