export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const at = (index: number) => sorted[index] ?? Number.NaN
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    min: at(0),
    max: at(sorted.length - 1),
  }
}

/** Runs cheap first and dear last in one round, and the other way round in the next. */
export function alternating<Item>(items: readonly Item[], round: number): readonly Item[] {
  return round % 2 === 1 ? items : items.toReversed()
}
