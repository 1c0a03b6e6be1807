import type { Stretch } from './stretches.ts'

/** How many ids the next list has. */
interface Sizes {
  readonly next: () => number
  /** Is told how the last list was settled. */
  readonly note: (stretches: readonly Stretch[]) => void
}

/**
 * Lists as long as the service answers well: where many ids are refused, lists are so short that each has
 * about one of them, and where nothing is wrong but their length, no longer than what was answered. They grow
 * again.
 */
export function createSizes(most: number): Sizes {
  let size = most
  let ceiling = most
  return {
    next: () => size,
    note: (stretches) => {
      const length = stretches.reduce((sum, { ids }) => sum + ids.length, 0)
      const bad = stretches.filter(({ ids, outcomes }) => ids.length === 1 && !isRow(ids, outcomes)).length
      // One call, or one id: its list was as long as it could be.
      if (stretches.length === 1) {
        ceiling = Math.min(most, ceiling + 1)
        size = bad > 0 ? 1 : Math.min(ceiling, size * 2)
        return
      }
      if (bad === 0) ceiling = Math.max(...stretches.map(({ ids }) => ids.length))
      size = Math.min(ceiling, Math.max(1, Math.floor(length / Math.max(1, bad))))
    },
  }
}

function isRow([id = '']: readonly string[], outcomes: Stretch['outcomes']): boolean {
  const outcome = outcomes.get(id)
  return outcome !== undefined && !(outcome instanceof Error)
}
