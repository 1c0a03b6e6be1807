// Imports into an SQLite file, in one transaction: readers see no row before the commit.

import type { StatementSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import type { Clock } from '../../clock.ts'
import type { Cell } from '../../data/fields.ts'
import { type Relation, storedColumns } from '../../data/relation.ts'
import { createStatements } from '../../data/relations.ts'
import { createImporter, type Importer, viewError } from '../importer.ts'
import { importStatements, STAGING } from '../staging.ts'
import { hasCode } from './database.ts'
import { dropIndexes, isView, makeTables } from './tables.ts'
import { beginTransaction, type Transaction } from './transaction.ts'

/** Rows of one INSERT. */
const ROWS_PER_INSERT = 32
/**
 * Memory to sort new indexes in, and to write all over indexes that have rows: KiB, as SQLite counts them.
 * Sorting is fastest in small runs, which fit the cache of the processor, on two threads.
 */
const [SORTING_CACHE, WRITING_CACHE] = [-2048, -32768]

/** Begins an import. A missing file is created, and stays if the import is committed. */
export async function beginImport(
  path: string,
  relation: Relation,
  replace: boolean,
  clock?: Clock,
): Promise<Importer> {
  const transaction = await beginTransaction(path, clock)
  try {
    return startImport(transaction, relation, replace)
  } catch (error) {
    transaction.close()
    throw error
  }
}

function startImport(
  { database, commit, close }: Transaction,
  relation: Relation,
  replace: boolean,
): Importer {
  const { name } = relation
  if (isView(database, relation)) throw viewError(relation)
  makeTables(database)
  const hadRows = !replace && database.prepare(`SELECT 1 FROM ${name} LIMIT 1`).get() !== undefined
  const statements = importStatements(relation, hadRows)
  database.exec(`PRAGMA cache_size = ${SORTING_CACHE}; PRAGMA threads = 1`)
  database.exec(
    `CREATE TEMP TABLE ${STAGING} (${statements.columns.replace('line', 'line INTEGER PRIMARY KEY')})`,
  )
  const width = 3 + storedColumns(relation).length
  const slots = `(${Array(width).fill('?')})`
  const insert = (rows: number): StatementSync =>
    database.prepare(`INSERT INTO ${STAGING} VALUES ${Array(rows).fill(slots)}`)
  const insertMany = insert(ROWS_PER_INSERT)
  let pending: Cell[] = []

  return createImporter(relation, {
    ...{ hadRows, replace, statements, commit, close },
    stage: (rows) => {
      for (const row of rows) {
        pending.push(...row)
        if (pending.length < ROWS_PER_INSERT * width) continue
        insertMany.run(...pending)
        pending = []
      }
    },
    finishStaging: () => {
      if (pending.length > 0) insert(pending.length / width).run(...pending)
    },
    beginMove: () => {
      database.exec(`SAVEPOINT unmoved; PRAGMA cache_size = ${hadRows ? WRITING_CACHE : SORTING_CACHE}`)
      if (!hadRows) dropIndexes(database, relation)
    },
    run: async (statement) => {
      database.exec(statement)
      // The handlers of signals run between two turns of the event loop.
      await turn()
      await turn()
    },
    indexes: createStatements(relation, 'sqlite'),
    isClash: (error) => hasCode(error, 'CONSTRAINT'),
    undoMove: () => database.exec('ROLLBACK TO unmoved'),
    markClashes: () => database.exec(`PRAGMA cache_size = ${SORTING_CACHE}; ${statements.markClashes}`),
    *readProblems() {
      const statement = database.prepare(statements.problems)
      statement.setReturnArrays(true)
      for (const row of statement.iterate()) yield Object.values(row)
    },
    explain: (error) => error,
  })
}
