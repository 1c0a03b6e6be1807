// Connections to SQLite files, and the kinds of errors that SQLite has.

import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

interface ReaderOptions {
  /** Milliseconds that a query waits for another program's lock. The process does nothing else meanwhile. */
  readonly lockTimeout: number
  /** Whether to read the file alone, without its WAL and without locks, as if nothing could change it. */
  readonly immutable?: boolean
}

/**
 * Bytes of the file that are memory-mapped, which saves copying pages: the size of a file with some hundred
 * thousand rows. The price: if the disk fails under a page that is being read, or a program truncates the
 * file during a query, the system ends the process. Between queries SQLite notices, and it is a 503.
 */
const MMAP_BYTES = 48 * 1024 * 1024

/** Opens a database for reading only; SQLite itself refuses writes. @throws SQLite's error */
export function openForReading(
  path: string,
  { lockTimeout, immutable = false }: ReaderOptions,
): DatabaseSync {
  const database = new DatabaseSync(immutable ? immutableUrl(path) : path, {
    readOnly: true,
    timeout: lockTimeout,
  })
  try {
    // The cache has the upper levels of the indexes of ten million users.
    database.exec(`PRAGMA mmap_size = ${MMAP_BYTES}; PRAGMA cache_size = -4096`)
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

/**
 * For a connection that writes. In WAL mode, readers see the old rows until a transaction is committed, and a
 * committed transaction survives a crash of the process.
 */
export const WRITING = 'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL'

/** Whether SQLite itself failed: no file, no such table, corrupt, busy, disk error. */
export function isSqliteError(error: unknown): error is Error & { errcode: number } {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR'
}

/** Codes of errors without their extensions: https://sqlite.org/rescode.html */
const CODES = { SQL: 1, BUSY: 5, READONLY: 8, CONSTRAINT: 19 } as const

export function hasCode(error: unknown, code: keyof typeof CODES): error is Error {
  return isSqliteError(error) && (error.errcode & 0xff) === CODES[code]
}
