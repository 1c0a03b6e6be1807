// Why the responses of two services differ: the choice of the dialect that would remove a difference.

import { choices } from '../../legacy/choices.ts'
import { type Dialect, defaultDialect } from '../../legacy/dialect.ts'
import { differencesOf, valueAt, withValue } from '../../legacy/dialect-places.ts'
import { createFacade, replyTo, rowFinder } from '../../legacy/facade.ts'
import type { Reply as Response } from '../../stores/old-service/call.ts'
import type { Allow } from '../answers/allowance.ts'
import { compareReplies } from '../answers/compare.ts'
import { alternativesIn } from './alternatives.ts'
import type { Alternative } from './read-off.ts'
import { meaningOfResponse, responseOf } from './replies.ts'
import { graphqlRows, rowsIn } from './rows.ts'

export interface Example {
  readonly query: string
  readonly old: Response
  readonly gateway: Response
}

/** Differences of one kind in one field, with a few of the requests that have it. */
export interface Cause {
  readonly field: string
  readonly kind: string
  readonly examples: readonly Example[]
}

/** A value of the dialect, such as `read.repeated` and `last`. */
export interface Remedy {
  readonly choice: string
  readonly value: unknown
}

interface Gateway {
  readonly dialect: Dialect
  readonly maxValues: number
  /** Which differences do not count for a request. */
  readonly allowOf: (query: string) => Allow | null
}

/** Returns the choices that remove a cause together; empty if none do. */
type FindRemedies = (cause: Cause) => readonly Remedy[]

/** Searches for one cause. Each adds a choice. */
const MAX_STEPS = 4

interface Sample extends Example {
  /** What differs now. */
  readonly before: ReadonlySet<string>
  /** Entries that both services have now. */
  readonly entries: number
  /** What differs with the responses that were compared before. */
  readonly known: Map<string, Set<string>>
}

/**
 * Examples that still have the difference, other differences that are not allowed, and all others.
 * The lowest is the best.
 */
type Score = readonly [left: number, others: number, allowed: number]

interface Candidate {
  readonly dialect: Dialect
  readonly score: Score
}

