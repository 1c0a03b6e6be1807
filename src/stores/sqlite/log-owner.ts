// Whether a WAL or a journal is of the database beside it. Nothing in either says so: only when the two were
// made and written tells. No rule over that is perfect. This one rather refuses a pair that belongs together,
// which one command mends, than have a mixture served, which nothing mends.

import { type BigIntStats, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Nanoseconds between the copies of a log and of its database, where the two are restored together. */
const RESTORE_NS = 1_000_000_000n

/**
 * Whether a log was written for the last time before the database was put there. A rename changes what the
 * system knows of a file (its ctime), and not its content; a copy has a time of birth of its own.
 *
 * Foreign:
 * - the database was renamed into the place of another, whatever was done to its owner or mode afterwards;
 * - it was copied there anew (`rm`, `cp`; `tar`, `rsync` and `mv` from another file system do so, too).
 *
 * Its own:
 * - the database is written to (a checkpoint);
 * - its owner or mode was changed, or a link to it made in another folder;
 * - both were restored with their times (`cp -p`, `tar`, `rsync -t`, `mv` from another file system), in any
 *   order and within a second;
 * - both were copied without their times, the database first;
 * - an empty log was left behind, and is written to since the database is there;
 * - an operator says so with `touch`.
 *
 * Its own, and refused:
 * - both were copied without their times, the log first, or renamed one by one;
 * - the owner or mode was changed, or a link made in the same folder, and a file of the folder came or went.
 *
 * Foreign, and not noticed:
 * - the database was overwritten in place (`cp` over it), which leaves it the same file;
 * - a program that has the old database open writes on to its log;
 * - a copy anew on a file system that keeps no time of birth. A rename is noticed there.
 */
export function isForeign(log: string, path: string): boolean {
  const found = statOf(log)
  if (found === undefined) return false
  const database = statOf(path)
  if (database === undefined) return found.size > 0n
  const written = lastWritten(found)
  if (database.birthtimeNs > written) return true
  // Nothing was renamed in the folder since. The owner or the mode may have been changed.
  if ((statOf(dirname(path))?.mtimeNs ?? written) < written) return false
  return database.ctimeNs >= written && database.ctimeNs !== database.mtimeNs
}

/** When the log was written, or was put there by a tool that gave it the time it had elsewhere. */
function lastWritten({ birthtimeNs, mtimeNs, ctimeNs }: BigIntStats): bigint {
  if (birthtimeNs === 0n) return ctimeNs
  // Its ctime changes whenever root opens the database.
  return mtimeNs < birthtimeNs ? ctimeNs + RESTORE_NS : mtimeNs
}

function statOf(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })
}
