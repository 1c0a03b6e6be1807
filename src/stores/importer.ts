// How every database is filled. The records of a file go into a temporary table, with their lines; one statement
// marks the rows that clash, and one moves the others. Proven for each engine by test/stores/import-suite.ts.

import type { Cell } from '../data/fields.ts'
import { type Relation, storedColumns } from '../data/relation.ts'
import type { ErrorKinds } from './servers/errors.ts'
import type { Awaitable } from './store.ts'

/** A record of a file: a row, or the reason why it is none. */
export interface StagedRecord {
  readonly line: number
  /** The cells of a row, in the order of the relation's columns. */
  readonly row: readonly Cell[] | null
  readonly problem: string | null
  /** What the file has there, as JSON; null if nobody will ask for it. */
  readonly source: string | null
}

export interface Problem {
  readonly line: number
  readonly problem: string
  readonly source: string | null
}

/** One import: one transaction, of which no reader sees anything until it is committed. */
export interface Importer {
  /** Whether the relation had rows before, which stay: rows of the import may clash with them. */
  readonly hadRows: boolean
  readonly stage: (records: readonly StagedRecord[]) => Awaitable<void>
  /**
   * To be called once, after all records are staged.
   * @returns the records without a row, and the rows that clash with the table or with an earlier line; by line
   */
  readonly findProblems: (signal?: AbortSignal) => AsyncIterable<Problem>
  /**
   * Makes the other rows visible to all readers at once.
   * @throws the signal's reason if it is aborted before there is no way back
   */
  readonly commit: (signal?: AbortSignal) => Awaitable<void>
  /** What the operator has to know after the commit, and do; null if all is well. */
  readonly warning?: () => string | null
  /**
   * Closes the connection; without `commit`, everything is as it was.
   * @param signal if it is aborted, the server is left to undo the rows by itself
   */
  readonly close: (signal?: AbortSignal) => Awaitable<void>
}

/** The temporary table. It has these columns, and those of the relation. */
export const STAGING = 'lookup_import'
const stagingColumns = ['line', 'problem', 'source'] as const

/** The cells of a record in the order of the temporary table. */
export function stagedCells(
  { columns, derived }: Relation,
  { line, problem, source, row }: StagedRecord,
): readonly Cell[] {
  const cells: Cell[] = [line, problem, source]
  for (let index = 0; index < columns.length; index++) cells.push(row?.[index] ?? null)
  if (derived !== undefined) cells.push(row === null ? null : derived.make(String(row[derived.from])))
  return cells
}

/** The statements of an import. Each names the temporary table once, since MySQL cannot read it twice. */
export function importStatements(
  relation: Relation,
  hadRows: boolean,
  quote: (name: string) => string = (name) => name,
) {
  const table = quote(relation.name)
  const columns = storedColumns(relation).map(({ sql }) => quote(sql))
  const taken = Object.entries(relation.taken)
  const keys = taken.map(([column]) => quote(column))
  const counts = keys.map(
    (key, index) => `row_number() OVER (PARTITION BY ${key} ORDER BY line) AS nth${index}`,
  )
  const cases = taken.map(([, reason], index) => {
    const key = keys[index]
    const old = hadRows ? ` OR EXISTS (SELECT 1 FROM ${table} AS old WHERE old.${key} = staged.${key})` : ''
    return `WHEN ${key} IS NOT NULL AND (nth${index} > 1${old}) THEN '${reason}'`
  })
  const staged = `SELECT line, ${keys}, ${counts} FROM ${STAGING} WHERE problem IS NULL`
  return {
    /** The columns of the temporary table. */
    columns: [...stagingColumns, ...columns].join(),
    /** The lines that clash, and the first of the reasons. */
    clashes: `SELECT line, reason FROM (
      SELECT line, CASE ${cases.join(' ')} END AS reason FROM (${staged}) AS staged
    ) AS judged WHERE reason IS NOT NULL`,
    problems: `SELECT line, problem, source FROM ${STAGING} WHERE problem IS NOT NULL ORDER BY line`,
    move: `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${STAGING} WHERE problem IS NULL`,
  }
}

/** Marks the rows that clash, as SQLite and PostgreSQL can. */
export function markClashes(clashes: string): string {
  return `UPDATE ${STAGING} SET problem = clash.reason FROM (${clashes}) AS clash WHERE clash.line = ${STAGING}.line`
}

/** @param row as the statement `problems` selects it */
export function toProblem([line, problem, source]: readonly unknown[]): Problem {
  return { line: Number(line), problem: String(problem), source: source === null ? null : String(source) }
}

/** The importer with better errors. */
export function withErrors(importer: Importer, explain: (error: unknown) => unknown): Importer {
  const rethrow = (error: unknown): never => {
    throw explain(error)
  }
  return {
    ...importer,
    stage: async (records) => Promise.resolve(importer.stage(records)).catch(rethrow),
    findProblems: async function* (signal) {
      try {
        yield* importer.findProblems(signal)
      } catch (error) {
        rethrow(error)
      }
    },
    commit: async (signal) => Promise.resolve(importer.commit(signal)).catch(rethrow),
  }
}

/** A view cannot be filled. */
export function viewError({ name }: Relation): Error {
  return new Error(`${name} is a view in this database: import into the tables that it reads`)
}

/** The connection was lost while the server committed: all rows are there, or none. */
export class UnknownOutcome extends Error {}

type LossKinds = Pick<ErrorKinds, 'isConnectionLost' | 'reasonOf'>

/** Waits for a COMMIT, of which the server's response may be lost though it was carried out. */
export async function awaitCommit(commit: Promise<unknown>, kinds: LossKinds): Promise<void> {
  try {
    await commit
  } catch (error) {
    if (!kinds.isConnectionLost(error)) throw error
    throw new UnknownOutcome(
      `The outcome of the import is unknown: the connection was lost during COMMIT (${kinds.reasonOf(error)}). ` +
        'Either all rows were imported or none. Check with "lookup export", and import again if they are missing.',
    )
  }
}

/** About a lost connection, a driver may say no more than ECONNRESET. Other errors stay as they are. */
export function explainLoss(error: unknown, { isConnectionLost, reasonOf }: LossKinds): unknown {
  if (error instanceof UnknownOutcome || !isConnectionLost(error)) return error
  return new Error(
    `the connection was lost during the import (${reasonOf(error)}). ` +
      'See the log of the server for the reason, and import again',
  )
}
