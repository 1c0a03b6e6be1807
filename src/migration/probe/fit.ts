// Finds the dialect that explains the responses of an old service best, by hill climbing: tries each value of
// each choice, and selects the value with the best score, until no value improves the score. `lookup probe`
// writes the result to the file of the operator.

import { choices } from '../../legacy/choices.ts'
import type { Dialect } from '../../legacy/dialect.ts'
import { differencesOf, valueAt, withValue } from '../../legacy/dialect-places.ts'
import type { DialectCandidate, Evidence } from './evidence.ts'
import type { DialectValue } from './read-off.ts'

/** A choice and its possible values. */
interface ChoiceRange {
  readonly path: readonly string[]
  readonly values: readonly unknown[]
}

/**
 * @param starts dialects to start from, until one leads to a dialect that explains everything
 * @param alternatives other values that keys of the dialect besides its choices may have
 */
export function fitDialect(
  { judge, most }: Evidence,
  starts: readonly [Dialect, ...Dialect[]],
  alternatives: readonly DialectValue[],
): Dialect {
  let best = judge(starts[0])
  for (const start of starts) {
    const ranges = [
      ...alternatives.map(([path, value]) => ({ path, values: [valueAt(start, path), value] })),
      ...choices,
    ]
    const end = climb(judge(start), ranges)
    if (end.score > best.score) best = end
    if (best.score === most) break
  }
  return best.dialect

  function climb(start: DialectCandidate, ranges: readonly ChoiceRange[]): DialectCandidate {
    let top = start
    for (const { path, values } of ranges)
      for (const value of values) {
        if (top.score === most) return top
        if (valueAt(top.dialect, path) === value) continue
        const other = judge(withValue(top.dialect, path, value), top, path)
        if (other.score > top.score) top = other
      }
    return top === start ? top : climb(top, ranges)
  }
}

/** Replaces the values of a dialect by those of another one, if they explain the responses as well. */
export function preferValues({ judge }: Evidence, dialect: Dialect, preferred: Dialect): Dialect {
  let best = judge(dialect)
  for (const { path } of differencesOf(dialect, preferred)) {
    const other = judge(withValue(best.dialect, path, valueAt(preferred, path)), best, path)
    if (other.score >= best.score) best = other
  }
  return best.dialect
}

/** Returns each choice that has other values which explain the responses equally well, and these values. */
export function unseenChoices({ judge }: Evidence, dialect: Dialect): readonly ChoiceRange[] {
  const chosen = judge(dialect)
  const isUnseen = (path: readonly string[], value: unknown) =>
    value !== valueAt(dialect, path) &&
    judge(withValue(dialect, path, value), chosen, path).score === chosen.score
  return (
    choices
      .map(({ path, values }) => ({ path, values: values.filter((value) => isUnseen(path, value)) }))
      // The search for the limit has found this choice.
      .filter(({ path, values }) => values.length > 0 && path.join('.') !== 'read.tooMany')
  )
}
