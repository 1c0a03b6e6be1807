import { readFileSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { relations } from '../../records/index.ts'
import type { Relation } from '../../records/relation.ts'
import { openForWriting } from './database.ts'

const statements = readFileSync(new URL('../../../schema/sqlite.sql', import.meta.url), 'utf8')
  .replace(/--.*$/gm, '')
  .split(';')
  .map((statement) => statement.trim())
  .filter((statement) => statement !== '')

/** Makes the database file and those of its tables that are not there yet. Views of the same name are left alone. */
export function migrate(path: string): void {
  const database = openForWriting(path)
  try {
    for (const relation of Object.values(relations)) {
      if (!isView(database, relation)) makeTable(database, relation)
    }
  } finally {
    database.close()
  }
}

/** Makes the table and the indexes that are missing. */
export function makeTable(database: DatabaseSync, { name }: Relation): void {
  const concerned = new RegExp(`\\b(?:EXISTS|ON) ${name}\\b`)
  for (const statement of statements) if (concerned.test(statement)) database.exec(statement)
}

/** Drops the indexes that `makeTable` makes, and no others: an operator may have some too. */
export function dropIndexes(database: DatabaseSync, { name }: Relation): void {
  for (const statement of statements) {
    const index = /\bINDEX IF NOT EXISTS (\w+) ON (\w+)\b/.exec(statement)
    if (index?.[2] === name) database.exec(`DROP INDEX IF EXISTS ${index[1]}`)
  }
}

/** Whether the relation is a view over other tables, which the gateway reads and never fills. */
export function isView(database: DatabaseSync, { name }: Relation): boolean {
  return (
    database.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'view' AND name = ?`).get(name) !== undefined
  )
}
