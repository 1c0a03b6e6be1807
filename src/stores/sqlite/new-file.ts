// A database file that an import makes where there was none. An import that fails takes it away again: an
// empty database would pass for the one that was wanted.

import { closeSync, fstatSync, openSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { identityOf } from './files.ts'

/**
 * Makes an empty file.
 * @returns what identifies it; `null` where there is one, or none can be made, which SQLite will explain
 */
export function makeFile(path: string): string | null {
  try {
    const file = openSync(path, 'wx', 0o644)
    const { dev, ino } = fstatSync(file, { bigint: true })
    closeSync(file)
    return `${dev}:${ino}`
  } catch {
    return null
  }
}

/**
 * Removes a file that `makeFile` made. This process must have no connection to it. It stays where another
 * program has committed anything to it, or has it open. Never throws: whatever was wrong before counts.
 */
export function removeIfEmpty(path: string, identity: string): void {
  try {
    if (identityOf(path) !== identity) return
    const database = new DatabaseSync(path, { timeout: 0 })
    try {
      // It can leave WAL mode only where no other program has it open, and keeps the others out from then on.
      // So there is no WAL to remove by its name, which might be another program's by now.
      database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
      const isEmpty = database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined
      if (isEmpty && identityOf(path) === identity) rmSync(path)
      else database.exec('ROLLBACK; PRAGMA journal_mode = WAL')
    } finally {
      database.close()
    }
  } catch {
    // Another program has it open.
  }
}
