// The file for rows that an import leaves out.

import { closeSync, openSync, statSync, truncateSync, writeFileSync } from 'node:fs'

/** It cannot be written. The message is for the operator: it names the file. */
export class RejectsError extends Error {}

export interface Rejects {
  /** @throws RejectsError */
  readonly write: (line: object) => void
  /**
   * All are written: to be called before the import is committed, since some disks complain only now.
   * @throws RejectsError
   */
  readonly finish: () => void
  /** What an import has left that broke off is no list of all invalid rows, and gives its space back. */
  readonly discard: () => void
}

/** Begins an empty file. @throws RejectsError */
export function openRejects(path: string): Rejects {
  const file = explain(path, () => openSync(path, 'w'))
  let open = true
  const close = () => {
    if (open) closeSync(file)
    open = false
  }
  return {
    // Unlike writeSync, it goes on where the system has taken only a part.
    write: (line) => explain(path, () => writeFileSync(file, `${JSON.stringify(line)}\n`)),
    finish: () => explain(path, close),
    discard: () => {
      try {
        close()
        // A pipe or a device keeps nothing.
        if (statSync(path).isFile()) truncateSync(path)
      } catch {
        // What went wrong before counts.
      }
    },
  }
}

function explain<Result>(path: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    const reason = error instanceof Error ? error.message : String(error)
    const what = code === 'ENOSPC' || code === 'EDQUOT' ? 'Free space there, or name' : 'Name'
    throw new RejectsError(
      `The rejects cannot be written to ${path}: ${reason}. ${what} another file with --skip-invalid.`,
    )
  }
}
