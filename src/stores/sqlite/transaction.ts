// The transaction of an import. It creates a missing file, and removes this file if the import fails: an
// empty database would look like a complete one.

import { closeSync, openSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Clock, systemClock } from '../../clock.ts'
import { UnusableDatabase } from '../store.ts'
import { isBusy, WRITING } from './database.ts'
import { identityOf, isWalFilled, resolveLinks } from './files.ts'

/** Milliseconds to wait for another import. */
const LOCK_TIMEOUT_MS = 10_000
/** Milliseconds between two attempts to get the lock. */
const LOCK_POLL_MS = 50
/** Milliseconds to wait for readers while a failed import is undone: the operator waits meanwhile. */
const READERS_TIMEOUT_MS = 1_000

export type Transaction = NonNullable<ReturnType<typeof begin>>

/**
 * Begins to write, and creates the file if it is missing. It waits for other programs by a timer: SQLite
 * would wait in a call that blocks signals.
 * @throws UnusableDatabase, or SQLite's error
 */
export async function beginTransaction(path: string, clock: Clock = systemClock): Promise<Transaction> {
  const started = clock.now()
  // The timer has no unref(): it keeps the process alive.
  for (; ; await new Promise<void>((resume) => clock.setTimeout(resume, LOCK_POLL_MS))) {
    try {
      const transaction = begin(path)
      if (transaction !== null) return transaction
    } catch (error) {
      if (!isBusy(error) || clock.now() - started > LOCK_TIMEOUT_MS) throw error
    }
  }
}

/** Returns null if the file was removed or replaced meanwhile, such as by another import that failed. */
function begin(path: string) {
  const file = resolveLinks(path)
  // SQLite would delete the WAL of a missing database, and the rows in it.
  if (identityOf(file) === null && isWalFilled(file))
    throw new UnusableDatabase(
      `${file}-wal is there, and its database is not. Move ${file}-wal away, or put its database back`,
    )
  const isNew = createFile(file)
  const identity = identityOf(file)
  const isSameFile = () => resolveLinks(path) === file && identityOf(file) === identity
  const database = new DatabaseSync(file, { timeout: 0 })
  let isCommitted = false

  function requireSameFile(): void {
    if (isSameFile()) return
    throw new UnusableDatabase(`${path} was replaced by another file during the import. Run the import again`)
  }

  function abandon(): void {
    if (isNew) removeIfEmpty(database, file, isSameFile)
    database.close()
  }

  try {
    // Temporary tables and sorting need as much space as the rows. In containers, /tmp is often a small
    // tmpfs.
    database.exec(`PRAGMA temp_store_directory = '${dirname(resolve(file)).replaceAll("'", "''")}'`)
    database.exec(`${WRITING}; BEGIN IMMEDIATE; PRAGMA busy_timeout = ${LOCK_TIMEOUT_MS}`)
  } catch (error) {
    const isReplaced = !isSameFile()
    abandon()
    if (isReplaced) return null
    throw error
  }
  if (!isSameFile()) {
    abandon()
    return null
  }
  return {
    database,
    /**
     * Returns whether all rows are in the database file, not only in its WAL.
     * @throws UnusableDatabase if another file has replaced the database, which then lacks the rows
     */
    commit: (): boolean => {
      requireSameFile()
      database.exec('COMMIT')
      isCommitted = true
      requireSameFile()
      return emptyWal(database)
    },
    /**
     * Closes the database. Without a commit, it first undoes all changes, and removes a file that it created.
     */
    close: (): void => {
      if (isCommitted) database.close()
      else {
        undo(database)
        abandon()
      }
    },
  }
}

/**
 * Returns false if the file exists, or cannot be created: then SQLite fails, and its error has the reason.
 */
function createFile(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx', 0o644))
    return true
  } catch {
    return false
  }
}

/**
 * Moves committed rows from the WAL into the database, and empties the WAL. Without it, the WAL keeps the
 * size of the import. Returns false if readers prevent it. Never throws: the rows are also safe in the WAL.
 */
function emptyWal(database: DatabaseSync): boolean {
  try {
    return database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0
  } catch {
    // On a full disk, the database may not be able to grow by the rows of the WAL.
    return false
  }
}

/** Undoes the transaction, and frees its space. Never throws, so that the operator reads the first error. */
function undo(database: DatabaseSync): void {
  try {
    database.exec(`PRAGMA busy_timeout = ${READERS_TIMEOUT_MS}`)
    // SQLite itself may have rolled back when the disk was full.
    if (database.isTransaction) database.exec('ROLLBACK')
  } catch {
    // Closing the database rolls back as well.
  }
  emptyWal(database)
}

/**
 * Removes the file, unless another program has committed tables to it or has it open. Never throws, so that
 * the operator reads the first error.
 */
function removeIfEmpty(database: DatabaseSync, file: string, isSameFile: () => boolean): void {
  try {
    // SQLite leaves WAL mode only if no other program has the file open, removes the WAL, and locks others
    // out. To remove the WAL by its name later could remove the WAL of another program.
    database.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY')
    database.exec('BEGIN EXCLUSIVE')
    const isEmpty = database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined
    if (isEmpty && isSameFile()) rmSync(file)
    else database.exec('ROLLBACK; PRAGMA journal_mode = WAL')
  } catch {
    // Another program has the file open.
  }
}
