// The order of the steps of an import, and their SQL, for every engine. The records of a file go into a
// temporary table, with their lines; one statement marks the rows that clash, and one moves the others into
// the table. One suite tests it for each engine: test/stores/import-suite.ts.

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
  /** The record as JSON, for the file of rejects; null without such a file. */
  readonly source: string | null
}

export interface Problem {
  readonly line: number
  readonly problem: string
  readonly source: string | null
}

/** The steps of an import, as an engine does them. Readers see no row before `commit`. */
interface Steps {
  /** Whether the relation had rows before, which stay: rows of the import may clash with them. */
  readonly hadRows: boolean
  /** @param rows as the temporary table has them */
  readonly stage: (rows: readonly (readonly Cell[])[]) => Awaitable<void>
  readonly finishStaging: () => Awaitable<void>
  /** Deletes the rows to be replaced, and moves those without a problem out of the temporary table. */
  readonly move: (signal?: AbortSignal) => Awaitable<void>
  /** Whether `move` failed because rows clash. */
  readonly isClash: (error: unknown) => boolean
  readonly undoMove: () => Awaitable<void>
  readonly markClashes: () => Awaitable<void>
  /** Runs the statement `problems`. */
  readonly readProblems: () => Iterable<readonly unknown[]> | AsyncIterable<readonly unknown[]>
  readonly commit: () => Awaitable<void>
  /** A warning for the operator after the commit, such as about rows in a WAL; null for none. */
  readonly warning?: () => string | null
  /**
   * Closes the connection; without `commit`, everything is as it was.
   * @param signal if it is aborted, the server is left to undo the rows by itself
   */
  readonly close: (signal?: AbortSignal) => Awaitable<void>
  readonly explain: (error: unknown) => unknown
}

export type Importer = ReturnType<typeof createImporter>

export function createImporter(relation: Relation, steps: Steps) {
  const { hadRows, warning = () => null, close, explain } = steps
  let isValid = true
  let isMoved = false

  async function stage(records: readonly StagedRecord[]): Promise<void> {
    const rows = records.map((record) => {
      isValid &&= record.problem === null
      return stagedCells(relation, record)
    })
    await steps.stage(rows)
  }

  /**
   * Most files are valid: the indexes of the table notice a clash faster than the statement that finds all.
   */
  async function tryMove(signal: AbortSignal | undefined): Promise<void> {
    try {
      await steps.move(signal)
      isMoved = true
    } catch (error) {
      if (!steps.isClash(error)) throw error
      await steps.undoMove()
    }
  }

  /**
   * To be called once, after all records are staged.
   * @returns the records without a row, and the rows that clash with the table or with an earlier line; by
   * line
   */
  async function* findProblems(signal?: AbortSignal): AsyncGenerator<Problem> {
    try {
      await steps.finishStaging()
      if (isValid) await tryMove(signal)
      if (isMoved) return
      await steps.markClashes()
      for await (const [line, problem, source] of steps.readProblems())
        yield {
          line: Number(line),
          problem: String(problem),
          source: source === null ? null : String(source),
        }
    } catch (error) {
      throw explain(error)
    }
  }

  async function commit(signal?: AbortSignal): Promise<void> {
    if (!isMoved) await steps.move(signal)
    signal?.throwIfAborted()
    await steps.commit()
  }

  const rethrow = (error: unknown): never => {
    throw explain(error)
  }
  return {
    ...{ hadRows, findProblems, warning, close },
    stage: (records: readonly StagedRecord[]) => stage(records).catch(rethrow),
    /**
     * Makes the rows without a problem visible to all readers at once.
     * @throws the signal's reason if it is aborted before there is no way back
     */
    commit: (signal?: AbortSignal) => commit(signal).catch(rethrow),
  }
}

/** The temporary table. It has these columns, and those of the relation. */
export const STAGING = 'lookup_import'
const stagingColumns = ['line', 'problem', 'source'] as const

/** The cells of a record in the order of the temporary table. */
export function stagedCells(
  relation: Relation,
  { line, problem, source, row }: StagedRecord,
): readonly Cell[] {
  if (row === null) return [line, problem, source, ...storedColumns(relation).map(() => null)]
  const { derived } = relation
  if (derived === undefined) return [line, problem, source, ...row]
  return [line, problem, source, ...row, derived.make(String(row[derived.from]))]
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
  const clashes = `SELECT line, reason FROM (
      SELECT line, CASE ${cases.join(' ')} END AS reason FROM (${staged}) AS staged
    ) AS judged WHERE reason IS NOT NULL`
  return {
    /** The columns of the temporary table. */
    columns: [...stagingColumns, ...columns].join(),
    /** The lines that clash, and the first of the reasons. */
    clashes,
    /** As SQLite and PostgreSQL can. */
    markClashes: `UPDATE ${STAGING} SET problem = reason FROM (${clashes}) AS clash WHERE clash.line = ${STAGING}.line`,
    problems: `SELECT line, problem, source FROM ${STAGING} WHERE problem IS NOT NULL ORDER BY line`,
    move: `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${STAGING} WHERE problem IS NULL`,
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
