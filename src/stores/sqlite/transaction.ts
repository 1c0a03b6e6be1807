// The one transaction of an import. The tables that are missing are made in it, too: until it is committed,
// there is nothing in a new file.

import { dirname, resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { type Clock, systemClock } from '../../clock.ts'
import { UnusableDatabase } from '../store.ts'
import { isBusy, openForWriting } from './database.ts'
import { identityOf, isWalFilled, resolveLinks } from './files.ts'
import { makeFile, removeIfEmpty } from './new-file.ts'
import { undo } from './write-ahead-log.ts'

/** Milliseconds to wait for another import to end, and between two looks. */
const LOCK_TIMEOUT_MS = 10_000
const LOCK_POLL_MS = 50

export interface Transaction {
  readonly database: DatabaseSync
  /** @throws UnusableDatabase where another file has the name by now: the rows are not in that one */
  readonly commit: () => void
  /** Lets go of the database. What was not committed is undone, and a file that was made for it removed. */
  readonly close: () => void
}

/**
 * Begins to write, and makes the file if there is none. SQLite could wait for other programs by itself, but
 * deaf to signals.
 * @throws UnusableDatabase, or SQLite's error
 */
export async function beginTransaction(path: string, clock: Clock = systemClock): Promise<Transaction> {
  const started = clock.now()
  // The process waits for this timer.
  for (; ; await new Promise<void>((resolve) => clock.setTimeout(resolve, LOCK_POLL_MS))) {
    try {
      const transaction = begin(path)
      if (transaction !== null) return transaction
    } catch (error) {
      if (!isBusy(error) || clock.now() - started > LOCK_TIMEOUT_MS) throw error
    }
  }
}

/** @returns `null` where the file was removed meanwhile, as by an import that has failed, or replaced */
function begin(path: string): Transaction | null {
  const file = resolveLinks(path)
  // SQLite would delete such a WAL, and its rows with it.
  if (identityOf(file) === null && isWalFilled(file))
    throw new UnusableDatabase(
      `${file}-wal is there, and its database is not. Move ${file}-wal away, or put its database back`,
    )
  const made = makeFile(file)
  const identity = identityOf(file)
  const isInPlace = () => resolveLinks(path) === file && identityOf(file) === identity
  const leave = () => {
    if (made !== null) removeIfEmpty(file, made)
  }
  let database: DatabaseSync
  try {
    database = openImmediate(file)
  } catch (error) {
    const wasInPlace = isInPlace()
    leave()
    if (wasInPlace) throw error
    return null
  }
  if (!isInPlace()) {
    database.close()
    return null
  }

  let committed = false
  const ensurePlace = () => {
    if (isInPlace()) return
    throw new UnusableDatabase(`${path} was replaced by another file during the import. Run the import again`)
  }
  return {
    database,
    commit: () => {
      ensurePlace()
      database.exec('COMMIT')
      committed = true
      ensurePlace()
    },
    close: () => {
      if (!committed) undo(database)
      database.close()
      if (!committed) leave()
    },
  }
}

/** @throws SQLite's error; another program has the lock, maybe */
function openImmediate(file: string): DatabaseSync {
  const database = openForWriting(file, 0)
  try {
    // Temporary tables and sorting need as much room as the rows. In containers, /tmp is often a little memory.
    database.exec(`PRAGMA temp_store_directory = '${dirname(resolve(file)).replaceAll("'", "''")}'`)
    database.exec(`BEGIN IMMEDIATE; PRAGMA busy_timeout = ${LOCK_TIMEOUT_MS}`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}
