// The temporary table of an import, and the statements over it, for every engine.

import type { Cell } from '../data/fields.ts'
import { type Relation, storedColumns } from '../data/relation.ts'

/** A record of a file. */
export interface StagedRecord {
  readonly line: number
  /** The cells in the order of the relation's columns, or the problem of an invalid record. */
  readonly cells: readonly Cell[] | string
  /** The record as JSON, for the file of rejects; null without such a file. */
  readonly source: string | null
}

/** The name of the temporary table: `line`, `problem`, `source`, and the columns of the relation. */
export const STAGING = 'lookup_import'

/** The cells of a record in the order of the temporary table. */
export function stagedCells(relation: Relation, { line, cells, source }: StagedRecord): readonly Cell[] {
  if (typeof cells === 'string') return [line, cells, source, ...storedColumns(relation).map(() => null)]
  const { derived } = relation
  if (derived === undefined) return [line, null, source, ...cells]
  return [line, null, source, ...cells, derived.make(String(cells[derived.from]))]
}

/**
 * Makes the statements of an import. Each names the temporary table once, since MySQL cannot read it twice.
 * @param hadRows whether the table has rows that stay: rows of the import may clash with them
 */
export function importStatements(
  relation: Relation,
  hadRows: boolean,
  quote: (name: string) => string = (name) => name,
) {
  const table = quote(relation.name)
  const columns = storedColumns(relation)
    .map(({ sql }) => quote(sql))
    .join()
  // The first line with a value is valid, unless an old row has the value.
  const unique = Object.entries(relation.taken).map(([column, reason], index) => {
    const [key, nth] = [quote(column), `nth${index}`]
    const old = hadRows ? ` OR EXISTS (SELECT 1 FROM ${table} AS old WHERE old.${key} = staged.${key})` : ''
    return {
      key,
      count: `row_number() OVER (PARTITION BY ${key} ORDER BY line) AS ${nth}`,
      clash: `WHEN ${key} IS NOT NULL AND (${nth} > 1${old}) THEN '${reason}'`,
    }
  })
  const staged = `SELECT line, ${unique.map(({ key, count }) => `${key}, ${count}`).join()}
    FROM ${STAGING} WHERE problem IS NULL`
  const reasons = `SELECT line, CASE ${unique.map(({ clash }) => clash).join(' ')} END AS reason
    FROM (${staged}) AS staged`
  const clashes = `SELECT line, reason FROM (${reasons}) AS checks WHERE reason IS NOT NULL`
  return {
    /** The columns of the temporary table. */
    columns: `line,problem,source,${columns}`,
    /** Selects the lines that clash, each with its first reason. */
    clashes,
    /** For SQLite and PostgreSQL. MySQL has a statement of its own. */
    markClashes: `UPDATE ${STAGING} SET problem = reason FROM (${clashes}) AS clash WHERE clash.line = ${STAGING}.line`,
    /** Selects the lines that clash or are not valid. */
    problems: `SELECT line, problem, source FROM ${STAGING} WHERE problem IS NOT NULL ORDER BY line`,
    remove: `DELETE FROM ${table}`,
    move: (first: number, last: number) =>
      `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${STAGING}
        WHERE problem IS NULL AND line BETWEEN ${first} AND ${last}`,
  }
}
