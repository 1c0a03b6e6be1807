// Finds the choices of the dialect that would remove a difference between two services.

import { LookupError } from '../../errors.ts'
import { choices } from '../../legacy/choices.ts'
import { type Dialect, defaultDialect } from '../../legacy/dialect.ts'
import { differencesOf, valueAt, withValue } from '../../legacy/dialect-places.ts'
import { type LegacyResponse, RefusedRequest } from '../../legacy/errors.ts'
import { createFacade } from '../../legacy/facade.ts'
import { legacyResponseTo, rowFinder } from '../../legacy/known-rows.ts'
import { createRequestReader, type LegacyRequest, type RequestReader } from '../../legacy/request.ts'
import { decodeBody } from '../../legacy/text.ts'
import type { OldServiceResponse } from '../../stores/old-service/call.ts'
import { compareResponses } from '../compare/compare.ts'
import type { Allow } from '../compare/difference.ts'
import { isFields } from '../compare/meaning.ts'
import { namesIn } from '../logs/legacy.ts'
import { createEvidence } from './evidence.ts'
import { fitDialect } from './fit.ts'
import { type DialectValue, isAllowed, shownBy } from './read-off.ts'
import { createRecorder, missingIn } from './recorder.ts'
import { foundIn, keyOf, legacyResponseOf, meaningOfResponse, responseOf } from './responses.ts'
import { isChatMethod, type ProbeRows, rowsIn } from './rows.ts'

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

/** Returns the choices that remove a cause together; empty if none do. */
type FindChoices = (cause: ProbeCause) => readonly ProbeChoice[]

/**
 * Searches in two steps:
 * 1. Try each choice by itself, with its own values and the values that the examples show.
 * 2. If none helps, fit a dialect to the examples, and leave out the choices that are not needed.
 * @param causes all of them: another example may have a row that one example lacks
 */
export function createChoiceFinder(
  causes: readonly ProbeCause[],
  { dialect, maxValues, allowOf }: CauseOptions,
): FindChoices {
  const all = causes.flatMap(({ examples }) => examples)
  // The last row of an id counts: if the services have different data, that of the gateway.
  const rows = rowsIn([
    ...all.map(({ query, old }) => [query, old] as const),
    ...all.map(({ query, gateway }) => [query, gateway] as const),
  ])
  const find = rowFinder(rows)
  const defaults = differencesOf(defaultDialect, dialect).map(
    ({ path }): DialectValue => [path, valueAt(defaultDialect, path)],
  )

  function responderOf(one: Dialect): (query: string) => LegacyResponse {
    const facade = createFacade(one, maxValues)
    return (query) => legacyResponseTo(facade, find, query)
  }

  function namesOf(old: OldServiceResponse, fresh: OldServiceResponse, query: string): ReadonlySet<string> {
    const { differences } = compareResponses(old, fresh, allowOf(query))
    return new Set(differences.filter(({ excusedBy }) => excusedBy === undefined).map(nameOf))
  }

  return (cause) => {
    const { examples } = cause
    const name = nameOf(cause)
    const respond = responderOf(dialect)
    const samples = examples.map(({ query, old }) => {
      // Most choices change no response: compare equal responses once.
      const compared = new Map<string, ReadonlySet<string>>()
      return { query, old, before: namesOf(old, responseOf(respond(query)), query), compared }
    })
    // If the gateway does not respond as this dialect does, it has another dialect, or other data.
    const isOther = examples.some(
      ({ query, gateway }) => namesOf(gateway, responseOf(respond(query)), query).size > 0,
    )
    if (isOther || samples.length === 0 || !samples.every(({ before }) => before.has(name))) return []

    /** Counts the other differences that a dialect leaves. Infinite if this one stays, or a new one comes. */
    function leftBy(other: Dialect): number {
      const respond = responderOf(other)
      let left = 0
      for (const { query, old, before, compared } of samples) {
        const response = respond(query)
        const key = keyOf(response)
        const names = compared.get(key) ?? namesOf(old, responseOf(response), query)
        compared.set(key, names)
        // A difference of the type hides a difference of the value.
        const wasThere = (one: string) => before.has(one) || before.has(one.replace(/^value /, 'type '))
        for (const one of names) left += one !== name && wasThere(one) ? 1 : Number.POSITIVE_INFINITY
      }
      return left
    }

    const alternativesFor = (start: Dialect) => {
      const reader = createRequestReader(start, maxValues)
      return [...defaults, ...examples.flatMap((example) => alternativesIn(example, reader, rows))]
    }

    /** Fits several choices together, and leaves out the choices that are not needed. */
    function fitted(): Dialect {
      const responses = new Map(samples.map(({ query, old }) => [query, legacyResponseOf(old)]))
      const evidence = createEvidence({ responses, rows, maxValues, mask: (response) => response })
      const first = fitDialect(evidence, [dialect], alternativesFor(dialect))
      // The first dialect may read requests that the current one refuses. Their examples show further values.
      let fit = fitDialect(evidence, [first], alternativesFor(first))
      if (leftBy(fit) === Number.POSITIVE_INFINITY) return dialect
      for (const { path } of differencesOf(dialect, fit).toReversed()) {
        const less = withValue(fit, path, valueAt(dialect, path))
        if (leftBy(less) < Number.POSITIVE_INFINITY) fit = less
      }
      return fit
    }

    let best = dialect
    let least = Number.POSITIVE_INFINITY
    for (const [path, value] of [...choiceValues, ...alternativesFor(dialect)]) {
      const other = withValue(dialect, path, value)
      const left = leftBy(other)
      if (left < least) [best, least] = [other, left]
      if (least === 0) break
    }
    // One choice writes a field: several together change nothing more.
    if (best === dialect && cause.scope !== 'field') best = fitted()
    return differencesOf(dialect, best).map(({ path }) => {
      return { choice: path.join('.'), value: valueAt(best, path) }
    })
  }
}

