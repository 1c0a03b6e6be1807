// The files of a database: SQLite keeps a WAL, its index (shm) and a rollback journal beside it, by name.

import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs'
import { UnusableDatabase } from '../store.ts'
import { hasCode } from './database.ts'

/** The file that a path leads to, beside which SQLite keeps the others. It may not exist. */
export function resolveLinks(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** Identifies a file whatever its name is; `null` if there is no file. @throws if the system cannot tell */
export function identityOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? null : `${found.dev}:${found.ino}`
}

/** Whether a file is there, and has content. */
export function isFilled(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0
}

/**
 * Whether a rollback journal has changes to undo. With `journal_mode = PERSIST` the journal stays after each
 * transaction, and begins with zeros.
 */
export function hasHotJournal(path: string): boolean {
  if (!isFilled(`${path}-journal`)) return false
  const journal = openSync(`${path}-journal`, 'r')
  try {
    const first = Buffer.alloc(1)
    return readSync(journal, first) === 1 && first[0] !== 0
  } finally {
    closeSync(journal)
  }
}

/** Returns the error, or one that tells the operator what to do. */
export function explain<Thrown>(path: string, error: Thrown): Thrown | UnusableDatabase {
  // A reader would first have to undo what a killed program has left.
  if (hasCode(error, 'READONLY') && hasHotJournal(path)) return journalError(path)
  if (!hasCode(error, 'BUSY')) return error
  return new UnusableDatabase(
    `The database ${path} is locked by another program that is writing. Stop that program. So that writers lock ` +
      `no readers out, run: sqlite3 ${path} 'PRAGMA journal_mode = WAL'`,
  )
}

/** The error for a database that a program was writing to, with a rollback journal, when it was killed. */
export function journalError(path: string): UnusableDatabase {
  return new UnusableDatabase(
    `The database ${path} cannot be used: a program was killed while it was writing, and ${path}-journal has ` +
      `what undoes that. Roll back: sqlite3 ${path} 'PRAGMA user_version'`,
  )
}
