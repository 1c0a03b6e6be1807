// The files of a database: SQLite keeps a WAL, its index (shm) and a rollback journal beside it, by name. If
// one of them is the reason of an error, the error tells the operator what to do.

import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { UnusableDatabase } from '../store.ts'
import { isBusy, primaryCode } from './database.ts'

/** Returns the file that a path leads to, beside which SQLite keeps the others. It may not exist yet. */
export function resolveLinks(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) return path
  }
  const folder = dirname(path)
  if (!existsSync(folder)) return path
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
  // SQLite creates the missing file where the link leads to.
  const target = resolve(realpathSync(folder), isLink ? readlinkSync(path) : basename(path))
  return isLink ? resolveLinks(target) : target
}

/** Identifies a file whatever its name is; `null` if there is no file. @throws if the system cannot tell */
export function identityOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? null : `${found.dev}:${found.ino}`
}

/** Whether the WAL of a database has content. */
export function isWalFilled(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
}

/** Whether a program that wrote with a rollback journal was killed, or is writing now. */
export function hasHotJournal(path: string): boolean {
  let journal: number
  try {
    journal = openSync(`${path}-journal`, 'r')
  } catch {
    return false
  }
  try {
    // A journal that waits for the next transaction begins with zeros.
    const first = Buffer.alloc(1)
    return readSync(journal, first) === 1 && first[0] !== 0
  } finally {
    closeSync(journal)
  }
}

/** Returns the error, or one that tells the operator what to do. */
export function explain<Thrown>(path: string, error: Thrown): Thrown | UnusableDatabase {
  // SQLITE_READONLY: a reader would first have to undo what a killed program has left.
  if (primaryCode(error) === 8 && hasHotJournal(path)) return hotJournalError(path)
  if (!isBusy(error)) return error
  return new UnusableDatabase(
    `The database ${path} is locked by another program that is writing. Stop that program. So that writers lock ` +
      `no readers out, run: sqlite3 ${path} 'PRAGMA journal_mode = WAL'`,
  )
}

/** The error for a database that a program was writing to, with a rollback journal, when it was killed. */
export function hotJournalError(path: string): UnusableDatabase {
  return new UnusableDatabase(
    `The database ${path} cannot be used: a program was killed while it was writing, and ${path}-journal has ` +
      `what undoes that. Roll back: sqlite3 ${path} 'PRAGMA user_version'`,
  )
}
