// The file for rows that an import leaves out.

import { closeSync, copyFileSync, openSync, readSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { UsageError } from '../../terminal/command-error.ts'
import { refuseOverwriting } from '../../terminal/outputs.ts'
import { messageOf } from '../../text.ts'

/** Bytes of a file in which a list of rejects names its first problem. */
const HEAD_BYTES = 4096

/** It cannot be written. The message is for the operator: it names the file. */
export class RejectsError extends Error {}

export interface Rejects {
  /** @throws RejectsError */
  readonly write: (line: string) => void
  /**
   * Closes the file: to be called before the import is committed, since some disks complain only now.
   * @throws RejectsError
   */
  readonly finish: () => void
  /** Empties the file of an import that broke off: it is no list of all invalid rows. */
  readonly discard: () => void
}

/**
 * Begins a file, which is empty but for the lines of another one.
 * @throws RejectsError
 */
export function openRejects(path: string, first?: string): Rejects {
  const file = explain(path, () => {
    if (first !== undefined) copyFileSync(first, path)
    return openSync(path, first === undefined ? 'w' : 'a')
  })
  return {
    // Unlike writeSync, it goes on if the system has taken only a part.
    write: (line) => explain(path, () => writeFileSync(file, line)),
    finish: () => explain(path, () => closeSync(file)),
    discard: () => {
      try {
        // A pipe or a device keeps nothing.
        if (statSync(path).isFile()) truncateSync(path)
        closeSync(file)
      } catch {
        // What went wrong before counts.
      }
    },
  }
}

/**
 * A file that was there may be a list of rejects, which a further import replaces, but no other one: neither
 * what is read, nor a file that was meant to be imported.
 * @param read files that the import reads
 * @throws UsageError
 */
export function refuseOtherFiles(path: string, read: readonly string[]): void {
  refuseOverwriting('rejects', path, read)
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined || !stats.isFile() || stats.size === 0) return
  const head = Buffer.alloc(HEAD_BYTES)
  const file = explain(path, () => openSync(path, 'r'))
  try {
    readSync(file, head)
  } finally {
    closeSync(file)
  }
  if (/^\{"(?:line|id)":.*"problem":/.test(head.toString('latin1'))) return
  throw new UsageError(
    `${path} exists, and is no list of rejects. Name a new file with --skip-invalid: invalid rows are written to it.`,
  )
}

function explain<Result>(path: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    const reason = messageOf(error)
    const what = code === 'ENOSPC' || code === 'EDQUOT' ? 'Free space there, or name' : 'Name'
    throw new RejectsError(
      `The rejects cannot be written to ${path}: ${reason}. ${what} another file with --skip-invalid.`,
    )
  }
}
