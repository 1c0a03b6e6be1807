// What SQLite says too little of, in words for the operator.

import { UnusableDatabase } from '../store.ts'
import { isBusy, primaryCode } from './database.ts'
import { hasHotJournal } from './files.ts'

/** @returns the error, or one that says what to do */
export function explain<Thrown>(path: string, error: Thrown): Thrown | UnusableDatabase {
  // SQLITE_READONLY: to read, what a program that was killed has left would have to be undone first.
  if (primaryCode(error) === 8 && hasHotJournal(path)) return new UnusableDatabase(hotJournal(path))
  if (isBusy(error)) return new UnusableDatabase(locked(path))
  return error
}

/** What to do where a program was ended while it wrote with a rollback journal. */
export function hotJournal(path: string): string {
  return (
    `The database ${path} cannot be used: a program was killed while it was writing, and ${path}-journal has ` +
    `what undoes that. Roll back: sqlite3 ${path} 'PRAGMA user_version'`
  )
}

function locked(path: string): string {
  return (
    `The database ${path} is locked by another program that is writing. Stop that program. So that writers lock ` +
    `no readers out, run: sqlite3 ${path} 'PRAGMA journal_mode = WAL'`
  )
}
