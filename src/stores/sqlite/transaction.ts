// The transaction of an import. It also creates the file and the tables that are missing, so an import that
// fails leaves nothing behind.

import { closeSync, openSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Clock, systemClock } from '../../clock.ts'
import { UnusableDatabase } from '../store.ts'
import { isBusy, openForWriting } from './database.ts'
import { identityOf, isWalFilled, resolveLinks } from './files.ts'

/** Milliseconds to wait for another import, and between two attempts. */
const LOCK_TIMEOUT_MS = 10_000
const LOCK_POLL_MS = 50
/** Milliseconds to wait for readers after an import that has failed: the operator waits for its end. */
const READERS_TIMEOUT_MS = 1_000

export interface Transaction {
  readonly database: DatabaseSync
  /**
   * Returns whether all rows are in the database file, not only in its WAL.
   * @throws UnusableDatabase if another file has replaced the database, which then lacks the rows
   */
  readonly commit: () => boolean
  /** Closes the database. Without a commit, undoes all changes, and removes a file that was created. */
  readonly close: () => void
}

/**
 * Begins to write, and creates the file if it is missing. SQLite could wait for other programs by itself, but
 * no signal would arrive meanwhile.
 * @throws UnusableDatabase, or SQLite's error
 */
export async function beginTransaction(path: string, clock: Clock = systemClock): Promise<Transaction> {
  const started = clock.now()
  // The process waits for this timer.
  for (; ; await new Promise<void>((resume) => clock.setTimeout(resume, LOCK_POLL_MS))) {
    try {
      const transaction = begin(path)
      if (transaction !== null) return transaction
    } catch (error) {
      if (!isBusy(error) || clock.now() - started > LOCK_TIMEOUT_MS) throw error
    }
  }
}

/** Returns null if the file was removed or replaced meanwhile, such as by an import that has failed. */
function begin(path: string): Transaction | null {
  const file = resolveLinks(path)
  // SQLite would delete such a WAL, and its rows with it.
  if (identityOf(file) === null && isWalFilled(file))
    throw new UnusableDatabase(
      `${file}-wal is there, and its database is not. Move ${file}-wal away, or put its database back`,
    )
  const isNew = createFile(file)
  const identity = identityOf(file)
  const isInPlace = () => resolveLinks(path) === file && identityOf(file) === identity
  const removeNewFile = () => {
    if (isNew && identity !== null) removeIfEmpty(file, identity)
  }
  let database: DatabaseSync
  try {
    database = openImmediate(file)
  } catch (error) {
    const wasInPlace = isInPlace()
    removeNewFile()
    if (wasInPlace) throw error
    return null
  }
  if (!isInPlace()) {
    database.close()
    return null
  }

  let isCommitted = false
  const ensurePlace = () => {
    if (isInPlace()) return
    throw new UnusableDatabase(`${path} was replaced by another file during the import. Run the import again`)
  }
  return {
    database,
    commit: () => {
      ensurePlace()
      database.exec('COMMIT')
      isCommitted = true
      ensurePlace()
      return emptyWal(database)
    },
    close: () => {
      if (!isCommitted) undo(database)
      database.close()
      if (!isCommitted) removeNewFile()
    },
  }
}

/** @throws SQLite's error, such as if another program has the lock */
function openImmediate(file: string): DatabaseSync {
  const database = openForWriting(file, 0)
  try {
    // Temporary tables and sorting need as much room as the rows. In containers, /tmp is often a little
    // memory.
    database.exec(`PRAGMA temp_store_directory = '${dirname(resolve(file)).replaceAll("'", "''")}'`)
    database.exec(`BEGIN IMMEDIATE; PRAGMA busy_timeout = ${LOCK_TIMEOUT_MS}`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * Moves committed rows from the WAL into the database, and empties the WAL, as far as readers allow.
 * Otherwise the WAL keeps the size of the import while a gateway reads. Never throws: the rows are safe in
 * the WAL, too.
 */
function emptyWal(database: DatabaseSync): boolean {
  try {
    return database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0
  } catch {
    // On a full disk, the database may not be able to grow by the rows of the WAL.
    return false
  }
}

/** Undoes what was not committed, and frees its space. Never throws: the error before counts. */
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
 * Creates an empty file. Returns false if there is one, or if SQLite will have to say why it cannot be
 * created.
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
 * Removes a file that `createFile` has created: an empty database would pass for the one that was wanted. The
 * file stays if another program has committed rows, or has it open. Never throws: the error before counts.
 */
function removeIfEmpty(path: string, identity: string): void {
  try {
    if (identityOf(path) !== identity) return
    const database = new DatabaseSync(path, { timeout: 0 })
    try {
      // Leaving WAL mode needs that no other program has the file open, and keeps the others out. So no WAL
      // is left, which could only be removed by name, and might be another program's by then.
      database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
      const isEmpty = database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined
      if (isEmpty && identityOf(path) === identity) rmSync(path)
      else database.exec('ROLLBACK; PRAGMA journal_mode = WAL')
    } finally {
      database.close()
    }
  } catch {
    // Another program has the file open.
  }
}
