// SQLite finds the WAL of a file, and its rollback journal, by their names, and does not know whose they are.
// When another file is renamed into the place of a database, those of the file before are still there: read
// together they are a mixture, or no database at all.

import { closeSync, openSync, readSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { UnusableDatabase } from '../store.ts'

/**
 * Milliseconds that a gateway has to move away the WAL of a file that was replaced, and between two looks.
 */
const PATIENCE_MS = 2_500
const PAUSE_MS = 50

/** A WAL or a journal belongs to another file, and may hold what was written there last. */
export class ForeignWal extends UnusableDatabase {
  constructor(path: string, log: string) {
    super(
      `The database ${path} cannot be used: ${log} was there before it, so that it belongs to another file, which ` +
        `was replaced. Move ${log} away${log.endsWith('-wal') ? `, and ${path}-shm` : ''}. If the two do belong ` +
        `together, as after a restore, say so: touch ${log}`,
    )
  }
}

/** The file that a path leads to: SQLite keeps the others beside that one, and not beside a link. */
export function resolveLinks(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/**
 * What identifies a file, whatever its name; `null` where there is none. @throws where that cannot be told
 */
export function identityOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? null : `${found.dev}:${found.ino}`
}

/** Whether a WAL holds anything. */
export function isFilled(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
}

/** Whether a program that wrote with a rollback journal has been killed, or is writing now. */
export function hasHotJournal(path: string): boolean {
  let journal: number
  try {
    journal = openSync(`${path}-journal`, 'r')
  } catch {
    return false
  }
  try {
    // One that is kept for the next transaction begins with zeros.
    const first = Buffer.alloc(1)
    return readSync(journal, first) === 1 && first[0] !== 0
  } finally {
    closeSync(journal)
  }
}

/**
 * Moves the WAL away. Programs that have it open go on with it.
 * @returns whether it is away: the folder may be read-only
 */
export function moveWalAway(path: string): boolean {
  try {
    // The WAL first: from then on, a program that opens the database reads none. Its content may belong to a
    // file that has another name now.
    if (isFilled(path)) renameSync(`${path}-wal`, `${path}-wal.replaced-${Date.now()}`)
    else rmSync(`${path}-wal`, { force: true })
    rmSync(`${path}-shm`, { force: true })
    return true
  } catch {
    return identityOf(`${path}-wal`) === null
  }
}

/**
 * Removes the index of a WAL that belongs to a file which was replaced. Two files of one process must not share
 * it: when the connection to one is closed, the lock of the other is gone, and the next program that opens the
 * database truncates what this process has mapped (SIGBUS).
 * @returns whether it is gone: the folder may be read-only
 */
export function removeShm(path: string): boolean {
  try {
    rmSync(`${path}-shm`, { force: true })
    return true
  } catch {
    return false
  }
}

/**
 * Before a database is opened: makes sure that no other file's WAL or journal is beside it. A gateway that
 * had the other file open moves its WAL away, within a second or two. The process does nothing else
 * meanwhile.
 * @param path of the file itself
 * @throws ForeignWal where one has content and stays
 */
export function awaitOwnWal(path: string): void {
  const deadline = performance.now() + PATIENCE_MS
  while (isOlder(`${path}-wal`, path)) {
    if (performance.now() > deadline) {
      // An empty one does no harm once the gateway has let go of the other file.
      if (isFilled(path)) throw new ForeignWal(path, `${path}-wal`)
      break
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
  }
  if (hasHotJournal(path) && isOlder(`${path}-journal`, path)) throw new ForeignWal(path, `${path}-journal`)
}

/**
 * Whether a log was there, and written to for the last time, before the database was put there. A rename
 * changes what the system knows of a file, and not its content; SQLite changes the content.
 */
function isOlder(log: string, path: string): boolean {
  const found = statSync(log, { bigint: true, throwIfNoEntry: false })
  if (found === undefined) return false
  const database = statSync(path, { bigint: true, throwIfNoEntry: false })
  if (database === undefined) return found.size > 0n
  return found.ctimeNs < database.ctimeNs && database.mtimeNs !== database.ctimeNs
}
