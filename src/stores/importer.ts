// What every store that can be filled promises. Proven for each by test/stores/import-suite.ts.

import type { Cell } from '../data/fields.ts'
import type { Awaitable } from './store.ts'

export interface ImportOptions {
  /** Whether the rows take the place of those that are there. */
  readonly replace: boolean
  /**
   * Whether rows may go in without looking for clashes until the end. That is much faster, but then it can
   * only be said that some rows clash, not which. Takes effect where the relation is empty or replaced.
   */
  readonly bulk: boolean
}

/** One import: one transaction, of which no reader sees anything until it is committed. */
export interface Importer {
  /** Whether the relation had rows before, which stay: rows of the import may clash with them. */
  readonly hadRows: boolean
  /** Adds rows in their order. @returns those that could not go in. @throws ClashError in a bulk import */
  readonly add: (rows: readonly Row[]) => Awaitable<readonly Refusal[]>
  /**
   * Makes the rows visible to all readers at once.
   * @throws ClashError in a bulk import; the signal's reason where it comes before there is no way back
   */
  readonly commit: (signal?: AbortSignal) => Awaitable<void>
  /** What the operator has to know after the commit, and do; `null` where all is well. */
  readonly warning?: () => string | null
  /**
   * Lets go of the store; without `commit`, everything is as it was.
   * @param signal where it comes, the server is left to undo the rows by itself
   */
  readonly close: (signal?: AbortSignal) => Awaitable<void>
}

/** The cells of a row, in the order of the relation's columns. */
export type Row = readonly Cell[]

/** A row that clashes with another one. */
export interface Refusal {
  /** Its place among the rows that were added with it. */
  readonly index: number
  readonly reason: string
}

/** In a bulk import, two rows clash. */
export class ClashError extends Error {}
