import { DatabaseSync } from 'node:sqlite'

/** Opens a database for reading only; SQLite itself refuses writes. Throws SQLite's error when it cannot. */
export function openForReading(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 1000 })
  // Part of the file is read in place, which saves copying pages; of the rest, 4 MiB are kept: the upper levels of the
  // indexes of some ten million users. The price: where the disk fails under a page that is being read, or someone cuts
  // the file in the middle of a query, the system ends the process. Between queries SQLite notices, and it is a 503.
  database.exec(`PRAGMA mmap_size = ${48 * 1024 * 1024}; PRAGMA cache_size = -4096`)
  return database
}

/**
 * Opens a database for writing, and makes the file if there is none. In WAL mode readers go on seeing the old
 * state until a transaction is committed, and see the new one from then on.
 */
export function openForWriting(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 10_000 })
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  return database
}

/** Whether SQLite itself failed: no file, no such table, corrupt, busy, disk error. */
export function isSqliteError(error: unknown): error is Error & { errcode: number } {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR'
}

/** Whether a constraint was violated (SQLITE_CONSTRAINT and its extended codes). */
export function isConstraintError(error: unknown): error is Error {
  return isSqliteError(error) && (error.errcode & 0xff) === 19
}

/** Whether a column has an integer beyond 2^53. */
export function isOutOfRange(error: unknown): boolean {
  return error instanceof RangeError && 'code' in error && error.code === 'ERR_OUT_OF_RANGE'
}
