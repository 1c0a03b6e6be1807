// Rows of an old service → a file of JSON Lines, politely, and from where it was left.

import { appendFileSync, existsSync, rmSync, statSync, truncateSync } from 'node:fs'
import type { Clock } from '../../clock.ts'
import type { Relation } from '../../data/relation.ts'
import type { Lookup } from '../../stores/old-service/lookup.ts'
import {
  openProgressFile,
  type ProgressFile,
  ProgressFileError,
  removeProgressFile,
} from '../progress-file.ts'
import { createCopyCalls, type Outcome, type Row } from './calls.ts'
import { idsFrom, type Ranges, sizeOf } from './id-ranges.ts'
import { type Faulty, readOutcome } from './rows.ts'

/** What is copied, and where it is kept how far it is; the rows are in a file beside it. */
interface CopyTask {
  readonly name: 'users' | 'apps'
  readonly url: string
  readonly ids: Ranges
  readonly state: string
}

interface CopyOptions {
  readonly relation: Relation
  readonly ids: Ranges
  readonly lookup: Lookup<Row>
  /** Ids in a call, and calls a second. */
  readonly perCall: number
  readonly rate: number
  /** Whether ids that cannot be copied are written down, and the others are copied. */
  readonly skipsFaulty: boolean
  readonly signal: AbortSignal
  readonly clock?: Clock | undefined
  /** Is told how many ids have been asked for, and how many rows there were. */
  readonly onProgress: (asked: number, rows: number) => void
}

/** How far a copy is. */
export interface Position {
  /** Ids that have been asked for, rows that are in the file, and ids that were skipped. */
  readonly asked: number
  readonly rows: number
  readonly skipped: number
  /** The highest id that was found; 0 if none was. */
  readonly highest: number
  /** Bytes of the files of rows and of what was skipped. */
  readonly bytes: number
  readonly skippedBytes: number
}

/** A copy under way, which no other process may work on. */
interface Copy {
  readonly progressFile: ProgressFile
  /** Where the rows are, and what was skipped. */
  readonly file: string
  readonly skippedFile: string
  readonly position: Position
}

/** The old service does not answer as much as it was asked for. The message is for the operator. */
export class CutShort extends Error {}

/** Ids that cannot be copied. */
export class FaultyRows extends Error {
  readonly faulty: readonly Faulty[]

  constructor(faulty: readonly Faulty[]) {
    super('some ids cannot be copied')
    this.faulty = faulty
  }
}

const START: Position = { asked: 0, rows: 0, skipped: 0, highest: 0, bytes: 0, skippedBytes: 0 }

/** Opens what an earlier copy has left, or begins one. @throws ProgressFileError */
export function openCopy({ name, url, ids, state }: CopyTask): Copy {
  const [file, skippedFile] = [`${state}.rows`, `${state}.skipped`]
  const inTheWay = existsSync(state) ? undefined : [file, skippedFile].find((one) => existsSync(one))
  if (inTheWay !== undefined)
    throw new ProgressFileError(`${inTheWay} exists already. Delete it, or name another file with --state.`)
  const progressFile = openProgressFile(state, JSON.stringify([name, url, ids]), 'another import')
  const position: Position = { ...START, ...JSON.parse(progressFile.read('position') ?? '{}') }
  for (const [path, bytes] of [
    [file, position.bytes],
    [skippedFile, position.skippedBytes],
  ] as const) {
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) < bytes) {
      progressFile.database.close()
      throw new ProgressFileError(`${path} is shorter than it was. To start over, delete ${state}.`)
    }
    appendFileSync(path, '')
    // What was written after the position was is written again.
    truncateSync(path, bytes)
  }
  return { progressFile, file, skippedFile, position }
}

/**
 * Copies what is missing. What has been copied stays, whatever happens.
 * @returns where it is in the end
 * @throws OldServiceError where the old service fails again and again; the signal's reason when interrupted;
 * CutShort; FaultyRows
 */
