// The steps of an import, in this order for every engine. No reader sees a part of an import.
//
// 1. `stage` copies all records of the file, with their lines, into a temporary table.
// 2. `findProblems` tries to move all rows into the table. If rows clash, it undoes the move, and marks them.
// 3. `commit` moves the rows without a problem, unless step 2 has moved all rows. Then readers see them.
//
// One suite tests it for each engine: test/stores/import-suite.ts.

import type { Relation } from '../data/relation.ts'
import type { ErrorKinds } from './servers/errors.ts'
import { type importStatements, type StagedRecord, stagedCells } from './staging.ts'
import type { Awaitable } from './store.ts'

/** Shows the progress while rows move, and may abort: moving rows takes about as long as reading the file. */
export interface Watcher {
  /**
   * Called before each statement.
   * @param share of the lines that are moved, up to 1
   * @param step a description
   */
  readonly onMove?: (share: number, step: string) => void
  readonly signal?: AbortSignal | undefined
}

/** The parts of an import that each engine implements. Readers see no row before `commit`. */
interface ImportSteps {
  /** Whether old rows stay in the table: rows of the import may clash with them. */
  readonly hadRows: boolean
  /** Whether the import deletes the old rows. */
  readonly replace: boolean
  readonly statements: Pick<ReturnType<typeof importStatements>, 'remove' | 'move'>
  /** @param rows the cells in the order of the temporary table */
  readonly stage: (rows: readonly ReturnType<typeof stagedCells>[]) => Awaitable<void>
  readonly finishStaging: () => Awaitable<void>
  /** Begins a transaction or a savepoint, which `undoMove` rolls back. */
  readonly beginMove: () => Awaitable<void>
  readonly undoMove: () => Awaitable<void>
  readonly run: (statement: string) => Awaitable<void>
  /** Creates the indexes after the move, if the engine has dropped them for speed. */
  readonly indexes?: readonly string[]
  /** Whether the error means that rows clash. */
  readonly isClash: (error: unknown) => boolean
  readonly markClashes: () => Awaitable<void>
  /** Runs the statement `problems`. */
  readonly readProblems: () => Iterable<readonly unknown[]> | AsyncIterable<readonly unknown[]>
  readonly commit: () => Awaitable<void>
  /** Closes the connection. Without `commit`, all changes are undone. */
  readonly close: () => Awaitable<void>
  /** Returns an error that names the remedy, if the engine knows one. */
  readonly explain: (error: unknown) => unknown
}

/** Lines that one statement moves in about 0.1 s. Node handles signals only between statements. */
const LINES_PER_MOVE = 20_000

export type Importer = ReturnType<typeof createImporter>

export function createImporter(relation: Relation, steps: ImportSteps) {
  const { hadRows, statements, run, indexes = [], close } = steps
  let lastLine = 0
  let isValid = true
  let isMoved = false

  const explained = <Result>(work: Promise<Result>): Promise<Result> =>
    work.catch((error: unknown) => {
      throw steps.explain(error)
    })

  async function stage(records: readonly StagedRecord[]): Promise<void> {
    lastLine = records.at(-1)?.line ?? lastLine
    isValid &&= records.every(({ cells }) => typeof cells !== 'string')
    await steps.stage(records.map((record) => stagedCells(relation, record)))
  }

  async function move({ onMove, signal }: Watcher): Promise<void> {
    await steps.beginMove()
    if (steps.replace) {
      onMove?.(0, 'deleting the old rows')
      await run(statements.remove)
    }
    for (let line = 0; line < lastLine; line += LINES_PER_MOVE) {
      onMove?.(line / lastLine, 'moving the rows')
      await run(statements.move(line + 1, line + LINES_PER_MOVE))
      signal?.throwIfAborted()
    }
    onMove?.(1, 'moving the rows')
    for (const statement of indexes) {
      onMove?.(1, 'creating the indexes')
      await run(statement)
      signal?.throwIfAborted()
    }
    isMoved = true
  }

  /** Tries to move all rows first: most files have no clash, and `markClashes` is slower than the indexes. */
  async function tryMove(watcher: Watcher): Promise<void> {
    try {
      await move(watcher)
    } catch (error) {
      if (!steps.isClash(error)) throw error
      await steps.undoMove()
    }
  }

  /**
   * Yields, by line, the records that are not valid, and the rows that clash with the table or with an
   * earlier line. Call it once, after all records are staged.
   */
  async function* findProblems(watcher: Watcher = {}) {
    try {
      await steps.finishStaging()
      if (isValid) await tryMove(watcher)
      if (isMoved) return
      watcher.onMove?.(0, 'looking for rows that clash')
      await steps.markClashes()
      for await (const [line, problem, source] of steps.readProblems()) {
        const text = source === null ? null : String(source)
        yield { line: Number(line), problem: String(problem), source: text }
      }
    } catch (error) {
      throw steps.explain(error)
    }
  }

  async function commit(watcher: Watcher): Promise<void> {
    if (!isMoved) await move(watcher)
    watcher.signal?.throwIfAborted()
    await steps.commit()
  }

  return {
    ...{ hadRows, findProblems, close },
    stage: (records: readonly StagedRecord[]) => explained(stage(records)),
    /**
     * Makes the rows without a problem visible to all readers at once.
     * @throws the signal's reason if it is aborted before the commit begins
     */
    commit: (watcher: Watcher = {}) => explained(commit(watcher)),
  }
}

/** A view cannot be filled. */
export function viewError({ name }: Relation): Error {
  return new Error(`${name} is a view in this database: import into the tables that it reads`)
}

/** The connection was lost while the server committed: all rows are there, or none. */
export class UnknownOutcome extends Error {}

type LossKinds = Pick<ErrorKinds, 'isConnectionLost' | 'reasonOf'>

/** Waits for a COMMIT. The server may have committed although its response was lost. */
export async function awaitCommit(commit: Promise<unknown>, kinds: LossKinds): Promise<void> {
  try {
    await commit
  } catch (error) {
    if (!kinds.isConnectionLost(error)) throw error
    throw new UnknownOutcome(
      `The outcome of the import is unknown: the connection was lost during COMMIT (${kinds.reasonOf(error)}). ` +
        'Either all rows were imported or none. Check with "lookup export", and import again if they are missing.',
    )
  }
}

/** Explains a lost connection: some drivers report only ECONNRESET. Other errors stay as they are. */
export function explainLoss(error: unknown, { isConnectionLost, reasonOf }: LossKinds): unknown {
  if (error instanceof UnknownOutcome || !isConnectionLost(error)) return error
  return new Error(
    `the connection was lost during the import (${reasonOf(error)}). ` +
      'See the log of the server for the reason, and import again',
  )
}
