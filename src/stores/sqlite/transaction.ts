// The transaction of an import. It also creates the file that is missing, and removes that file if the import
// fails: an empty database would pass for the one that was wanted.

import { closeSync, openSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Clock, systemClock } from '../../clock.ts'
import { UnusableDatabase } from '../store.ts'
import { isBusy, WRITING } from './database.ts'
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
  const database = new DatabaseSync(file, { timeout: 0 })
  let isCommitted = false

  function ensurePlace(): void {
    if (isInPlace()) return
    throw new UnusableDatabase(`${path} was replaced by another file during the import. Run the import again`)
  }

  function abandon(): void {
    if (isNew) removeIfEmpty(database, file, isInPlace)
    database.close()
  }

  try {
    // Temporary tables and sorting need as much space as the rows. In containers, /tmp is often a little
    // memory.
    database.exec(`PRAGMA temp_store_directory = '${dirname(resolve(file)).replaceAll("'", "''")}'`)
    database.exec(`${WRITING}; BEGIN IMMEDIATE; PRAGMA busy_timeout = ${LOCK_TIMEOUT_MS}`)
    if (!isInPlace()) throw new Error('another file is in its place')
  } catch (error) {
    const isStale = !isInPlace()
    abandon()
    if (isStale) return null
    throw error
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
      if (isCommitted) return database.close()
      undo(database)
      abandon()
    },
  }
}

/** Returns false if the file exists, or if it cannot be created: SQLite will have to say why. */
function createFile(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx', 0o644))
    return true
  } catch {
    return false
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
 * Removes the file, unless another program has committed rows or has the file open. Never throws: the error
 * before counts.
 */
function removeIfEmpty(database: DatabaseSync, file: string, isInPlace: () => boolean): void {
  try {
    // SQLite leaves WAL mode only if no other program has the file open, and keeps other programs out. So no
    // WAL is left, which could only be removed by name, and might be another program's by then.
    database.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY')
    database.exec('BEGIN EXCLUSIVE')
    const isEmpty = database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined
    if (isEmpty && isInPlace()) rmSync(file)
    else database.exec('ROLLBACK; PRAGMA journal_mode = WAL')
  } catch {
    // Another program has the file open.
  }
}
