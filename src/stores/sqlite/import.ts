import { existsSync, rmSync } from 'node:fs'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import { type Cell, type Relation, storedCells, storedColumns } from '../../data/relation.ts'
import { ClashError, type Importer, type ImportOptions, type Refusal, type Row } from '../importer.ts'
import { isBusy, isConstraintError, openForWriting } from './database.ts'
import { awaitOwnWal, identityOf, resolveLinks } from './foreign-wal.ts'
import { dropIndexes, isView, makeTables, partsOf } from './tables.ts'
import { emptyLog, undo } from './write-ahead-log.ts'

/** How many rows one INSERT takes in a bulk import. */
const ROWS_PER_INSERT = 32
/** Milliseconds to wait for another import to end, and between two looks. */
const LOCK_TIMEOUT_MS = 10_000
const LOCK_POLL_MS = 50

/**
 * Begins an import into an SQLite file. Where there is none it is made, and kept if the import is committed.
 */
export async function beginImport(
  path: string,
  relation: Relation,
  options: ImportOptions,
): Promise<Importer> {
  const file = resolveLinks(path)
  awaitOwnWal(file)
  const made = !existsSync(file)
  let own: string | null = null
  // An empty database would pass for the one that was wanted. Another file may have its name by now.
  const remove = () => {
    if (!made || (own !== null && identityOf(file) !== own)) return
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
  }
  let database: DatabaseSync | null = null
  const close = (committed: boolean) => {
    if (!committed && database !== null) undo(database)
    database?.close()
    if (!committed) remove()
  }
  try {
    makeTables(path)
    own = identityOf(file)
    database = openForWriting(path)
    return await startImport(database, relation, options, close)
  } catch (error) {
    close(false)
    throw error
  }
}

async function startImport(
  database: DatabaseSync,
  relation: Relation,
  { replace, bulk }: ImportOptions,
  end: (committed: boolean) => void,
): Promise<Importer> {
  const { name } = relation
  if (isView(database, relation))
    throw new Error(`${name} is a view in this database: import into the tables it is made of`)
  const sql = storedColumns(relation).map((column) => column.sql)
  const slots = `(${sql.map(() => '?').join()})`
  const insert = (rows: number): StatementSync =>
    database.prepare(`INSERT INTO ${name} (${sql.join()}) VALUES ${Array(rows).fill(slots).join()}`)

  await begin(database)
  if (replace) database.exec(`DELETE FROM ${name}`)
  const inBulk = bulk && database.prepare(`SELECT 1 FROM ${name} LIMIT 1`).get() === undefined
  if (inBulk) dropIndexes(database, relation)
  // Rows alone are only appended, and sorting for the indexes is fastest in small runs that fit the
  // processor's cache, on two threads; live indexes are written all over.
  database.exec(inBulk ? 'PRAGMA cache_size = -2048; PRAGMA threads = 1' : 'PRAGMA cache_size = -32768')
  const insertOne = insert(1)
  const insertMany = insert(ROWS_PER_INSERT)
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
    database.exec('COMMIT')
    committed = true
    emptyLog(database)
  }

  return { add, commit, close: () => end(committed) }
}

/** SQLite could wait by itself, but deaf to signals. */
async function begin(database: DatabaseSync): Promise<void> {
  database.exec('PRAGMA busy_timeout = 0')
  for (const started = performance.now(); ; await pause(LOCK_POLL_MS)) {
    try {
      database.exec('BEGIN IMMEDIATE')
      break
    } catch (error) {
      if (!isBusy(error) || performance.now() - started > LOCK_TIMEOUT_MS) throw error
    }
  }
  database.exec(`PRAGMA busy_timeout = ${LOCK_TIMEOUT_MS}`)
}

/** A signal that has come is heard between two turns of the event loop. */
async function untilHeard(): Promise<void> {
  await turn()
  await turn()
}
