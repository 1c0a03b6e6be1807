// Serves lookups from an SQLite file. If an operator renames another file over it, this opens the new file
// within a second: SQLite itself would read the old file for ever. The order of the steps protects the data.

import { rmSync } from 'node:fs'
import { type Clock, systemClock } from '../../clock.ts'
import type { Observe } from '../../observe/events.ts'
import { messageOf } from '../../text.ts'
import { UnusableDatabase } from '../store.ts'
import { hasHotJournal, identityOf, isFilled, journalError, resolveLinks } from './files.ts'
import { type FileReader, type OpenFile, openFile, openImmutable } from './open-file.ts'

/** Milliseconds between two checks of the file. */
const CHECK_MS = 1_000

/** How many files this process has opened. */
let openedFiles = 0

/** The identities (device and inode) of a database and the files beside it; `null` if a file is missing. */
interface FileIdentities {
  readonly database: string | null
  readonly wal: string | null
  readonly shm: string | null
}

function filesAt(path: string): FileIdentities {
  // Read the WAL first: if the database is still the same afterwards, the WAL belongs to it.
  const wal = identityOf(`${path}-wal`)
  return { wal, shm: identityOf(`${path}-shm`), database: identityOf(path) }
}

/** @throws SQLite's error, or an UnusableDatabase that says what to do, if the file cannot be used */
export function serveFile(path: string, reader: FileReader, observe: Observe, clock: Clock = systemClock) {
  let current: OpenFile | null = openFile(resolveLinks(path), reader, observe)
  let files = { ...filesAt(resolveLinks(path)), database: current.identity }
  let number = ++openedFiles
  let problem: string | null = null

  /** Opens the file again if it was replaced, or can be used again. @returns whether it was opened */
  function check(): boolean {
    try {
      const real = resolveLinks(path)
      const found = filesAt(real)
      if (found.database === null)
        throw new UnusableDatabase(`${path} is missing. Put a database in its place`)
      const isReplaced = found.database !== files.database
      // If the WAL was removed or replaced, other programs write to another WAL than the one that is open.
      const hasOtherWal = files.wal !== null && found.wal !== files.wal
      const isSame = !isReplaced && !hasOtherWal && current?.isChanged() === false
      if (isSame) files = found
      else reopen(real, found, isReplaced)
      if (problem !== null && !isReplaced) observe({ type: 'database-back', path })
      problem = null
      return !isSame
    } catch (error) {
      const text = messageOf(error)
      const reason = error instanceof UnusableDatabase ? text : `${path} cannot be used: ${text}`
      report(current === null ? reason : `${reason}. Lookups are answered from the previous data.`)
      return false
    }
  }

  function reopen(real: string, found: FileIdentities, isReplaced: boolean): void {
    if (isReplaced) prepareReplacement(real, found)
    // Close first: SQLite shares locks and the index of a WAL among all connections of a process.
    current?.close()
    current = null
    current = openFile(real, reader, isReplaced ? observe : () => {})
    files = { ...filesAt(real), database: current.identity }
    number = ++openedFiles
    if (isReplaced) observe({ type: 'database-replaced', path })
  }

  /**
   * Checks that the new file can be served, while the old file is still open. Then removes the WAL and the
   * shm of the old file: SQLite would read them as part of the new file.
   */
  function prepareReplacement(real: string, found: FileIdentities): void {
    if (hasHotJournal(real)) throw journalError(real)
    const isForeignWal = found.wal !== null && found.wal === files.wal
    // Without a WAL of its own, the new file must have the relations itself.
    if (found.wal === null || isForeignWal) openImmutable(real, reader).close()
    if (isForeignWal && isFilled(`${real}-wal`))
      throw new UnusableDatabase(
        `${real}-wal belongs to the file that was replaced. Stop programs that write there, then remove ${real}-wal and ${real}-shm`,
      )
    removeOld(`${real}-wal`, files.wal)
    removeOld(`${real}-shm`, files.shm)
  }

  /** Compares just before it removes: another process of the gateway may have opened the new file already. */
  function removeOld(file: string, identity: string | null): void {
    if (identity !== null && identityOf(file) === identity) rmSync(file, { force: true })
  }

  function report(reason: string): void {
    if (reason !== problem) observe({ type: 'database-lost', path, reason })
    problem = reason
  }

  const checking = clock.setInterval(check, CHECK_MS).unref()
  return {
    /** @throws UnusableDatabase if no file is open */
    lookups: () => {
      if (current === null) throw new UnusableDatabase(problem ?? `${path} is being opened`)
      return current.lookups
    },
    /** A number that differs for each file that the process opens. */
    number: () => number,
    /** Why the rows may be out of date, and how to fix it; `null` if the file can be used. */
    problem: () => problem,
    check,
    close: (): void => {
      checking.close()
      current?.close()
    },
  }
}
