// The order of the steps of an import, for every engine:
//
// 1. `stage`: all records of the file go into a temporary table, with their lines.
// 2. `findProblems`: the rows move into the table. If some clash, this is undone, and a statement marks them.
// 3. `commit`: the rows without a problem move, unless all have, and readers see them.
//
// One suite tests it for each engine: test/stores/import-suite.ts.

import type { Relation } from '../data/relation.ts'
import { type importStatements, type StagedRecord, stagedCells } from './staging.ts'
import type { Awaitable } from './store.ts'

export interface Problem {
  readonly line: number
  readonly problem: string
  readonly source: string | null
}

/** What watches an import while rows move, which takes about as long as reading the file. */
interface Watcher {
  /** @param share of the lines, up to 1 */
  readonly onMove?: (share: number) => void
  /** Called before a statement over the whole table, whose progress is unknown. */
  readonly onStatement?: (description: string) => void
  readonly signal?: AbortSignal | undefined
}

/** The steps of an import, as an engine does them. Readers see no row before `commit`. */
interface Steps {
  /** Whether the table had rows before, which stay: rows of the import may clash with them. */
  readonly hadRows: boolean
  /** Whether the rows replace those that are there. */
  readonly replace: boolean
  readonly statements: Pick<ReturnType<typeof importStatements>, 'remove' | 'move'>
  /** @param rows as the temporary table has them */
  readonly stage: (rows: readonly ReturnType<typeof stagedCells>[]) => Awaitable<void>
  readonly finishStaging: () => Awaitable<void>
  /** Prepares to write, so that `undoMove` can undo what follows. */
  readonly beginMove: () => Awaitable<void>
  readonly undoMove: () => Awaitable<void>
  readonly run: (statement: string) => Awaitable<void>
  /** SQL that makes the indexes, if rows are moved without them. */
  readonly indexes?: readonly string[]
  /** Whether rows could not be moved because they clash. */
  readonly isClash: (error: unknown) => boolean
  readonly markClashes: () => Awaitable<void>
  /** Runs the statement `problems`. */
  readonly readProblems: () => Iterable<readonly unknown[]> | AsyncIterable<readonly unknown[]>
  readonly commit: () => Awaitable<void>
  /** A warning for the operator after the commit, such as about rows in a WAL; null for none. */
  readonly warning?: () => string | null
  /**
   * Closes the connection; without `commit`, everything is as it was.
   * @param signal if it is aborted, the server is left to undo the rows by itself
   */
  readonly close: (signal?: AbortSignal) => Awaitable<void>
  readonly explain: (error: unknown) => unknown
}

/** Lines that one statement moves: it takes a tenth of a second, and signals arrive in between. */
const LINES_PER_MOVE = 20_000

export type Importer = ReturnType<typeof createImporter>

export function createImporter(relation: Relation, steps: Steps) {
  const { hadRows, statements, run, indexes = [], warning = () => null, close } = steps
  let lastLine = 0
  let isValid = true
  let isMoved = false

  async function stage(records: readonly StagedRecord[]): Promise<void> {
    lastLine = records.at(-1)?.line ?? lastLine
    isValid &&= records.every(({ problem }) => problem === null)
    await steps.stage(records.map((record) => stagedCells(relation, record)))
  }

  async function move({ onMove, onStatement, signal }: Watcher): Promise<void> {
    await steps.beginMove()
    if (steps.replace) {
      onStatement?.('deleting the old rows')
      await run(statements.remove)
    }
    for (let line = 0; line < lastLine; line += LINES_PER_MOVE) {
      onMove?.(line / lastLine)
      await run(statements.move(line + 1, line + LINES_PER_MOVE))
      signal?.throwIfAborted()
    }
    if (indexes.length > 0) onStatement?.('creating the indexes')
    for (const statement of indexes) {
      await run(statement)
      signal?.throwIfAborted()
    }
    onMove?.(1)
    isMoved = true
  }

  /** Most files are valid: indexes notice one clash faster than `markClashes` finds all. */
  async function tryMove(watcher: Watcher): Promise<void> {
    try {
      await move(watcher)
    } catch (error) {
      if (!steps.isClash(error)) throw error
      await steps.undoMove()
    }
  }

  const rethrow = (error: unknown): never => {
    throw steps.explain(error)
  }

  /**
   * To be called once, after all records are staged.
   * @returns the records without a row, and the rows that clash with the table or with an earlier line; by
   * line
   */
  async function* findProblems(watcher: Watcher = {}): AsyncGenerator<Problem> {
    try {
      await steps.finishStaging()
      if (isValid) await tryMove(watcher)
      if (isMoved) return
      watcher.onStatement?.('looking for rows that clash')
      await steps.markClashes()
      for await (const [line, problem, source] of steps.readProblems())
        yield {
          line: Number(line),
          problem: String(problem),
          source: source === null ? null : String(source),
        }
    } catch (error) {
      rethrow(error)
    }
  }

  async function commit(watcher: Watcher): Promise<void> {
    if (!isMoved) await move(watcher)
    watcher.signal?.throwIfAborted()
    await steps.commit()
  }

  return {
    ...{ hadRows, findProblems, warning, close },
    stage: (records: readonly StagedRecord[]) => stage(records).catch(rethrow),
    /**
     * Makes the rows without a problem visible to all readers at once.
     * @throws the signal's reason if it is aborted before there is no way back
     */
    commit: (watcher: Watcher = {}) => commit(watcher).catch(rethrow),
  }
}
