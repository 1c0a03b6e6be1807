// The file that lookups are read from. Another one may be renamed into its place at any time, which is noticed within
// a second: the rows of a file that is no longer there would be served as if they were true.

import type { Observe } from '../../observe/observation.ts'
import type { RowReaders } from '../rows.ts'
import { identityOf, isFilled, moveWalAway, settleWal } from './foreign-wal.ts'
import type { Lookups } from './lookups.ts'
import { type OpenFile, openFile } from './open-file.ts'

/** Milliseconds between two looks at the file. */
const LOOK_MS = 1_000

export interface ServedFile {
  readonly lookups: () => Lookups
  /** How many files it has been so far. */
  readonly count: () => number
  /** Why its rows may be old, and what to do; `null` where all is well. */
  readonly problem: () => string | null
  /** Looks at it now. @returns whether another file is read from now on */
  readonly look: () => boolean
  readonly close: () => void
}

/** @throws SQLite's error, or one that says what to do, where the file cannot be used */
export function serveFile(path: string, readers: RowReaders, observe: Observe): ServedFile {
  settleWal(path)
  let current = openFile(path, { readers, observe, hasForeignWal: false })
  let wal = identityOf(`${path}-wal`)
  let count = 1
  let problem: string | null = null

  function look(): boolean {
    // The WAL first: that of a file which is still there afterwards is its own.
    const walNow = identityOf(`${path}-wal`)
    const identity = identityOf(path)
    if (identity === null) {
      report(`${path} is gone, and what it held is still served. Put a database in its place.`)
      return false
    }
    // Others no longer write to a WAL that was taken away, or its name given to another.
    if (identity === current.identity && (wal === null || walNow === wal) && !current.isChanged()) {
      wal = walNow
      report(null)
      return false
    }
    const isWalForeign = identity !== current.identity && walNow !== null && walNow === wal
    return reopen(isWalForeign && !moveWalAway(path) && isFilled(path))
  }

  function reopen(hasForeignWal: boolean): boolean {
    let next: OpenFile
    try {
      next = openFile(path, { readers, observe, hasForeignWal })
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      report(`What is now ${path} cannot be used, and what it held before is still served: ${reason}`)
      return false
    }
    current.close()
    current = next
    wal = identityOf(`${path}-wal`)
    count++
    problem = null
    observe({ type: 'database-replaced', path })
    return true
  }

  function report(found: string | null): void {
    if (found === problem) return
    problem = found
    observe(found === null ? { type: 'database-back', path } : { type: 'database-lost', path, reason: found })
  }

  const looking = setInterval(look, LOOK_MS).unref()
  return {
    lookups: () => current.lookups,
    count: () => count,
    problem: () => problem,
    look,
    close: () => {
      clearInterval(looking)
      current.close()
    },
  }
}
