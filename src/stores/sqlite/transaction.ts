// The transaction of an import. It creates a missing file, and removes this file if the import fails: an
// empty database would look like a complete one.

import { rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Clock, systemClock } from '../../clock.ts'
import { UnusableDatabase } from '../store.ts'
import { hasCode, WRITING } from './database.ts'
import { identityOf, resolveLinks } from './files.ts'

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
      if (!hasCode(error, 'BUSY') || clock.now() - started > LOCK_TIMEOUT_MS) throw error
    }
  }
}

/** Returns null if the file was removed or replaced meanwhile, such as by another import that failed. */
function begin(path: string) {
  const before = identityOf(path)
  const database = new DatabaseSync(path, { timeout: 0 })
  const file = resolveLinks(path)
  const identity = before ?? identityOf(file)
  const isSameFile = () => identityOf(path) === identity
  let isCommitted = false

  /** Undoes all changes, and frees their space. Never throws, so that the operator reads the first error. */
  function undo(): void {
    try {
      database.exec(`PRAGMA busy_timeout = ${READERS_TIMEOUT_MS}`)
      // SQLite itself may have rolled back when the disk was full.
      if (database.isTransaction) database.exec('ROLLBACK')
      emptyWal(database)
      if (before === null) removeIfEmpty()
    } catch {
      // Another program has the file locked. Closing the database rolls back as well.
    }
  }

  /** The locks keep another program from committing tables to the file before it is removed. */
  function removeIfEmpty(): void {
    // SQLite leaves WAL mode only if no other program has the file open, and removes the WAL. To remove the
    // WAL by its name later could remove the WAL of another program.
    database.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY')
    database.exec('BEGIN EXCLUSIVE')
    const isEmpty = database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined
    if (isEmpty && isSameFile()) rmSync(file)
    else database.exec('ROLLBACK; PRAGMA journal_mode = WAL')
  }

  try {
    // Temporary tables and sorting need as much space as the rows. In containers, /tmp is often a small
    // tmpfs.
    database.exec(`PRAGMA temp_store_directory = '${dirname(resolve(file)).replaceAll("'", "''")}'`)
    database.exec(`${WRITING}; BEGIN IMMEDIATE; PRAGMA busy_timeout = ${LOCK_TIMEOUT_MS}`)
  } catch (error) {
    // A file that is locked belongs to another import.
    if (!hasCode(error, 'BUSY')) undo()
    database.close()
    throw error
  }
  if (!isSameFile()) {
    database.close()
    return null
  }
  return {
    database,
    /** @throws UnusableDatabase if another file has replaced the database, and would lack the rows */
    commit: (): void => {
      if (!isSameFile())
        throw new UnusableDatabase(
          `${path} was replaced by another file during the import. Run the import again`,
        )
      database.exec('COMMIT')
      isCommitted = true
      emptyWal(database)
    },
    /** Closes the database. Without a commit, it undoes all changes, and removes a file that it created. */
    close: (): void => {
      if (!isCommitted) undo()
      database.close()
    },
  }
}

/**
 * Moves committed rows from the WAL into the database, and empties the WAL. Without it, the WAL keeps the
 * size of the import. Never throws: the rows are also safe in the WAL, and on a full disk the database may
 * not be able to grow.
 */
function emptyWal(database: DatabaseSync): void {
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // Readers, or a full disk, prevent it.
  }
}
