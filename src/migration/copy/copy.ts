// Rows of an old service → a file of JSON Lines, politely, and from where it was left.

import { appendFileSync, existsSync, rmSync, statSync, truncateSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../data/apps.ts'
import type { User } from '../../data/users.ts'
import { LookupError } from '../../errors.ts'
import { rowsOf } from '../../stores/items.ts'
import { isRedirection } from '../../stores/old-service/failure.ts'
import type { Store } from '../../stores/store.ts'
import { createPace } from '../pace.ts'
import {
  openProgressFile,
  type ProgressFile,
  ProgressFileError,
  removeProgressFile,
} from '../progress-file.ts'
import { idsFrom, type Ranges, sizeOf } from './id-ranges.ts'

/** What is copied, and where it is kept how far it is; the rows are in a file beside it. */
export interface CopyTask {
  readonly name: 'users' | 'apps'
  readonly url: string
  readonly ids: Ranges
  readonly state: string
}

export interface CopyOptions extends CopyTask {
  readonly store: Store
  /** Ids in a call, and calls a second. */
  readonly perCall: number
  readonly rate: number
  readonly signal: AbortSignal
  /** Is told how many ids have been asked for, and how many rows there were. */
  readonly onProgress: (asked: number, rows: number) => void
}

/** How far a copy is. */
interface Position {
  /** Ids that have been asked for, and rows and bytes that are in the file. */
  readonly asked: number
  readonly rows: number
  readonly bytes: number
}

/** A copy under way, which no other process may work on. */
export interface Copy {
  readonly progressFile: ProgressFile
  /** Where the rows are. */
  readonly file: string
  readonly position: Position
}

/** The old service does not answer as much as it was asked for. The message is for the operator. */
export class CutShort extends Error {}

/** Milliseconds before a call that failed is made again. */
const PAUSES = [1_000, 5_000, 15_000]

const START: Position = { asked: 0, rows: 0, bytes: 0 }

/** Opens what an earlier copy has left, or begins one. @throws ProgressFileError */
export function openCopy({ name, url, ids, state }: CopyTask): Copy {
  const file = `${state}.rows`
  if (!existsSync(state) && existsSync(file))
    throw new ProgressFileError(`${file} is in the way. Delete it, or name another file with --state.`)
  const progressFile = openProgressFile(state, JSON.stringify([name, url, ids]), 'something else')
  const position: Position = { ...START, ...JSON.parse(progressFile.read('position') ?? '{}') }
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) < position.bytes) {
    progressFile.database.close()
    throw new ProgressFileError(`${file} has lost rows. Delete ${state} to begin anew.`)
  }
  appendFileSync(file, '')
  // What was written after the position was is written again.
  truncateSync(file, position.bytes)
  return { progressFile, file, position }
}

/**
 * Copies what is missing. What has been copied stays, whatever happens.
 * @returns how many rows there are
 * @throws LookupError where the old service fails again and again; the signal's reason when interrupted;
 * CutShort
 */
export async function copyRows(
  { progressFile, file, position: before }: Copy,
  options: CopyOptions,
): Promise<number> {
  const { store, name, ids, perCall, rate, signal, onProgress } = options
  const pace = createPace(rate)
  const find = (some: readonly string[]) =>
    again(pace, signal, async () =>
      rowsOf<User | App>(await (name === 'users' ? store.findUsers('ID', some) : store.findApps(some))),
    )
  const total = sizeOf(ids)
  let position = before
  let mostAtOnce = 0
  while (position.asked < total) {
    const some = idsFrom(ids, position.asked, perCall)
    const found = await find(some)
    const rows = found.filter((row) => row !== null)
    // A service that cuts long lists short ends at the same place again and again: what is missing at the end
    // is asked for by itself.
    const missing = some.slice(found.findLastIndex((row) => row !== null) + 1)
    if (rows.length > 0 && missing.length > 0 && rows.length >= mostAtOnce) {
      if ((await find(missing)).some((row) => row !== null))
        throw new CutShort(
          `it answers ${rows.length} of ${some.length} ids in a call, though there are more. Set DATABASE_MAX_VALUES=${rows.length}, or lower.`,
        )
      mostAtOnce = rows.length + 1
    }
    const text = rows.map(lineOf).join('')
    appendFileSync(file, text)
    position = {
      asked: position.asked + some.length,
      rows: position.rows + rows.length,
      bytes: position.bytes + Buffer.byteLength(text),
    }
    progressFile.write('position', JSON.stringify(position))
    onProgress(position.asked, position.rows)
  }
  return position.rows
}

/** Lets go of a copy; what it is about stays. */
export function closeCopy({ progressFile }: Copy): void {
  progressFile.database.close()
}

/** What is not needed any more. */
export function removeCopy({ file }: Copy, state: string): void {
  removeProgressFile(state)
  rmSync(file, { force: true })
}

/** As import files have it: the fields of the model have the names of the columns. */
function lineOf(row: User | App): string {
  return `${JSON.stringify(row)}\n`
}

async function again<Result>(
  pace: ReturnType<typeof createPace>,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 0; ; attempt++) {
    await pace(signal)
    signal.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      const pause = PAUSES[attempt]
      // It is redirected again and again.
      const isWorthIt = error instanceof LookupError && !isRedirection(error.cause)
      if (!isWorthIt || pause === undefined) throw error
      await sleep(pause, undefined, { signal })
    }
  }
}
