// Connections to SQLite files, and the kinds of errors that SQLite has.

import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { DEFAULT_MMAP_BYTES } from '../../config/database.ts'

interface ReaderOptions {
  /** Milliseconds that a query waits for another program's lock. The process does nothing else meanwhile. */
  readonly lockTimeout: number
  /** Whether to read the file alone, without its WAL and without locks, as if nothing could change it. */
  readonly immutable?: boolean
  /** Bytes of the file that are memory-mapped. */
  readonly mmap?: number | undefined
}

/** Opens a database for reading only; SQLite itself refuses writes. @throws SQLite's error */
export function openForReading(
  path: string,
  { lockTimeout, immutable = false, mmap = DEFAULT_MMAP_BYTES }: ReaderOptions,
): DatabaseSync {
  const database = new DatabaseSync(immutable ? immutableUrl(path) : path, {
    readOnly: true,
    timeout: lockTimeout,
  })
  // A memory map saves copying pages. The cache has the upper levels of the indexes of ten million users.
  // The price of the map: if the disk fails under a page that is being read, or a program truncates the file
  // during a query, the system ends the process. Between queries SQLite notices, and it is a 503.
  try {
    database.exec(`PRAGMA mmap_size = ${mmap}; PRAGMA cache_size = -4096`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function immutableUrl(path: string): URL {
  const url = pathToFileURL(resolve(path))
  url.searchParams.set('immutable', '1')
  return url
}

/** For a connection that writes. In WAL mode, readers see the old rows until a transaction is committed. */
export const WRITING = 'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL'

/** Whether SQLite itself failed: no file, no such table, corrupt, busy, disk error. */
export function isSqliteError(error: unknown): error is Error & { errcode: number } {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR'
}

/** The code without its extension, such as SQLITE_BUSY or SQLITE_CANTOPEN; 0 if the error is not SQLite's. */
export function primaryCode(error: unknown): number {
  return isSqliteError(error) ? error.errcode & 0xff : 0
}

/** Whether a constraint was violated (SQLITE_CONSTRAINT). */
export function isConstraintError(error: unknown): error is Error {
  return primaryCode(error) === 19
}

/** Whether another program has the file locked (SQLITE_BUSY). */
export function isBusy(error: unknown): boolean {
  return primaryCode(error) === 5
}

/** Whether a column has an integer beyond 2^53. */
export function isOutOfRange(error: unknown): boolean {
  return error instanceof RangeError && 'code' in error && error.code === 'ERR_OUT_OF_RANGE'
}
