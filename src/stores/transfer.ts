// Fills a database, and reads it whole, by the engine that its location names. A gateway does not load this
// file at its start: open-store.ts has what it needs.

import type { OwnDatabase } from '../config/database.ts'
import type { Relation } from '../data/relation.ts'
import type { Importer } from './importer.ts'
import * as mysqlImport from './mysql/import.ts'
import * as mysqlTables from './mysql/tables.ts'
import * as postgresImport from './postgres/import.ts'
import * as postgresTables from './postgres/tables.ts'
import * as sqliteImport from './sqlite/import.ts'
import * as sqliteTables from './sqlite/tables.ts'

const engines = {
  sqlite: { ...sqliteImport, ...sqliteTables },
  postgres: { ...postgresImport, ...postgresTables },
  mysql: { ...mysqlImport, ...mysqlTables },
}

const addressOf = (location: OwnDatabase) => (location.kind === 'sqlite' ? location.path : location.url)

/**
 * Begins an import. All missing tables are made, so that the result can be served.
 * @param replace whether the rows replace all existing rows
 */
export async function openImporter(
  location: OwnDatabase,
  relation: Relation,
  replace: boolean,
): Promise<Importer> {
  return engines[location.kind].beginImport(addressOf(location), relation, replace)
}

/** Reads a whole relation in the order of the ids; each row is an array of its columns. */
export function openExport(
  location: OwnDatabase,
  relation: Relation,
): Iterable<readonly unknown[]> | AsyncIterable<readonly unknown[]> {
  return engines[location.kind].readRows(addressOf(location), relation)
}

/** Makes the missing tables. */
export async function makeTables(location: OwnDatabase): Promise<void> {
  await engines[location.kind].migrate(addressOf(location))
}
