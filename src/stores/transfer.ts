// Location → what fills a database and reads it whole. Apart from open-store.ts, since a gateway that starts has no
// use for it.

import type { Relation } from '../records/relation.ts'
import type { DatabaseLocation } from '../settings.ts'
import type { Importer, ImportOptions } from './importer.ts'
import { readRows } from './sqlite/export.ts'
import { beginImport } from './sqlite/import.ts'
import { migrate } from './sqlite/tables.ts'

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