export async function copyRows(copy: Copy, options: CopyOptions): Promise<Position> {
  const { lookup, relation, ids, perCall, rate, skipsFaulty, signal, clock, onProgress } = options
  let position = copy.position
  const others = () => OTHERS.flatMap((skipped) => idsFrom(ids, position.asked + skipped, 1))
  const ask = createCopyCalls({ lookup, rate, signal, clock, others })
  const total = sizeOf(ids)
  let size = perCall
  let longest = perCall
  let mostAtOnce = 0

  /**
   * A service that truncates lists always does so at the same place: ids that are missing at the end are
   * asked for by themselves.
   */
  async function refuseTruncation(some: readonly string[], { rows, isSplit }: Outcome): Promise<void> {
    const missing = some.slice(some.findLastIndex((id) => rows.has(id)) + 1)
    if (isSplit || rows.size === 0 || missing.length === 0 || rows.size < mostAtOnce) return
    if ((await ask(missing)).rows.size > 0)
      throw new CutShort(
        `the old service truncates lists: it returned ${rows.size} of ${some.length} ids. Set DATABASE_MAX_VALUES=${rows.size}, or lower.`,
      )
    mostAtOnce = rows.size + 1
  }

  /**
   * If ids fail, the next list is so short that it has about one of them. If only long lists fail, it is no
   * longer than one that was answered. Lists grow again.
   */
  function adaptSize(some: readonly string[], outcome: Outcome): void {
    const isBad = (row: Row | Error | undefined) => row === undefined || row instanceof Error
    const bad = some.filter((id) => isBad(outcome.rows.get(id))).length
    if (!outcome.isSplit) longest = Math.min(perCall, longest + 1)
    else if (bad === 0) longest = Math.max(1, outcome.longest)
    const isEasy = !outcome.isSplit && (some.length > 1 || bad === 0)
    const next = isEasy ? size * 2 : Math.floor(some.length / Math.max(1, bad))
    size = Math.max(1, Math.min(longest, next))
  }

  function keep(some: readonly string[], { rows }: Outcome): void {
    const read = some.flatMap((id) => {
      const row = rows.get(id)
      return row === undefined ? [] : [readOutcome(relation, id, row)]
    })
    const lines = read.filter((one) => typeof one === 'string')
    const faulty = read.filter((one) => typeof one !== 'string')
    if (faulty.length > 0 && !skipsFaulty) throw new FaultyRows(faulty)
    const skipped = faulty.map((one) => `${JSON.stringify(one)}\n`)
    position = {
      asked: position.asked + some.length,
      rows: position.rows + lines.length,
      skipped: position.skipped + skipped.length,
      highest: Number(some.findLast((id) => rows.has(id)) ?? position.highest),
      bytes: position.bytes + append(copy.file, lines),
      skippedBytes: position.skippedBytes + append(copy.skippedFile, skipped),
    }
    copy.progressFile.write('position', JSON.stringify(position))
    onProgress(position.asked, position.rows)
  }

  while (position.asked < total) {
    const some = idsFrom(ids, position.asked, size)
    const outcome = await ask(some)
    await refuseTruncation(some, outcome)
    keep(some, outcome)
    adaptSize(some, outcome)
  }
  return position
}

/** Some ids further on, of those that were not asked for yet. */
const OTHERS = [1, 2, 4, 8, 16, 32, 64, 128]

/** @returns how many bytes were written */
function append(path: string, lines: readonly string[]): number {
  const text = lines.join('')
  appendFileSync(path, text)
  return Buffer.byteLength(text)
}

/** Whether not one id has been asked for with success. */
export function isUnbegun({ progressFile }: Copy): boolean {
  return progressFile.read('position') === undefined
}

/** Lets go of a copy; what it is about stays. */
export function closeCopy({ progressFile }: Copy): void {
  progressFile.database.close()
}

/** What is not needed any more. */
export function removeCopy({ file, skippedFile }: Copy, state: string): void {
  removeProgressFile(state)
  for (const path of [file, skippedFile]) rmSync(path, { force: true })
}