/** @param causes all of them: a row that one example lacks may stand in another */
export function createRemedyFinder(
  causes: readonly Cause[],
  { dialect, maxValues, allowOf }: Gateway,
): FindRemedies {
  const examples = causes.flatMap((cause) => cause.examples)
  // A row of the gateway is the last one: its data counts.
  const rows = rowsIn([
    ...examples.map(({ query, old }) => [query, old] as const),
    ...examples.map(({ query, gateway }) => [query, gateway] as const),
  ])
  const find = rowFinder(graphqlRows(rows))
  const current = createFacade(dialect, maxValues)
  const defaults = differencesOf(defaultDialect, dialect).map(
    ({ path }): Alternative => [path, valueAt(defaultDialect, path)],
  )

  function namesOf(old: Response, fresh: Response, query: string): Set<string> {
    return new Set(compareReplies(old, fresh, allowOf(query)).differences.map(nameOf))
  }

  /** Returns null if the gateway responds in another way than its dialect, or its data differs. */
  function sampleOf(example: Example): Sample | null {
    const { query, old, gateway } = example
    const own = responseOf(replyTo(current, find, query))
    if (namesOf(gateway, own, query).size > 0) return null
    return {
      ...example,
      before: namesOf(old, own, query),
      entries: sharedEntries(old, own),
      known: new Map(),
    }
  }

  return (cause) => {
    const name = nameOf(cause)
    const samples = cause.examples.flatMap((example) => sampleOf(example) ?? [])
    if (samples.length === 0 || samples.length < cause.examples.length) return []
    if (!samples.every(({ before }) => before.has(name))) return []

    function judge(other: Dialect): Candidate {
      const facade = createFacade(other, maxValues)
      let [left, others, allowed] = [0, 0, 0]
      for (const { query, old, before, entries, known } of samples) {
        const reply = replyTo(facade, find, query)
        const key = `${reply.status} ${reply.type} ${reply.body}`
        const fresh = responseOf(reply)
        const names = known.get(key) ?? namesOf(old, fresh, query)
        // A difference of an entry is not removed by removing the entry.
        if (!known.has(key) && sharedEntries(old, fresh) < entries) names.add('lost entry')
        known.set(key, names)
        for (const found of names)
          if (found === name) left++
          else if (isAllowed(found, before) && !(isOfEntry(found) && isOfEntry(name))) allowed++
          else others++
      }
      return { dialect: other, score: [left, others, allowed] }
    }

    /** Returns the best dialect that differs from the start in one value; the start if none is better. */
    function improve(start: Candidate, values: readonly Alternative[]): Candidate {
      let best = start
      for (const [path, value] of values) {
        if (best.score.every((count) => count === 0)) break
        if (JSON.stringify(valueAt(start.dialect, path)) === JSON.stringify(value)) continue
        const other = judge(withValue(start.dialect, path, value))
        if (isLess(other.score, best.score)) best = other
      }
      return best
    }

    /** A request that the gateway refuses for two reasons is still refused if one is removed. */
    function improveTwice(start: Candidate): Candidate {
      if (samples.some(({ gateway }) => gateway.status < 400)) return start
      for (const [path, value] of readingValues) {
        const first = { ...start, dialect: withValue(start.dialect, path, value) }
        const second = improve(first, readingValues)
        if (second !== first) return second
      }
      return start
    }

    const values = valuesFor(cause)
    let best = judge(dialect)
    for (let step = 0; step < MAX_STEPS && best.score[0] + best.score[1] > 0; step++) {
      const reader = createFacade(best.dialect, maxValues)
      const seen = samples.flatMap(({ query, old }) => alternativesIn(query, old, reader, rows))
      const once = improve(best, [...values, ...defaults, ...seen])
      const next = once === best ? improveTwice(best) : once
      if (next === best) break
      best = next
    }
    if (best.score[0] + best.score[1] > 0) return []
    return differencesOf(dialect, best.dialect).map(({ path }) => {
      return { choice: path.join('.'), value: valueAt(best.dialect, path) }
    })
  }
}

const choiceValues = choices.flatMap(({ path, values }) => values.map((value): Alternative => [path, value]))
/** How a request is read does not change a field of an entry, nor does the other format. */
function valuesFor({ field, examples }: Cause): readonly Alternative[] {
  if (field === 'answer') return choiceValues
  const isXml = examples.some(({ gateway }) => gateway.body.toString('latin1', 0, 1) === '<')
  const groups = [...(field === 'entry' ? ['read', 'entries'] : []), ...(isXml ? ['xml', 'cdata'] : ['json'])]
  return choiceValues.filter(([[group = '']]) => groups.includes(group))
}

const readingValues = choiceValues.filter(([[group]]) => group === 'read')

/** Whether a difference was there before: another type hides another value. */
const isAllowed = (name: string, before: ReadonlySet<string>) =>
  before.has(name) || before.has(name.replace(/^value /, 'type '))

/** Whether it is a different entry. These differences depend on each other, such as those of another name. */
const isOfEntry = (name: string) => /^(?:missing|extra|value) entry$/.test(name)

function sharedEntries(old: Response, fresh: Response): number {
  const [was, is] = [meaningOfResponse(old), meaningOfResponse(fresh)]
  if (was.kind !== 'entries' || is.kind !== 'entries') return 0
  return [...was.entries.keys()].filter((name) => is.entries.has(name)).length
}

function isLess(one: Score, other: Score): boolean {
  return (one[0] - other[0] || one[1] - other[1] || one[2] - other[2]) < 0
}

const nameOf = ({ field, kind }: { readonly field: string; readonly kind: string }) => `${kind} ${field}`
