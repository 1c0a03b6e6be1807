import { existsSync, rmSync } from 'node:fs'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { type Cell, type Relation, storedCells, storedColumns } from '../../records/relation.ts'
import { ClashError, type Importer, type ImportOptions, type Refusal, type Row } from '../importer.ts'
import { isConstraintError, openForWriting } from './database.ts'
import { dropIndexes, isView, makeTable, migrate } from './tables.ts'
import { emptyLog, undo } from './write-ahead-log.ts'

/** How many rows one INSERT takes in a bulk import. */
const ROWS = 32

/** Begins an import into an SQLite file. Where there is none it is made, and kept if the import is committed. */
export function beginImport(path: string, relation: Relation, options: ImportOptions): Importer {
  const made = !existsSync(path)
  // An empty database would pass for the one that was wanted.
  const remove = () => {
    if (made) for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true })
  }
  let database: DatabaseSync | null = null
  const close = (committed: boolean) => {
    if (!committed && database !== null) undo(database)
    database?.close()
    if (!committed) remove()
  }
  try {
    migrate(path)
    database = openForWriting(path)
    return startImport(database, relation, options, close)
  } catch (error) {
    close(false)
    throw error
  }
}

function startImport(
  database: DatabaseSync,
  relation: Relation,
  { replace, bulk }: ImportOptions,
  end: (committed: boolean) => void,
): Importer {
  const { name } = relation
  if (isView(database, relation))
    throw new Error(`${name} is a view in this database: import into the tables it is made of`)
  const sql = storedColumns(relation).map((column) => column.sql)
  const slots = `(${sql.map(() => '?').join()})`
  const insert = (rows: number): StatementSync =>
    database.prepare(`INSERT INTO ${name} (${sql.join()}) VALUES ${Array(rows).fill(slots).join()}`)

  database.exec('BEGIN IMMEDIATE')
  if (replace) database.exec(`DELETE FROM ${name}`)
  const inBulk = bulk && database.prepare(`SELECT 1 FROM ${name} LIMIT 1`).get() === undefined
  if (inBulk) dropIndexes(database, relation)
  // Rows alone are only appended, and sorting for the indexes is fastest in small runs that fit the processor's
  // cache, on two threads; live indexes are written all over.
  database.exec(inBulk ? 'PRAGMA cache_size = -2048; PRAGMA threads = 1' : 'PRAGMA cache_size = -32768')
  const insertOne = insert(1)
  const insertMany = insert(ROWS)
  let pending: Cell[] = []
  let committed = false

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
        if (pending.length === ROWS * sql.length) flush()
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
    if (rows.length === ROWS * sql.length) insertMany.run(...rows)
    else
      for (let at = 0; at < rows.length; at += sql.length) insertOne.run(...rows.slice(at, at + sql.length))
  }

  function commit(): void {
    try {
      flush()
      makeTable(database, relation)
    } catch (error) {
      throw isConstraintError(error) ? new ClashError() : error
    }
    database.exec('COMMIT')
    committed = true
    emptyLog(database)
  }

  return { add, commit, close: () => end(committed) }
}
