// SQLite finds the WAL of a file, and its rollback journal, by their names, and does not know whose they are.
// When another file is renamed into the place of a database, those of the file before are still there: read
// together they are a mixture, or no database at all.

import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { type Clock, systemClock } from '../../clock.ts'
import { UnusableDatabase } from '../store.ts'
import { isForeign } from './log-owner.ts'

/**
 * Milliseconds that a gateway has to move away the WAL of a file that was replaced, and between two looks.
 */
const PATIENCE_MS = 2_500
const PAUSE_MS = 50

/** A WAL or a journal belongs to another file, and may hold what was written there last. */
class ForeignWal extends UnusableDatabase {
  constructor(path: string, log: string) {
    super(
      `The database ${path} cannot be used: ${log} is older than it, and belongs to another file that was ` +
        `replaced. Move ${log} away${log.endsWith('-wal') ? `, and ${path}-shm` : ''}. If the two belong ` +
        `together, as after a restore, run: touch ${log}`,
    )
  }
}

/**
 * The file that a path leads to, which need not be there: SQLite keeps the others beside that one, and not
 * beside a link.
 */
export function resolveLinks(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) return path
  }
  const folder = dirname(path)
  if (!existsSync(folder)) return path
  if (!isLink(path)) return resolve(realpathSync(folder), basename(path))
  // SQLite makes the file where a link leads to.
  return resolveLinks(resolve(realpathSync(folder), readlinkSync(path)))
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
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
 * Moves the WAL of a file that was replaced away. Programs that have it open go on with it. A WAL that has come
 * meanwhile is that of the new file, and stays.
 * @param wal what identifies the one to move
 * @returns whether it is away: the folder may be read-only
 */
export function moveWalAway(path: string, wal: string): boolean {
  const away = `${path}-wal.replaced-${Date.now()}`
  try {
    if (identityOf(`${path}-wal`) !== wal) return true
    // The WAL first: from then on, a program that opens the database reads none.
    renameSync(`${path}-wal`, away)
    rmSync(`${path}-shm`, { force: true })
    // What it holds may belong to a file that has another name now.
    if (statSync(away).size === 0) rmSync(away)
    return true
  } catch {
    return identityOf(`${path}-wal`) !== wal
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
 * Before another file is read than before: makes sure that a WAL which nothing is known of is its own.
 * @param path of the file itself
 * @throws ForeignWal where one has content, and is not
 */
export function refuseForeignWal(path: string): void {
  if (isFilled(path) && isForeign(`${path}-wal`, path)) throw new ForeignWal(path, `${path}-wal`)
}

/**
 * Before a database is opened: makes sure that no other file's WAL or journal is beside it. A gateway that
 * had the other file open moves its WAL away, within a second or two. The process does nothing else
 * meanwhile.
 * @param path of the file itself
 * @throws ForeignWal where one has content and stays
 */
export function awaitOwnWal(path: string, clock: Clock = systemClock): void {
  const deadline = clock.now() + PATIENCE_MS
  while (isForeign(`${path}-wal`, path)) {
    if (clock.now() > deadline) {
      // An empty one does no harm once the gateway has let go of the other file.
      if (isFilled(path)) throw new ForeignWal(path, `${path}-wal`)
      break
    }
    clock.sleep(PAUSE_MS)
  }
  if (hasHotJournal(path) && isForeign(`${path}-journal`, path)) throw new ForeignWal(path, `${path}-journal`)
}
