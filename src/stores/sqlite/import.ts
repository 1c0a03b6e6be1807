import type { StatementSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import type { Clock } from '../../clock.ts'
import type { Cell } from '../../data/fields.ts'
import { type Relation, storedColumns } from '../../data/relation.ts'
import {
  type Importer,
  importStatements,
  markClashes,
  type Problem,
  STAGING,
  type StagedRecord,
  stagedCells,
  toProblem,
  viewError,
} from '../importer.ts'
import { isConstraintError } from './database.ts'
import { dropIndexes, isView, makeTables, partsOf } from './tables.ts'
import { beginTransaction, type Transaction } from './transaction.ts'
import { emptyLog } from './write-ahead-log.ts'

/** Rows of one INSERT. */
const ROWS_PER_INSERT = 32

/**
 * Begins an import into an SQLite file. If there is none, it is made, and kept if the import is committed.
 */
export async function beginImport(
  path: string,
  relation: Relation,
  replace: boolean,
  clock?: Clock,
): Promise<Importer> {
  const transaction = await beginTransaction(path, clock)
  try {
    return startImport(path, transaction, relation, replace)
  } catch (error) {
    transaction.close()
    throw error
  }
}

function startImport(
  path: string,
  { database, commit: commitTransaction, close }: Transaction,
  relation: Relation,
  replace: boolean,
): Importer {
  const { name } = relation
  if (isView(database, relation)) throw viewError(relation)
  makeTables(database)
  const hadRows = !replace && database.prepare(`SELECT 1 FROM ${name} LIMIT 1`).get() !== undefined
  const { columns, clashes, problems, move } = importStatements(relation, hadRows)
  // Rows alone are only appended, and sorting for the indexes is fastest in small runs that fit the
  // processor's cache, on two threads; live indexes are written all over.
  database.exec(hadRows ? 'PRAGMA cache_size = -32768' : 'PRAGMA cache_size = -2048; PRAGMA threads = 1')
  database.exec(`CREATE TEMP TABLE ${STAGING} (${columns.replace('line', 'line INTEGER PRIMARY KEY')})`)
  const width = 3 + storedColumns(relation).length
  const slots = `(${Array(width).fill('?')})`
  const insert = (rows: number): StatementSync =>
    database.prepare(`INSERT INTO ${STAGING} VALUES ${Array(rows).fill(slots)}`)
  const insertOne = insert(1)
  const insertMany = insert(ROWS_PER_INSERT)
  let pending: Cell[] = []
  let isValid = true
  let isMoved = false
  let isComplete = true

  function stage(records: readonly StagedRecord[]): void {
    for (const record of records) {
      for (const cell of stagedCells(relation, record)) pending.push(cell)
      isValid &&= record.problem === null
      if (pending.length < ROWS_PER_INSERT * width) continue
      insertMany.run(...pending)
      pending = []
    }
  }

  /** Most files are valid. An index that is made afterwards finds clashes at no cost. */
  async function* findProblems(signal?: AbortSignal): AsyncGenerator<Problem> {
    for (let at = 0; at < pending.length; at += width) insertOne.run(...pending.slice(at, at + width))
    if (isValid) {
      database.exec('SAVEPOINT valid')
      try {
        await moveRows(signal)
        isMoved = true
        return
      } catch (error) {
        if (!isConstraintError(error)) throw error
        database.exec('ROLLBACK TO valid')
      }
    }
    database.exec(markClashes(clashes))
    const statement = database.prepare(problems)
    statement.setReturnArrays(true)
    for (const row of statement.iterate()) yield toProblem(Object.values(row))
  }

  async function moveRows(signal?: AbortSignal): Promise<void> {
    if (replace) database.exec(`DELETE FROM ${name}`)
    if (!hadRows) dropIndexes(database, relation)
    // Each takes up to a second for some million rows, in which no signal arrives.
    for (const statement of [move, ...partsOf(relation)]) {
      database.exec(statement)
      await untilSignalsArrive()
      signal?.throwIfAborted()
    }
  }

  async function commit(signal?: AbortSignal): Promise<void> {
    if (!isMoved) await moveRows(signal)
    signal?.throwIfAborted()
    commitTransaction()
    isComplete = emptyLog(database)
  }

  const warning = () => (isComplete ? null : describeIncomplete(path))
  return { hadRows, stage, findProblems, commit, warning, close }
}

/** The file alone does not have all rows: an operator who renames it over another would lose them. */
function describeIncomplete(path: string): string {
  return (
    `The rows are imported, but some are only in ${path}-wal: another program is reading ${path}, or its disk is ` +
    `full. Before you rename or copy the file, stop that program and run: ` +
    `sqlite3 ${path} 'PRAGMA wal_checkpoint(TRUNCATE)'`
  )
}

/** A signal that has come arrives between two turns of the event loop. */
async function untilSignalsArrive(): Promise<void> {
  await turn()
  await turn()
}
