// A file that keeps how far a long work is, outlasts whatever interrupts it, and is used by one process at a
// time.

import { existsSync, rmSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { CommandError } from '../terminal/command-error.ts'
import { messageOf } from '../text.ts'

/** The file is that of another work, of something else entirely, or cannot be used. */
export class ProgressFileError extends CommandError {}

/**
 * What is in the header of a database that is a progressFile of ours: nothing else is ever written to, or
 * deleted.
 */
const APPLICATION_ID = 0x6c6b_6270

/** What has been settled outlasts a crash. */
export const durable = 'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL'

export interface ProgressFile {
  readonly database: DatabaseSync
  readonly read: (name: string) => string | undefined
  readonly write: (name: string, value: string) => void
  /** All of it or nothing. */
  readonly together: (work: () => void) => void
}

/**
 * Opens a progressFile, or makes it.
 * @param identity of the work: one progressFile is about one work
 * @param another what a progressFile about another one is called
 * @throws ProgressFileError
 */
export function openProgressFile(path: string, identity: string, another: string): ProgressFile {
  refuseStrangers(path)
  const progressFile = progressFileOf(openDatabase(path))
  const known = progressFile.read('identity')
  if (known === undefined) progressFile.write('identity', identity)
  else if (known !== identity) {
    progressFile.database.close()
    throw foreignProgressFile(path, another)
  }
  return progressFile
}

/** @param another what the file is of */
export function foreignProgressFile(path: string, another: string): ProgressFileError {
  return new ProgressFileError(`${path} belongs to ${another}. Delete it, or name another file with --state.`)
}

function openDatabase(path: string): DatabaseSync {
  try {
    const database = new DatabaseSync(path, { timeout: 500 })
    database.exec(`PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -32768; PRAGMA application_id = ${APPLICATION_ID}; ${durable};
      CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL)`)
    return database
  } catch (error) {
    throw new ProgressFileError(explain(path, error))
  }
}

export function removeProgressFile(path: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true })
}

function progressFileOf(database: DatabaseSync): ProgressFile {
  return {
    database,
    read: (name) => textOf(database.prepare('SELECT value FROM about WHERE name = ?').get(name)?.value),
    write: (name, value) =>
      void database.prepare('INSERT OR REPLACE INTO about VALUES (?, ?)').run(name, value),
    together: (work) => {
      database.exec('BEGIN')
      try {
        work()
        database.exec('COMMIT')
      } finally {
        // SQLite itself rolls back after some errors, such as a full disk.
        if (database.isTransaction) database.exec('ROLLBACK')
      }
    },
  }
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function refuseStrangers(path: string): void {
  if (!existsSync(path) || statSync(path).size === 0) return
  let mark: unknown
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: 500 })
    mark = database.prepare('PRAGMA application_id').get()?.application_id
    database.close()
  } catch (error) {
    throw new ProgressFileError(explain(path, error))
  }
  if (mark !== APPLICATION_ID)
    throw new ProgressFileError(
      `${path} is not a state file of this program. Name another file with --state.`,
    )
}

function explain(path: string, error: unknown): string {
  const reason = messageOf(error)
  if (/locked|busy/.test(reason))
    return `The state file ${path} is in use: the same command is already running.`
  if (/not a database|malformed/.test(reason))
    return `${path} is not a readable state file. Delete it, or name another file with --state.`
  return `Cannot use the state file ${path}: ${reason}.`
}
