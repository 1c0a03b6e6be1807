// Finds the dialect that explains the responses of an old service best, by hill climbing: tries each value of
// each choice, and selects the value with the best score, until no value improves the score. `lookup probe`
// writes the result to the file of the operator.

import { choices } from '../../legacy/choices.ts'
import type { Dialect } from '../../legacy/dialect.ts'
import { differencesOf, valueAt, withValue } from '../../legacy/dialect-places.ts'
import type { LegacyResponse } from '../../legacy/errors.ts'
import { createFacade } from '../../legacy/facade.ts'
import { type KnownRows, legacyResponseTo, rowFinder } from '../../legacy/known-rows.ts'
import type { MaskResponse } from './changes.ts'
import { type Leaves, leavesOf, likeness, SAME, sharedEnds } from './likeness.ts'
import type { DialectValue } from './read-off.ts'
import { keyOf } from './responses.ts'

/** The responses of the old service, read once for all searches. */
export interface Evidence {
  readonly rows: KnownRows
  readonly maxValues: number
  readonly mask: MaskResponse
  /** @param base a dialect that differs only at `path`, so that some of its scores stay */
  readonly judge: (dialect: Dialect, base?: DialectCandidate, path?: readonly string[]) => DialectCandidate
  /** The score of a dialect that explains everything. */
  readonly most: number
}

interface DialectCandidate {
  readonly dialect: Dialect
  /** The sum of all requests. */
  readonly score: number
  readonly each: readonly { readonly score: number; readonly isXml: boolean }[]
}

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
  alternatives: readonly DialectValue[] = [],
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

/** Returns the choices of which other values explain the responses equally, and these values. */
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

/** The meaning of a response counts first, then its bytes. */
const MEANING = 1_000_000
const TYPE_SCORE = 100
const SAME_BYTES = 2 * SAME + TYPE_SCORE

interface EvidenceOptions extends Pick<Evidence, 'rows' | 'maxValues' | 'mask'> {
  /** By query string. */
  readonly responses: ReadonlyMap<string, LegacyResponse>
}

export function createEvidence({ responses, rows, maxValues, mask }: EvidenceOptions): Evidence {
  const find = rowFinder(rows)
  const samples = [...responses].map(([query, response]) => {
    const old = mask(response)
    // Most dialects make one of a few responses to a request.
    return { query, old, leaves: leavesOf(old), scores: new Map<string, number>() }
  })
  const judge: Evidence['judge'] = (dialect, base, [group] = []) => {
    const facade = createFacade(dialect, maxValues)
    const each = samples.map(({ query, old, leaves, scores }, at) => {
      const before = base?.each[at]
      // How XML is written does not change JSON.
      if (before !== undefined && (before.isXml ? group === 'json' : group === 'xml' || group === 'cdata'))
        return before
      const response = mask(legacyResponseTo(facade, find, query))
      const key = keyOf(response)
      const score = scores.get(key) ?? scoreOf(response, old, leaves)
      scores.set(key, score)
      return { score, isXml: /^[^<[{]*</.test(response.body) }
    })
    return { dialect, score: each.reduce((sum, { score }) => sum + score, 0), each }
  }
  return { rows, maxValues, mask, judge, most: samples.length * (SAME * MEANING + SAME_BYTES) }
}

function scoreOf(response: LegacyResponse, old: LegacyResponse, leaves: Leaves): number {
  const type = old.type === response.type ? TYPE_SCORE : 0
  const isSameBody = old.body === response.body
  const meaning = isSameBody && old.status === response.status ? SAME : likeness(leaves, leavesOf(response))
  const { start, end } = sharedEnds(old.body, response.body)
  const longest = Math.max(old.body.length, response.body.length)
  const bytes = isSameBody ? 2 * SAME : Math.floor((SAME * (start + end)) / longest)
  return meaning * MEANING + bytes + type
}
