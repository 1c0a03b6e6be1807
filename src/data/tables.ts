// The tables of each engine, as schema/ENGINE.sql declares them. Imports create the tables, and operators
// may.

import { readFileSync } from 'node:fs'
import { ownFile } from '../own-file.ts'
import type { Relation } from './relation.ts'

type Engine = 'sqlite' | 'postgres' | 'mysql'

/** The statements that create a table and its indexes, unless they exist. */
export function createStatements({ name }: Relation, engine: Engine): readonly string[] {
  const file = readFileSync(ownFile(`schema/${engine}.sql`), 'utf8')
  // The encoding of a database may lack the characters of the comments.
  const statements = file.replace(/ *--.*/g, '').split(';')
  const isOfTable = new RegExp(`^CREATE (?:TABLE|UNIQUE INDEX) IF NOT EXISTS (?:\\w+ ON )?\`?${name}\\b`)
  return statements.map((statement) => statement.trim()).filter((statement) => isOfTable.test(statement))
}
