// The log beside a database: while a gateway reads there, it keeps the size that an import gave it, and the
// disk full.

import type { DatabaseSync } from 'node:sqlite'

/** Milliseconds to wait for readers after an import that has failed: the operator is waiting for its end. */
const READERS_TIMEOUT_MS = 1_000

/**
 * Moves what is committed from the log into the database, and empties the log, as far as readers allow. Never
 * throws: all data is safe in the log, too, and the next import tries again.
 * @returns whether the database alone has all of it
 */
export function emptyLog(database: DatabaseSync): boolean {
  try {
    return database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0
  } catch {
    // On a full disk, the database may not be able to grow by what is in the log.
    return false
  }
}

/**
 * Undoes what was not committed, and gives back the space it took. Never throws: whatever was wrong before
 * counts.
 */
export function undo(database: DatabaseSync): void {
  try {
    database.exec(`PRAGMA busy_timeout = ${READERS_TIMEOUT_MS}`)
    // SQLite itself may have undone it, when the disk was full.
    if (database.isTransaction) database.exec('ROLLBACK')
  } catch {
    // Closing the database undoes it as well.
  }
  emptyLog(database)
}
