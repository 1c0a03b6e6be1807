// The file that lookups are read from. Another one may be renamed into its place at any time, which is
// noticed within a second: the rows of a file that is no longer there would be served as if they were true.

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

/** Milliseconds between two looks at the file. */
const LOOK_MS = 1_000

/** How many files this process has opened: a number of each that no other has. */
let opened = 0

interface ServedFile {
  /** @throws UnusableDatabase where there is nothing to look up in */
  readonly lookups: () => Lookups
  /** Another number for each file that is opened, in all of the process. */
  readonly number: () => number
  /** Why its rows may be old, and what to do; `null` where all is well. */
  readonly problem: () => string | null
  /** Looks at it now. @returns whether another file is read from now on */
  readonly look: () => boolean
  readonly close: () => void
}

/** @throws SQLite's error, or one that says what to do, where the file cannot be used */
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
      // The WAL first: that of a file which is still there afterwards is its own.
      const walNow = identityOf(besides('-wal'))
      const shmNow = identityOf(besides('-shm'))
      const found = identityOf(path)
      if (found === null) throw new UnusableDatabase(`${path} is missing. Put a database in its place`)
      if (found !== identity) {
        replace(walNow === wal ? wal : null, shmNow !== null && shmNow === shm)
      }
      // Others no longer write to a WAL that was taken away, or its name given to another.
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

  /** Another file is there, and beside it perhaps the WAL of the one before. */
  function replace(foreignWal: string | null, isShmForeign: boolean): void {
    const real = resolveLinks(path)
    if (hasHotJournal(real)) throw new UnusableDatabase(hotJournal(real))
    // Where a link leads by now, the WAL may be one of long ago. In the place of the file before, it came along.
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

  /** Only where the new file can be used is what belongs to the one before moved away. */
  function openWithoutWal(real: string, foreign: string): OpenFile {
    const alone = openImmutable(real, { ...reading, observe: silent })
    // Another file may have come while that one was checked, and the WAL be its own.
    if (identityOf(real) !== alone.identity) {
      alone.close()
      throw new UnusableDatabase(`${path} was replaced again`)
    }
    if (!moveWalAway(real, foreign) && isFilled(real)) return warned(alone, `${real}-wal`)
    alone.close()
    return openFile(real, { ...reading, observe })
  }

  /** Two files of one process must not share an index of a WAL. */
  function openWithoutShm(real: string): OpenFile {
    if (removeShm(real)) return openFile(real, { ...reading, observe })
    return warned(openImmutable(real, { ...reading, observe: silent }), `${real}-shm`)
  }

  function warned(file: OpenFile, foreign: string): OpenFile {
    const reason = `${foreign} belongs to another file, which was replaced: remove it`
    observe({ type: 'database-warning', path, reason })
    return file
  }

  /** SQLite shares what it knows of a file among the connections of a process: the old one goes first. */
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
    // A file that was replaced is news of its own.
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
