// Serves lookups from an SQLite file, and reopens the file within a second after an operator replaces it
// by renaming. SQLite itself would go on reading the old file, whose rows are out of date.

import { type Clock, systemClock } from '../../clock.ts'
import type { Observe } from '../../observe/events.ts'
import { messageOf } from '../../text.ts'
import { UnusableDatabase } from '../store.ts'
import { hotJournal } from './explain.ts'
import {
  awaitOwnWal,
  hasHotJournal,
  identityOf,
  isFilled,
  moveWalAway,
  refuseForeignWal,
  removeShm,
  resolveLinks,
} from './foreign-wal.ts'
import type { Lookups } from './lookups.ts'
import { type OpenFile, openFile, openImmutable, type Reading } from './open-file.ts'

/** Milliseconds between two checks of the file. */
const LOOK_MS = 1_000

/** Files that this process has opened. The count is the number of the latest one. */
let opened = 0

interface ServedFile {
  /** @throws UnusableDatabase if no file is open */
  readonly lookups: () => Lookups
  /** Differs for each file that the process opens. */
  readonly number: () => number
  /** Why the rows may be out of date, and what to do; `null` if they are not. */
  readonly problem: () => string | null
  /** Checks the file now. @returns whether the file was reopened */
  readonly look: () => boolean
  readonly close: () => void
}

/** @throws SQLite's error, or an error that says what to do, if the file cannot be used */
export function serveFile(
  path: string,
  reading: Reading,
  observe: Observe,
  clock: Clock = systemClock,
): ServedFile {
  const silent = () => {}
  awaitOwnWal(resolveLinks(path), clock)
  let current: OpenFile | null = openFile(resolveLinks(path), { ...reading, observe })
  let place = resolveLinks(path)
  let identity = current.identity
  let wal = identityOf(besides('-wal'))
  let shm = identityOf(besides('-shm'))
  let number = ++opened
  let problem: string | null = null

  function besides(end: '-wal' | '-shm'): string {
    return resolveLinks(path) + end
  }

  function look(): boolean {
    try {
      // Read the WAL first: if the file is the same afterwards, the WAL belongs to it.
      const walNow = identityOf(besides('-wal'))
      const shmNow = identityOf(besides('-shm'))
      const found = identityOf(path)
      if (found === null) throw new UnusableDatabase(`${path} is missing. Put a database in its place`)
      if (found !== identity) {
        replace(walNow === wal ? wal : null, shmNow !== null && shmNow === shm)
      }
      // If the WAL was removed or replaced, other programs write to another WAL than the one that is open.
      else if (current === null || (wal !== null && walNow !== wal) || current.isChanged()) reopen()
      else {
        wal = walNow
        shm = shmNow
        report(null)
        return false
      }
      return true
    } catch (error) {
      const text = messageOf(error)
      const reason = error instanceof UnusableDatabase ? text : `${path} cannot be used: ${text}`
      report(current === null ? reason : `${reason}. Lookups are answered from the previous data.`)
      return false
    }
  }

  /** Opens the new file. The WAL and the shm of the old file may lie beside it. */
  function replace(foreignWal: string | null, isShmForeign: boolean): void {
    const real = resolveLinks(path)
    if (hasHotJournal(real)) throw new UnusableDatabase(hotJournal(real))
    // If a link leads to another place now, the WAL there may be an old one.
    if (real !== place) refuseForeignWal(real)
    const next =
      foreignWal !== null
        ? openWithoutWal(real, foreignWal)
        : isShmForeign
          ? openWithoutShm(real)
          : openFile(real, { ...reading, observe })
    current?.close()
    take(next)
    observe({ type: 'database-replaced', path })
  }

  /** Moves the WAL of the old file away, after a check that the new file can be used without it. */
  function openWithoutWal(real: string, foreign: string): OpenFile {
    const alone = openImmutable(real, { ...reading, observe: silent })
    // The file may have been replaced during the check; then the WAL may belong to the newest file.
    if (identityOf(real) !== alone.identity) {
      alone.close()
      throw new UnusableDatabase(`${path} was replaced again`)
    }
    if (!moveWalAway(real, foreign) && isFilled(real)) return warned(alone, `${real}-wal`)
    alone.close()
    return openFile(real, { ...reading, observe })
  }

  /** Removes the shm of the old file: two files of one process must not share the index of a WAL. */
  function openWithoutShm(real: string): OpenFile {
    if (removeShm(real)) return openFile(real, { ...reading, observe })
    return warned(openImmutable(real, { ...reading, observe: silent }), `${real}-shm`)
  }

  function warned(file: OpenFile, foreign: string): OpenFile {
    const reason = `${foreign} belongs to another file, which was replaced: remove it`
    observe({ type: 'database-warning', path, reason })
    return file
  }

  /** Closes first: SQLite shares its state of a file among all connections of a process. */
  function reopen(): void {
    current?.close()
    current = null
    take(openFile(resolveLinks(path), { ...reading, observe: silent }))
  }

  function take(next: OpenFile): void {
    current = next
    place = resolveLinks(path)
    identity = next.identity
    wal = identityOf(besides('-wal'))
    shm = identityOf(besides('-shm'))
    number = ++opened
    // `database-replaced` reports this, so `database-back` does not.
    problem = null
  }

  function report(found: string | null): void {
    if (found === problem) return
    problem = found
    observe(found === null ? { type: 'database-back', path } : { type: 'database-lost', path, reason: found })
  }

  const looking = clock.setInterval(look, LOOK_MS).unref()
  return {
    lookups: () => {
      if (current === null) throw new UnusableDatabase(problem ?? `${path} is being opened`)
      return current.lookups
    },
    number: () => number,
    problem: () => problem,
    look,
    close: () => {
      looking.close()
      current?.close()
    },
  }
}
