// The file for rows that an import leaves out.

import { closeSync, copyFileSync, openSync, readSync, statSync, writeFileSync } from 'node:fs'
import { UsageError } from '../../terminal/command-error.ts'
import { refuseOverwriting } from '../../terminal/files.ts'
import { messageOf } from '../../text.ts'

/** Bytes of a file in which a list of rejects names its first problem. */
const HEAD_BYTES = 4096

/** The file cannot be written. The message names it, for the operator. */
export class RejectsError extends Error {}

export type Rejects = ReturnType<typeof openRejects>

/**
 * Creates or replaces the file.
 * @param first a file with which it begins
 * @throws RejectsError
 */
export function openRejects(path: string, first?: string) {
  function explain<Result>(work: () => Result): Result {
    try {
      return work()
    } catch (error) {
      throw new RejectsError(
        `The rejects cannot be written to ${path}: ${messageOf(error)}. Name another file with --skip-invalid.`,
      )
    }
  }

  const file = explain(() => {
    if (first !== undefined) copyFileSync(first, path)
    return openSync(path, first === undefined ? 'w' : 'a')
  })
  return {
    /** Unlike writeSync, it goes on if the system has taken only a part. @throws RejectsError */
    write: (line: string): void => explain(() => writeFileSync(file, line)),
    /** Closes the file before the commit: some disks report errors only on close. @throws RejectsError */
    finish: (): void => explain(() => closeSync(file)),
  }
}

/**
 * Makes sure that an import replaces no other file than rejects of an earlier import: neither a file that it
 * reads, nor one that was meant to be imported.
 * @param read files that the import reads
 * @throws UsageError
 */
export function refuseOtherFiles(path: string, read: readonly string[]): void {
  refuseOverwriting('rejects', path, read)
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats?.isFile() || stats.size === 0) return
  const head = Buffer.alloc(HEAD_BYTES)
  const file = openSync(path, 'r')
  readSync(file, head)
  closeSync(file)
  if (/^\{"(?:line|id)":.*"problem":/.test(head.toString('latin1'))) return
  throw new UsageError(
    `${path} exists, and is no list of rejects. Name a new file with --skip-invalid: invalid rows are written to it.`,
  )
}
