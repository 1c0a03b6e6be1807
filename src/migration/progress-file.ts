// A state file: an SQLite database that stores the progress of a long command, survives its interruption, and
// is used by one process at a time. A file of another program is never written to, or deleted.

import { existsSync, rmSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { WRITING } from '../stores/sqlite/database.ts'
import { CommandError } from '../terminal/command-error.ts'
import { messageOf, stringOf } from '../text.ts'

/** The state file belongs to another command or program, or cannot be used. */
export class ProgressFileError extends CommandError {}

/** Marks a database as a state file, in its header. */
const APPLICATION_ID = 0x6c6b_6270

export interface ProgressFile {
  readonly database: DatabaseSync
  readonly read: (name: string) => string | undefined
  readonly write: (name: string, value: string) => void
  /** Runs the work in a transaction. */
  readonly together: (work: () => void) => void
}

/**
 * Opens a state file, or creates one.
 * @param identity of the command and its arguments
 * @param another describes a state file with another identity
 * @throws ProgressFileError
 */
export function openProgressFile(path: string, identity: string, another: string): ProgressFile {
  const database = openDatabase(path)
  const read = (name: string) => {
    const row = database.prepare('SELECT value FROM about WHERE name = ?').get(name)
    return row === undefined ? undefined : stringOf(row.value)
  }
  const write = (name: string, value: string) =>
    void database.prepare('INSERT OR REPLACE INTO about VALUES (?, ?)').run(name, value)
  const known = read('identity')
  if (known === undefined) write('identity', identity)
  else if (known !== identity) {
    database.close()
    throw foreignProgressFile(path, another)
  }
  const together = (work: () => void) => {
    database.exec('BEGIN')
    try {
      work()
      database.exec('COMMIT')
    } finally {
      // SQLite itself rolls back after some errors, such as a full disk.
      if (database.isTransaction) database.exec('ROLLBACK')
    }
  }
  return { database, read, write, together }
}

export function foreignProgressFile(path: string, another: string): ProgressFileError {
  return new ProgressFileError(`${path} belongs to ${another}. Delete it, or name another file with --state.`)
}

/** A file of another program is only read. */
function openDatabase(path: string): DatabaseSync {
  try {
    if (existsSync(path) && statSync(path).size > 0) {
      const existing = new DatabaseSync(path, { readOnly: true, timeout: 500 })
      const mark = existing.prepare('PRAGMA application_id').get()?.application_id
      existing.close()
      if (mark !== APPLICATION_ID)
        throw new ProgressFileError(
          `${path} is not a state file of this program. Name another file with --state.`,
        )
    }
    const database = new DatabaseSync(path, { timeout: 500 })
    database.exec(`PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -32768; PRAGMA application_id = ${APPLICATION_ID}; ${WRITING};
      CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL)`)
    return database
  } catch (error) {
    throw error instanceof ProgressFileError ? error : new ProgressFileError(explain(path, messageOf(error)))
  }
}

function explain(path: string, reason: string): string {
  if (/locked|busy/.test(reason))
    return `The state file ${path} is in use: the same command is already running.`
  if (/not a database|malformed/.test(reason))
    return `${path} is not a readable state file. Delete it, or name another file with --state.`
  return `Cannot use the state file ${path}: ${reason}.`
}

export function removeProgressFile(path: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true })
}
