// Serves lookups from an SQLite file, and opens the file anew within a second after an operator replaces it
// by renaming. SQLite itself would go on reading the old file.

import { rmSync } from 'node:fs'
import { type Clock, systemClock } from '../../clock.ts'
import type { Observe } from '../../observe/events.ts'
import { messageOf } from '../../text.ts'
import { UnusableDatabase } from '../store.ts'
import { hasHotJournal, hotJournalError, identityOf, isWalFilled, resolveLinks } from './files.ts'
import type { Lookups } from './lookups.ts'
import { type OpenFile, openFile, openImmutable, type Reading } from './open-file.ts'

/** Milliseconds between two checks of the file. */
const CHECK_MS = 1_000

/** How many files this process has opened: the number of the latest one. */
let opened = 0

interface ServedFile {
  /** @throws UnusableDatabase if no file is open */
  readonly lookups: () => Lookups
  /** Differs for each file that the process opens. */
  readonly number: () => number
  /** Why the rows may be out of date, and what to do; `null` if they are not. */
  readonly problem: () => string | null
  /** Checks the file now. @returns whether the file was opened anew */
  readonly check: () => boolean
  readonly close: () => void
}

/** The identities of the files at a path. */
interface Files {
  readonly database: string | null
  readonly wal: string | null
  readonly shm: string | null
}

function filesAt(path: string): Files {
  // The WAL first: if the database is the same afterwards, the WAL belongs to it.
  const wal = identityOf(`${path}-wal`)
  return { wal, shm: identityOf(`${path}-shm`), database: identityOf(path) }
}

/** @throws SQLite's error, or an error that says what to do, if the file cannot be used */
export function serveFile(
  path: string,
  reading: Reading,
  observe: Observe,
  clock: Clock = systemClock,
): ServedFile {
  let current: OpenFile | null = openFile(resolveLinks(path), { ...reading, observe })
  let files = { ...filesAt(resolveLinks(path)), database: current.identity }
  let number = ++opened
  let problem: string | null = null

  function check(): boolean {
    const real = resolveLinks(path)
    try {
      const found = filesAt(real)
      if (found.database === null)
        throw new UnusableDatabase(`${path} is missing. Put a database in its place`)
      const isReplaced = found.database !== files.database
      // If the WAL was removed or replaced, other programs write to another WAL than the one that is open.
      const hasOtherWal = files.wal !== null && found.wal !== files.wal
      if (!isReplaced && !hasOtherWal && current !== null && !current.isChanged()) {
        files = found
        report(null)
        return false
      }
      if (isReplaced) prepareReplacement(real, found)
      // Close first: SQLite shares locks and the index of a WAL among all connections of a process.
      current?.close()
      current = null
      current = openFile(real, { ...reading, observe: isReplaced ? observe : () => {} })
      files = { ...filesAt(real), database: current.identity }
      number = ++opened
      if (isReplaced) observe({ type: 'database-replaced', path })
      else if (problem !== null) observe({ type: 'database-back', path })
      problem = null
      return true
    } catch (error) {
      const text = messageOf(error)
      const reason = error instanceof UnusableDatabase ? text : `${path} cannot be used: ${text}`
      report(current === null ? reason : `${reason}. Lookups are answered from the previous data.`)
      return false
    }
  }

  /**
   * Makes sure that the new file can be served, while the old one still is, and removes what the old file
   * left beside the new one: SQLite would read it with the new file.
   */
  function prepareReplacement(real: string, found: Files): void {
    if (hasHotJournal(real)) throw hotJournalError(real)
    const isForeignWal = found.wal !== null && found.wal === files.wal
    // The relations of a file that came with its own WAL may be in the WAL alone.
    if (found.wal === null || isForeignWal) openImmutable(real, { ...reading, observe: () => {} }).close()
    if (isForeignWal && isWalFilled(real))
      throw new UnusableDatabase(
        `${real}-wal belongs to the file that was replaced. Stop programs that write there, then remove ${real}-wal and ${real}-shm`,
      )
    removeOld(`${real}-wal`, files.wal)
    removeOld(`${real}-shm`, files.shm)
  }

  /** Compares at the last moment: another process of the gateway may have opened the new file already. */
  function removeOld(file: string, identity: string | null): void {
    if (identity !== null && identityOf(file) === identity) rmSync(file, { force: true })
  }

  function report(found: string | null): void {
    if (found === problem) return
    problem = found
    observe(found === null ? { type: 'database-back', path } : { type: 'database-lost', path, reason: found })
  }

  const checking = clock.setInterval(check, CHECK_MS).unref()
  return {
    lookups: () => {
      if (current === null) throw new UnusableDatabase(problem ?? `${path} is being opened`)
      return current.lookups
    },
    number: () => number,
    problem: () => problem,
    check,
    close: () => {
      checking.close()
      current?.close()
    },
  }
}
