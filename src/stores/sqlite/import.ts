import type { StatementSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import type { Clock } from '../../clock.ts'
import type { Cell } from '../../data/fields.ts'
import { type Relation, storedCells, storedColumns } from '../../data/relation.ts'
import { viewError } from '../import-errors.ts'
import { ClashError, type Importer, type ImportOptions, type Refusal, type Row } from '../importer.ts'
import { isConstraintError } from './database.ts'
import { dropIndexes, isView, makeTables, partsOf } from './tables.ts'
import { beginTransaction, type Transaction } from './transaction.ts'
import { emptyLog } from './write-ahead-log.ts'

/** How many rows one INSERT takes in a bulk import. */
const ROWS_PER_INSERT = 32

/**
 * Begins an import into an SQLite file. Where there is none it is made, and kept if the import is committed.
 */
export async function beginImport(
  path: string,
  relation: Relation,
  options: ImportOptions,
  clock?: Clock,
): Promise<Importer> {
  const transaction = await beginTransaction(path, clock)
  try {
    return startImport(path, transaction, relation, options)
  } catch (error) {
    transaction.close()
    throw error
  }
}

function startImport(
  path: string,
  { database, commit: commitTransaction, close }: Transaction,
  relation: Relation,
  { replace, bulk }: ImportOptions,
): Importer {
  const { name } = relation
  if (isView(database, relation)) throw viewError(relation)
  const sql = storedColumns(relation).map((column) => column.sql)
  const slots = `(${sql.map(() => '?').join()})`
  const insert = (rows: number): StatementSync =>
    database.prepare(`INSERT INTO ${name} (${sql.join()}) VALUES ${Array(rows).fill(slots).join()}`)

  makeTables(database)
  if (replace) database.exec(`DELETE FROM ${name}`)
  const hadRows = database.prepare(`SELECT 1 FROM ${name} LIMIT 1`).get() !== undefined
  const inBulk = bulk && !hadRows
  if (inBulk) dropIndexes(database, relation)
  // Rows alone are only appended, and sorting for the indexes is fastest in small runs that fit the
  // processor's cache, on two threads; live indexes are written all over.
  database.exec(inBulk ? 'PRAGMA cache_size = -2048; PRAGMA threads = 1' : 'PRAGMA cache_size = -32768')
  const insertOne = insert(1)
  const insertMany = insert(ROWS_PER_INSERT)
  let pending: Cell[] = []
  let isComplete = true

  function add(rows: readonly Row[]): Refusal[] {
    const refused: Refusal[] = []
    for (const [index, row] of rows.entries()) {
      const reason = addRow(row)
      if (reason !== null) refused.push({ index, reason })
    }
    return refused
  }

  function addRow(cells: Row): string | null {
    const row = storedCells(relation, cells)
    try {
      if (!inBulk) insertOne.run(...row)
      else {
        pending.push(...row)
        if (pending.length === ROWS_PER_INSERT * sql.length) flush()
      }
      return null
    } catch (error) {
      if (!isConstraintError(error)) throw error
      if (inBulk) throw new ClashError()
      const column = /\.(\w+)$/.exec(error.message)?.[1] ?? ''
      return relation.taken[column] ?? 'another row has one of these values'
    }
  }

  function flush(): void {
    const rows = pending
    pending = []
    if (rows.length === ROWS_PER_INSERT * sql.length) insertMany.run(...rows)
    else
      for (let at = 0; at < rows.length; at += sql.length) insertOne.run(...rows.slice(at, at + sql.length))
  }

  async function commit(signal?: AbortSignal): Promise<void> {
    try {
      flush()
      // An index takes a second for some million rows, in which no signal is heard.
      for (const statement of partsOf(relation)) {
        database.exec(statement)
        await untilHeard()
        signal?.throwIfAborted()
      }
    } catch (error) {
      throw isConstraintError(error) ? new ClashError() : error
    }
    commitTransaction()
    isComplete = emptyLog(database)
  }

  const warning = () => (isComplete ? null : incomplete(path))
  return { hadRows, add, commit, warning, close }
}

/** The file alone has not got all rows: an operator who renames it over another would lose them. */
function incomplete(path: string): string {
  return (
    `The rows are imported, but some are only in ${path}-wal: another program is reading ${path}, or its disk is ` +
    `full. Before you rename or copy the file, stop that program and run: ` +
    `sqlite3 ${path} 'PRAGMA wal_checkpoint(TRUNCATE)'`
  )
}

/** A signal that has come is heard between two turns of the event loop. */
async function untilHeard(): Promise<void> {
  await turn()
  await turn()
}
