// Finds lookups for which SQLite reads a whole table. SQLite runs in the process, so everybody waits for it:
// a view whose chat identifiers are an unindexed subquery over 20,000 rows takes minutes for one lookup.

import type { DatabaseSync } from 'node:sqlite'
import type { Relation } from '../../data/relation.ts'

/** Rows that may be read for a value. They take 0.1 ms. */
export const MAX_SCANNED_ROWS = 1_000
/** Milliseconds that a lookup of one value may take, of three attempts. A usual one takes 0.02 ms. */
const MAX_MILLISECONDS = 5
const ATTEMPTS = 3

/** Returns why lookups by a column are refused, and what to do, or null. @param sql with one parameter */
export function describeSlowness(
  database: DatabaseSync,
  sql: string,
  relation: Relation,
  key: string,
): string | null {
  const table = findScan(database, sql)
  const milliseconds = table === null ? measureSlowness(database, sql, relation, key) : null
  if (table === null && milliseconds === null) return null
  const fault = table === null ? `takes ${Math.round(milliseconds ?? 0)} ms` : `reads all rows of ${table}`
  return (
    `Lookups of ${relation.name} by ${key} are refused: each ${fault}, and everybody would wait. ` +
    `Add an index to ${table ?? 'the tables that it reads'} for what the view compares, or set DATABASE_ALLOW_SCANS=on`
  )
}

/** Returns the table of which a statement reads too many rows, or null. @param sql with one parameter */
export function findScan(database: DatabaseSync, sql: string): string | null {
  const sizes = scannedTables(database, sql).map((table) => [table, countUpTo(database, table)] as const)
  const counts = sizes.map(([, count]) => count)
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all('[]')
  // A correlated subquery reads its table once for each row of the outer one.
  const rows = plan.some(({ detail }) => String(detail).includes('CORRELATED'))
    ? counts.reduce((product, count) => product * count, 1)
    : counts.reduce((sum, count) => sum + count, 0)
  if (rows <= MAX_SCANNED_ROWS) return null
  return sizes.toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? null
}

/**
 * Runs a lookup of one value, and returns its milliseconds if it is too slow: an index that fits thousands of
 * rows is no scan, and takes as long. @param key the column that is looked up
 */
export function measureSlowness(
  database: DatabaseSync,
  sql: string,
  { name }: Relation,
  key: string,
): number | null {
  // A million users may have no chat identifier: only some rows are read for a value.
  const some = `SELECT ${key} AS value FROM ${name} LIMIT ${MAX_SCANNED_ROWS}`
  const first = database.prepare(`SELECT value FROM (${some}) WHERE value IS NOT NULL LIMIT 1`)
  // An id beyond 2^53 refuses its row, and not the file.
  first.setReadBigInts(true)
  const value = first.get()?.value
  if (value === undefined) return null
  const statement = database.prepare(sql)
  statement.setReadBigInts(true)
  const list = `[${typeof value === 'bigint' ? value : JSON.stringify(value)}]`
  const times = Array.from({ length: ATTEMPTS }, () => {
    const started = performance.now()
    statement.all(list)
    return performance.now() - started
  })
  const best = Math.min(...times)
  return best > MAX_MILLISECONDS ? best : null
}

/** The code of a statement reads a table from its first row (Rewind) or its last, or seeks a key. */
function scannedTables(database: DatabaseSync, sql: string): string[] {
  const rootOf = new Map<unknown, unknown>()
  const roots = new Set<unknown>()
  for (const { opcode, p1, p2 } of database.prepare(`EXPLAIN ${sql}`).all('[]')) {
    if (opcode === 'OpenRead') rootOf.set(p1, p2)
    if ((opcode === 'Rewind' || opcode === 'Last') && rootOf.has(p1)) roots.add(rootOf.get(p1))
  }
  const nameOf = database.prepare('SELECT tbl_name FROM sqlite_schema WHERE rootpage = ?')
  return [...roots].flatMap((root) => {
    const name = nameOf.get(Number(root))?.tbl_name
    return typeof name === 'string' ? [name] : []
  })
}

/** Returns the columns of a scanned table that a statement compares, so that an index has them. */
export function findComparedColumns(database: DatabaseSync, sql: string, table: string): string[] {
  const code = database.prepare(`EXPLAIN ${sql}`).all('[]')
  const root = database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table)?.rootpage
  const names = database.prepare('SELECT name FROM pragma_table_info(?)').all(table)
  const cursors = code.filter(({ opcode, p2 }) => opcode === 'OpenRead' && p2 === root).map(({ p1 }) => p1)
  const compared = new Set<unknown>()
  for (const { opcode, p1, p3 } of code)
    if (/^(?:Eq|Ne|Lt|Le|Gt|Ge)$/.test(String(opcode))) compared.add(p1).add(p3)
  const columns = code.filter(
    ({ opcode, p1, p3 }) => opcode === 'Column' && cursors.includes(p1) && compared.has(p3),
  )
  return [...new Set(columns.map(({ p2 }) => String(names[Number(p2)]?.name)))]
}

function countUpTo(database: DatabaseSync, table: string): number {
  const name = `"${table.replaceAll('"', '""')}"`
  const limit = MAX_SCANNED_ROWS + 1
  return Number(database.prepare(`SELECT count(*) AS n FROM (SELECT 1 FROM ${name} LIMIT ${limit})`).get()?.n)
}