const choiceValues = choices.flatMap(({ path, values }) => values.map((value): DialectValue => [path, value]))

const nameOf = ({ scope, field, kind }: Pick<ProbeCause, 'scope' | 'field' | 'kind'>) =>
  `${kind} ${scope} ${field}`

/** Characters of a value: longer ones are pages. */
const MAX_LENGTH = 1_000

/** Values of the dialect that a response of the old service shows, such as the text of an error. */
function alternativesIn(
  { query, old }: ProbeExample,
  reader: RequestReader,
  rows: ProbeRows,
): DialectValue[] {
  const record = createRecorder(rows, [])
  const meaning = meaningOfResponse(old)
  const values = shownBy(old)
  if (meaning.kind === 'refusal') values.push([['errors', 'status'], meaning.status])
  const request = readOrRefusal(query, reader)
  if (request instanceof LookupError) {
    const { method } = namesIn(query)
    if (isChatMethod(method)) values.push([['chatMethod'], method])
    if (request instanceof RefusedRequest) {
      const { format } = reader.readRefused(query)
      values.push([['errors', 'replies', request.kind, format], record(old, request.value)])
    }
  } else {
    const { event, format, values: wanted } = request
    const [only = '', ...others] = wanted
    const found = foundIn(old)
    // An entry with more fields may be the data of a row, which no file may contain.
    const [missing] = [...(meaning.kind === 'entries' ? meaning.entries : [])].find(
      ([name, entry]) => /^[\w-]+$/.test(name) && !found.has(name) && !(isFields(entry) && entry.length > 2),
    ) ?? [null]
    if (missing !== null)
      values.push([['missing', event.subject, format], missingIn(decodeBody(old.body), format, missing)])
    values.push([['nothing', event.subject, format], record(old, others.length === 0 ? only : '')])
  }
  return values.filter((one) => JSON.stringify(one[1]).length <= MAX_LENGTH && isAllowed(one))
}

function readOrRefusal(query: string, { read }: RequestReader): LegacyRequest | LookupError {
  try {
    return read(query)
  } catch (error) {
    if (error instanceof LookupError) return error
    throw error
  }
}
