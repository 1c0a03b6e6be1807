// Finds the dialect that explains the responses of an old service best, by hill climbing: tries each value of
// each choice, and selects the value with the best score, until no value improves the score. `lookup probe`
// writes the result to the file of the operator.

import { choices } from '../../legacy/choices.ts'
import { type Dialect, errorKinds } from '../../legacy/dialect.ts'
import { valueAt, withValue } from '../../legacy/dialect-places.ts'
import type { LegacyResponse } from '../../legacy/errors.ts'
import { createFacade } from '../../legacy/facade.ts'
import { type KnownRows, legacyResponseTo, rowFinder } from '../../legacy/known-rows.ts'
import type { MaskResponse } from './changes.ts'
import { type Leaves, leavesOf, likeness, SAME, sharedEnds } from './likeness.ts'
import type { Alternative } from './read-off.ts'
import { keyOf } from './responses.ts'

/** Query strings and the responses to them. */
type ResponsesByQuery = ReadonlyMap<string, LegacyResponse>

interface EvidenceOptions {
  readonly responses: ResponsesByQuery
  readonly rows: KnownRows
  readonly maxValues: number
  readonly mask: MaskResponse
}

/** The responses, read once for all searches. */
export interface Evidence extends Omit<EvidenceOptions, 'responses'> {
  readonly judge: JudgeDialect
  /** The score of a dialect that explains everything. */
  readonly most: FitScore
}

/** A choice and its possible values. */
interface ChoiceRange {
  readonly path: readonly string[]
  readonly values: readonly unknown[]
}

/** Meaning counts first, then bytes. */
type FitScore = readonly [meaning: number, bytes: number]

interface DialectCandidate {
  readonly dialect: Dialect
  readonly score: FitScore
  readonly each: readonly RequestScore[]
}

interface RequestScore {
  readonly score: FitScore
  readonly isXml: boolean
}

/**
 * @param starts dialects to start from, until one leads to a dialect that explains everything
 * @param alternatives other values that keys of the dialect besides its choices may have
 */
export function fitDialect(
  { judge, most }: Evidence,
  starts: readonly Dialect[],
  alternatives: readonly Alternative[] = [],
): Dialect {
  function climb(start: Dialect, ranges: readonly ChoiceRange[]): DialectCandidate {
    let best = judge(start)
    for (let before: FitScore = [-1, -1]; compare(best.score, before) > 0; ) {
      before = best.score
      for (const range of ranges) best = bestIn(best, range)
    }
    return best
  }

  function bestIn(start: DialectCandidate, { path, values }: ChoiceRange): DialectCandidate {
    let best = start
    for (const value of values) {
      if (compare(best.score, most) >= 0) return best
      if (valueAt(best.dialect, path) === value) continue
      const other = judge(withValue(best.dialect, path, value), best, path)
      if (compare(other.score, best.score) > 0) best = other
    }
    return best
  }

  const rangesOf = (start: Dialect): readonly ChoiceRange[] => [
    ...alternatives.map(([path, value]): ChoiceRange => ({ path, values: [valueAt(start, path), value] })),
    ...choices,
  ]
  let best: DialectCandidate | null = null
  for (const start of starts) {
    const end = climb(start, rangesOf(start))
    if (best === null || compare(end.score, best.score) > 0) best = end
    if (compare(best.score, most) >= 0) break
  }
  if (best === null) throw new Error('a fit needs a dialect to start from')
  return withoutUnused(best, judge).dialect
}

/** Returns the choices of which other values explain the responses equally, and these values. */
export function unseenChoices(
  { judge }: Evidence,
  dialect: Dialect,
  ranges: readonly ChoiceRange[] = choices,
): readonly ChoiceRange[] {
  const chosen = judge(dialect)
  return ranges.flatMap(({ path, values }): ChoiceRange[] => {
    // The search for the limit has found this choice.
    if (path.join('.') === 'read.tooMany') return []
    const others = values.filter(
      (value) =>
        value !== valueAt(dialect, path) &&
        compare(judge(withValue(dialect, path, value), chosen, path).score, chosen.score) === 0,
    )
    return others.length === 0 ? [] : [{ path, values: others }]
  })
}

/** Removes recorded refusals that none of the responses needs. */
function withoutUnused(candidate: DialectCandidate, judge: JudgeDialect): DialectCandidate {
  let best = candidate
  for (const kind of errorKinds)
    for (const format of ['xml', 'json'] as const) {
      const { replies } = best.dialect.errors
      if (replies[kind]?.[format] === undefined || kind === 'tooMany') continue
      const { [format]: _, ...others } = replies[kind]
      const { [kind]: __, ...less } = replies
      const left = Object.keys(others).length === 0 ? less : { ...replies, [kind]: others }
      const other = judge(withValue(best.dialect, ['errors', 'replies'], left))
      if (compare(other.score, best.score) === 0) best = other
    }
  return best
}

function compare(one: FitScore, other: FitScore): number {
  return one[0] - other[0] || one[1] - other[1]
}

/** @param base a dialect that differs only at `path`, so that some of its scores stay */
type JudgeDialect = (dialect: Dialect, base?: DialectCandidate, path?: readonly string[]) => DialectCandidate

interface FitSample {
  readonly query: string
  readonly old: LegacyResponse
  readonly leaves: Leaves
  /** Scores of responses that were judged before. */
  readonly known: Map<string, FitScore>
}

const TYPE_SCORE = 100
const SAME_BYTES = 2 * SAME + TYPE_SCORE

export function createEvidence({ responses, rows, maxValues, mask }: EvidenceOptions): Evidence {
  const find = rowFinder(rows)
  const samples = [...responses].map(([query, response]): FitSample => {
    const old = mask(response)
    return { query, old, leaves: leavesOf(old), known: new Map() }
  })
  const judge: JudgeDialect = (dialect, base, [group] = []) => {
    const facade = createFacade(dialect, maxValues)
    const each = samples.map((sample, at): RequestScore => {
      const before = base?.each[at]
      // How XML is written does not change JSON.
      if (before !== undefined && (before.isXml ? group === 'json' : group === 'xml' || group === 'cdata'))
        return before
      const response = mask(legacyResponseTo(facade, find, sample.query))
      const key = keyOf(response)
      const score = sample.known.get(key) ?? judgeResponse(sample, response)
      sample.known.set(key, score)
      return { score, isXml: /^[^<[{]*</.test(response.body) }
    })
    const sum = (at: 0 | 1) => each.reduce((total, { score }) => total + score[at], 0)
    return { dialect, score: [sum(0), sum(1)], each }
  }
  return { rows, maxValues, mask, judge, most: [samples.length * SAME, samples.length * SAME_BYTES] }
}

function judgeResponse({ old, leaves }: FitSample, response: LegacyResponse): FitScore {
  const type = old.type === response.type ? TYPE_SCORE : 0
  const isSameBody = old.body === response.body
  const meaning = isSameBody && old.status === response.status ? SAME : likeness(leaves, leavesOf(response))
  if (isSameBody) return [meaning, SAME_BYTES - TYPE_SCORE + type]
  const { start, end } = sharedEnds(old.body, response.body)
  return [
    meaning,
    Math.floor((SAME * (start + end)) / Math.max(old.body.length, response.body.length)) + type,
  ]
}
