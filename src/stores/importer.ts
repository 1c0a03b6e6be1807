// What every store that can be filled promises. Proven for each by test/stores/import-suite.ts.

import type { Cell } from '../records/relation.ts'

export interface ImportOptions {
  /** Whether the rows take the place of those that are there. */
  readonly replace: boolean
  /**
   * Whether rows may go in without looking for clashes until the end. That is much faster, but then it can only be
   * said that some rows clash, not which. Takes effect where the relation is empty or replaced.
   */
  readonly bulk: boolean
}

/** One import: one transaction, of which no reader sees anything until it is committed. */
export interface Importer {
  /** Adds a row. @returns why it clashes with another row, or `null`. @throws ClashError in a bulk import */
  readonly add: (cells: readonly Cell[]) => string | null
  /** Makes the rows visible to all readers at once. @throws ClashError in a bulk import */
  readonly commit: () => void
  /** Lets go of the store; without `commit`, everything is as it was. */
  readonly close: () => void
}

/** In a bulk import, two rows clash. */
export class ClashError extends Error {}
