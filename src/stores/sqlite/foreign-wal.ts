// SQLite finds the WAL of a file by its name, and does not know whose it is. When another file is renamed into
// the place of a database, the WAL of the file before is still there: read together, the two are a mixture, or
// no database at all. What was moved away keeps its content, for the operator.

import { renameSync, rmSync, statSync } from 'node:fs'
import { UnusableDatabase } from '../unusable.ts'

/** Milliseconds that a gateway has to move away the WAL of a file that was replaced, and between two looks. */
const PATIENCE_MS = 2_500
const PAUSE_MS = 50

/** A WAL belongs to another file, and may hold what was written there last. */
export class ForeignWal extends UnusableDatabase {
  constructor(path: string) {
    super(
      `The database ${path} cannot be used: ${path}-wal is older than the database, so that it belongs to another ` +
        `file, which was replaced. Move ${path}-wal and ${path}-shm away. If the two do belong together, as after a ` +
        `restore, make the WAL newer: cp ${path}-wal ${path}-copy && mv ${path}-copy ${path}-wal`,
    )
  }
}

/** What identifies a file, whatever its name; `null` where there is none. */
export function identityOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? null : `${found.dev}:${found.ino}`
}

/** Whether the WAL beside a database is that of another file. A database makes its WAL, and not the reverse. */
export function isForeign(path: string): boolean {
  const wal = statSync(`${path}-wal`, { bigint: true, throwIfNoEntry: false })
  if (wal === undefined) return false
  const database = statSync(path, { bigint: true, throwIfNoEntry: false })
  // Not every file system knows when a file was made.
  return database === undefined || (wal.birthtimeNs > 0n && wal.birthtimeNs < database.birthtimeNs)
}

/** Whether a WAL holds anything. */
export function isFilled(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
}

/**
 * Moves the WAL away. Programs that have it open go on with it.
 * @returns whether it is away: the folder may be read-only
 */
export function moveWalAway(path: string): boolean {
  try {
    // The WAL first: from then on, a program that opens the database reads none.
    renameSync(`${path}-wal`, `${path}-wal.replaced`)
    rmSync(`${path}-shm`, { force: true })
    return true
  } catch {
    return identityOf(`${path}-wal`) === null
  }
}

/**
 * Before a database is opened: makes sure that no other file's WAL is beside it. A gateway that had the other file
 * open moves it away itself, within a second or two. The process does nothing else meanwhile.
 * @throws ForeignWal where it has content and stays
 */
export function settleWal(path: string): void {
  const deadline = performance.now() + PATIENCE_MS
  while (isForeign(path)) {
    if (!isFilled(path)) {
      if (!moveWalAway(path)) return
    } else if (performance.now() > deadline) throw new ForeignWal(path)
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
  }
}
