// The progress of a copy: a progress file, and beside it the rows that were copied and the ids that were
// skipped. A copy that was interrupted resumes from them, and imports only once all ids are done.

import { appendFileSync, existsSync, rmSync, statSync, truncateSync } from 'node:fs'
import {
  openProgressFile,
  type ProgressFile,
  ProgressFileError,
  removeProgressFile,
} from '../progress-file.ts'
import type { IdRanges } from './id-ranges.ts'

/** Ids, rows and bytes so far. */
export interface CopyPosition {
  /** Ids that are done. */
  readonly done: number
  readonly rows: number
  readonly skipped: number
  /** The highest id that was found; 0 if none was. */
  readonly highest: number
  /** Bytes of the file of rows, and of the file of skipped ids. */
  readonly bytes: number
  readonly skippedBytes: number
}

/** A copy that no other process may work on. */
export interface CopyJob {
  readonly progressFile: ProgressFile
  /** The path of the file of rows. */
  readonly file: string
  readonly skippedFile: string
  readonly position: CopyPosition
}

interface CopyTask {
  readonly name: 'users' | 'apps'
  readonly url: string
  readonly ids: IdRanges
  /** The path of the progress file. */
  readonly state: string
}

const START: CopyPosition = { done: 0, rows: 0, skipped: 0, highest: 0, bytes: 0, skippedBytes: 0 }

/** Resumes an earlier copy, or begins one. @throws ProgressFileError */
export function openCopy({ name, url, ids, state }: CopyTask): CopyJob {
  const [file, skippedFile] = [`${state}.rows`, `${state}.skipped`]
  const foreign = existsSync(state) ? undefined : [file, skippedFile].find((path) => existsSync(path))
  if (foreign !== undefined)
    throw new ProgressFileError(`${foreign} exists already. Delete it, or name another file with --state.`)
  const progressFile = openProgressFile(state, JSON.stringify([name, url, ids]), 'another import')
  const position: CopyPosition = { ...START, ...JSON.parse(progressFile.read('position') ?? '{}') }
  const sizes = [
    [file, position.bytes],
    [skippedFile, position.skippedBytes],
  ] as const
  for (const [path, bytes] of sizes) {
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) < bytes) {
      progressFile.database.close()
      throw new ProgressFileError(`${path} is shorter than it was. To start over, delete ${state}.`)
    }
    appendFileSync(path, '')
    // A crash may have come between the rows and their position: these rows are copied again.
    truncateSync(path, bytes)
  }
  return { progressFile, file, skippedFile, position }
}

/** Appends to both files, then saves the position. @returns the new position */
export function save(
  { progressFile, file, skippedFile }: CopyJob,
  position: CopyPosition,
  rows: readonly string[],
  skipped: readonly string[],
): CopyPosition {
  const next = {
    ...position,
    rows: position.rows + rows.length,
    skipped: position.skipped + skipped.length,
    bytes: position.bytes + append(file, rows),
    skippedBytes: position.skippedBytes + append(skippedFile, skipped),
  }
  progressFile.write('position', JSON.stringify(next))
  return next
}

/** @returns the number of bytes */
function append(path: string, lines: readonly string[]): number {
  const text = lines.join('')
  appendFileSync(path, text)
  return Buffer.byteLength(text)
}

/** Whether no id is done. */
export function isUnbegun({ progressFile }: CopyJob): boolean {
  return progressFile.read('position') === undefined
}

/** The files stay. */
export function closeCopy({ progressFile }: CopyJob): void {
  progressFile.database.close()
}

export function removeCopy({ file, skippedFile }: CopyJob, state: string): void {
  removeProgressFile(state)
  for (const path of [file, skippedFile]) rmSync(path, { force: true })
}
