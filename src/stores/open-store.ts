// Location → store; the only place that knows what each kind of store is made of.

import type { Observe } from '../observe/observation.ts'
import type { Relation } from '../records/relation.ts'
import type { DatabaseLocation } from '../settings.ts'
import type { Importer, ImportOptions } from './importer.ts'
import { readRows } from './sqlite/export.ts'
import { beginImport } from './sqlite/import.ts'
import { openSqliteStore } from './sqlite/store.ts'
import { migrate } from './sqlite/tables.ts'
import type { Store } from './store.ts'

/** @throws the database's own error when it cannot be opened */
export function openStore({ path }: DatabaseLocation, observe: Observe): Store {
  return openSqliteStore(path, observe)
}

/** Begins an import. All tables that are missing are made, so that what comes of it can be served. */
export function openImporter(
  { path }: DatabaseLocation,
  relation: Relation,
  options: ImportOptions,
): Importer {
  migrate(path)
  return beginImport(path, relation, options)
}

/** Reads a whole relation in the order of the ids; each row is its columns' values in turn. */
export function openExport({ path }: DatabaseLocation, relation: Relation): Iterable<readonly unknown[]> {
  return readRows(path, relation)
}

/** Makes the tables that are missing. */
export function makeTables({ path }: DatabaseLocation): void {
  migrate(path)
}
