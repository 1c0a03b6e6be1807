// Finds the choices of the dialect that would remove a difference between two services.

import { choices } from '../../legacy/choices.ts'
import { type Dialect, defaultDialect } from '../../legacy/dialect.ts'
import { differencesOf, valueAt, withValue } from '../../legacy/dialect-places.ts'
import { createFacade } from '../../legacy/facade.ts'
import { legacyResponseTo, rowFinder } from '../../legacy/known-rows.ts'
import type { OldServiceResponse } from '../../stores/old-service/call.ts'
import { compareResponses } from '../compare/compare.ts'
import type { Allow } from '../compare/difference.ts'
import { alternativesIn } from './alternatives.ts'
import { maskOf } from './changes.ts'
import { createEvidence, fitDialect } from './fit.ts'
import type { Alternative } from './read-off.ts'
import { keyOf, legacyResponseOf, responseOf } from './responses.ts'
import { graphqlRows, rowsIn } from './rows.ts'

export interface ProbeExample {
  readonly query: string
  readonly old: OldServiceResponse
  readonly gateway: OldServiceResponse
}

/** Differences of one kind in one field, with a few of the requests that have it. */
interface ProbeCause {
  readonly scope: string
  readonly field: string
  readonly kind: string
  readonly examples: readonly ProbeExample[]
}

/** A value of the dialect, such as `read.repeated` and `last`. */
export interface ProbeChoice {
  readonly choice: string
  readonly value: unknown
}

interface CauseOptions {
  readonly dialect: Dialect
  readonly maxValues: number
  /** Which differences do not count for a request. */
  readonly allowOf: (query: string) => Allow | null
}

interface CauseSample extends Omit<ProbeExample, 'gateway'> {
  /** The differences now. */
  readonly before: ReadonlySet<string>
  /** The differences of each response that was compared before: most choices change no response. */
  readonly compared: Map<string, ReadonlySet<string>>
}

/** Returns the choices that remove a cause together; empty if none do. */
type FindChoices = (cause: ProbeCause) => readonly ProbeChoice[]

/**
 * Tries each choice by itself, then fits a dialect to the examples and keeps the choices that are needed.
 * @param causes all of them: another example may have a row that one example lacks
 */
export function createChoiceFinder(
  causes: readonly ProbeCause[],
  { dialect, maxValues, allowOf }: CauseOptions,
): FindChoices {
  const all = causes.flatMap((cause) => cause.examples)
  // A row of the gateway is the last one: its data counts.
  const rows = rowsIn([
    ...all.map(({ query, old }) => [query, old] as const),
    ...all.map(({ query, gateway }) => [query, gateway] as const),
  ])
  const known = graphqlRows(rows)
  const find = rowFinder(known)
  const current = createFacade(dialect, maxValues)
  const defaults = differencesOf(defaultDialect, dialect).map(
    ({ path }): Alternative => [path, valueAt(defaultDialect, path)],
  )

  function namesOf(old: OldServiceResponse, fresh: OldServiceResponse, query: string): ReadonlySet<string> {
    const { differences } = compareResponses(old, fresh, allowOf(query))
    return new Set(differences.filter(({ excusedBy }) => excusedBy === undefined).map(nameOf))
  }

  /** Returns null if the gateway responds in another way than its dialect, or its data differs. */
  function sampleOf({ query, old, gateway }: ProbeExample): CauseSample | null {
    const own = responseOf(legacyResponseTo(current, find, query))
    if (namesOf(gateway, own, query).size > 0) return null
    return { query, old, before: namesOf(old, own, query), compared: new Map() }
  }

  return (cause) => {
    const name = nameOf(cause)
    const samples = cause.examples.map(sampleOf).filter((sample) => sample !== null)
    if (samples.length === 0 || samples.length < cause.examples.length) return []
    if (!samples.every(({ before }) => before.has(name))) return []

    /** How many differences are left: infinitely many if this one is, or if a new one has come. */
    function leftBy(other: Dialect): number {
      const facade = createFacade(other, maxValues)
      let left = 0
      for (const { query, old, before, compared } of samples) {
        const response = legacyResponseTo(facade, find, query)
        const key = keyOf(response)
        const names = compared.get(key) ?? namesOf(old, responseOf(response), query)
        compared.set(key, names)
        // Another type hides another value.
        const wasThere = (one: string) => before.has(one) || before.has(one.replace(/^value /, 'type '))
        for (const one of names) left += one !== name && wasThere(one) ? 1 : Number.POSITIVE_INFINITY
      }
      return left
    }

    function alternativesFor(start: Dialect): readonly Alternative[] {
      const reader = createFacade(start, maxValues)
      return [...defaults, ...samples.flatMap(({ query, old }) => alternativesIn(query, old, reader, rows))]
    }

    let best = dialect
    let least = Number.POSITIVE_INFINITY
    for (const [path, value] of [...choiceValues, ...alternativesFor(dialect)]) {
      const other = withValue(dialect, path, value)
      const left = leftBy(other)
      if (left < least) [best, least] = [other, left]
      if (least === 0) break
    }
    // A field is written by one choice.
    if (best === dialect && cause.scope !== 'field') best = fitted()
    return differencesOf(dialect, best).map(({ path }) => {
      return { choice: path.join('.'), value: valueAt(best, path) }
    })

    /** Several choices together, without those that are not needed. A reader that refuses less sees more. */
    function fitted(): Dialect {
      const responses = new Map(samples.map(({ query, old }) => [query, legacyResponseOf(old)]))
      const evidence = createEvidence({ responses, rows: known, maxValues, mask: maskOf([]) })
      const first = fitDialect(evidence, [dialect], alternativesFor(dialect))
      if (differencesOf(dialect, first).length === 0) return dialect
      let best = fitDialect(evidence, [first], alternativesFor(first))
      if (!Number.isFinite(leftBy(best))) return dialect
      for (const { path } of differencesOf(dialect, best).toReversed()) {
        const less = withValue(best, path, valueAt(dialect, path))
        if (Number.isFinite(leftBy(less))) best = less
      }
      return best
    }
  }
}

const choiceValues = choices.flatMap(({ path, values }) => values.map((value): Alternative => [path, value]))

const nameOf = ({ scope, field, kind }: Pick<ProbeCause, 'scope' | 'field' | 'kind'>) =>
  `${kind} ${scope} ${field}`
