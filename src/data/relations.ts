// The table of relations, and the tables of each engine, as schema/ENGINE.sql declares them. Imports create
// the tables, and operators may.

import { readFileSync } from 'node:fs'
import { ownFile } from '../own-file.ts'
import { apps } from './apps.ts'
import type { Relation } from './relation.ts'
import { users } from './users.ts'

export const relations: Readonly<Record<Relation['name'], Relation>> = { users, apps }

/** The statements that create a table and its indexes, unless they exist. */
export function createStatements(
  { name }: Relation,
  engine: 'sqlite' | 'postgres' | 'mysql',
): readonly string[] {
  const file = readFileSync(ownFile(`schema/${engine}.sql`), 'utf8')
  // The encoding of a database may lack the characters of the comments.
  const statements = file.replace(/ *--.*/g, '').split(';')
  const isOfTable = new RegExp(`^CREATE (?:TABLE|UNIQUE INDEX) IF NOT EXISTS (?:\\w+ ON )?\`?${name}\\b`)
  return statements.map((statement) => statement.trim()).filter((statement) => isOfTable.test(statement))
}
