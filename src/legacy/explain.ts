// `/explain`: what a query string was read as, what it became, and which choices of the dialect changed the
// response.

import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { type DocumentNode, print } from 'graphql'
import type { Caller } from '../caller.ts'
import { LookupError } from '../errors.ts'
import { type Dialect, defaultDialect, formatNames } from './dialect.ts'
import { differencesOf, valueAt, withValue } from './dialect-places.ts'
import type { LegacyResponse } from './errors.ts'
import type { SchemaRows } from './events.ts'
import { createFacade, type Facade } from './facade.ts'
import { type ExecuteStored, findRows } from './handler.ts'
import { parseQueryString } from './query-string.ts'
import type { LegacyRequest } from './request.ts'

export interface Explanation {
  readonly request: {
    /** Null if there is no such event. */
    readonly event: string | null
    readonly format: 'JSON' | 'XML'
    /** The first 50 parameters, decoded, in order; none if the query string cannot be read. */
    readonly parameters: readonly GivenParameter[]
    readonly values: readonly string[]
  }
  /** The GraphQL operation; null if the request was refused before. */
  readonly operation: {
    readonly query: string
    readonly variables: Readonly<Record<string, unknown>>
  } | null
  readonly answer: {
    readonly status: number
    /** Bytes of the body. */
    readonly length: number
    readonly found: number
    /** The values that match nothing. */
    readonly missing: readonly string[]
  }
  readonly error: { readonly code: string; readonly message: string } | null
  /** The choices that differ from the default and changed this response. */
  readonly dialect: readonly AppliedChoice[]
  readonly timings: Timings
}

interface GivenParameter {
  readonly name: string
  readonly value: string
  /** Whether the event has such a parameter; any other is ignored. */
  readonly known: boolean
}

export interface AppliedChoice {
  /** Its path in the file, such as `read.ids`. */
  readonly choice: string
  readonly value: unknown
  readonly default: unknown
}

/** Milliseconds of each step; 0 for a step that was not reached. */
interface Timings {
  readonly parse: number
  readonly execute: number
  readonly write: number
}

/** Explains a query string (without its `?`); never throws. */
type Explain = (query: string, caller: Caller) => Promise<Explanation>

export function createExplain(dialect: Dialect, maxValues: number, execute: ExecuteStored): Explain {
  const facade = createFacade(dialect, maxValues)
  const common = ['Event', 'Format', ...(dialect.json.callback === null ? [] : ['callback'])]
  // A facade for each choice that is put back to its default: made at the first request.
  let others: readonly (readonly [AppliedChoice, Facade])[] | null = null
  const withoutOneChoice = () =>
    (others ??= differencesOf(dialect, defaultDialect).map(({ path }) => {
      const byDefault = valueAt(defaultDialect, path)
      const applied = { choice: path.join('.'), value: valueAt(dialect, path), default: byDefault }
      return [applied, createFacade(withValue(dialect, path, byDefault), maxValues)] as const
    }))

  /** Responds again with one choice at its default: a choice that changes the response is a reason for it. */
  async function findApplied(query: string, caller: Caller, { request, rows, response }: ExplainOutcome) {
    const find = (other: LegacyRequest) =>
      request !== null && isSameLookup(other, request) ? rows : findRows(execute, other, caller)
    const applied: AppliedChoice[] = []
    for (const [choice, other] of withoutOneChoice()) {
      // Each choice takes as long as a response, and a dialect may have 100: other requests come between.
      await setImmediate()
      const without = await respond(other, query, find)
      if (!isDeepStrictEqual(without.response, response)) applied.push(choice)
    }
    return applied
  }

  return async (query, caller) => {
    const operations: {
      readonly document: DocumentNode
      readonly variables: Readonly<Record<string, unknown>>
    }[] = []
    const recording: ExecuteStored = (document, variables, by) => {
      operations.push({ document, variables })
      return execute(document, variables, by)
    }
    const outcome = await respond(facade, query, (request) => findRows(recording, request, caller))
    const [operation] = operations
    const { request, rows, error, response, timings } = outcome
    // If the store failed, the choices did not change the response.
    const applied = error === null || error.status < 500 ? await findApplied(query, caller, outcome) : []
    const { event, format } = request ?? facade.readRefused(query)
    const known = [...common, ...(event?.parameters ?? []).map(({ name }) => name)]
    const values = request?.values ?? []
    const missing = error === null ? values.filter((_, at) => rows[at] == null) : []
    return {
      request: {
        event: event?.name ?? null,
        format: formatNames[format],
        parameters: givenParameters(query, facade, known),
        values,
      },
      operation: operation ? { query: print(operation.document), variables: operation.variables } : null,
      answer: {
        status: response.status,
        length: response.body.length,
        found: error === null ? values.length - missing.length : 0,
        missing,
      },
      error: error === null ? null : { code: error.code, message: error.message },
      dialect: applied,
      timings,
    }
  }
}

interface ExplainOutcome {
  /** Null if it was refused before anything was looked up. */
  readonly request: LegacyRequest | null
  readonly rows: SchemaRows
  readonly error: LookupError | null
  readonly response: LegacyResponse
  readonly timings: Timings
}

async function respond(
  facade: Facade,
  query: string,
  find: (request: LegacyRequest) => SchemaRows | Promise<SchemaRows>,
): Promise<ExplainOutcome> {
  const timings = { parse: 0, execute: 0, write: 0 }
  let last = performance.now()
  let step: keyof Timings = 'parse'
  function finish(next: keyof Timings): void {
    const now = performance.now()
    timings[step] = Math.round((now - last) * 1000) / 1000
    last = now
    step = next
  }
  let request: LegacyRequest | null = null
  let rows: SchemaRows = []
  try {
    request = facade.read(query)
    finish('execute')
    rows = await find(request)
    finish('write')
    const response = facade.write(request, rows)
    finish('write')
    return { request, rows, error: null, response, timings }
  } catch (thrown) {
    const error = thrown instanceof LookupError ? thrown : new LookupError('Internal', [], thrown)
    // The time of the refusal counts for the step that failed.
    const response = facade.refuse(error, facade.readRefused(query).format)
    finish(step)
    return { request, rows, error, response, timings }
  }
}

function isSameLookup(one: LegacyRequest, other: LegacyRequest): boolean {
  return (
    one.event === other.event &&
    one.method === other.method &&
    // There is one function for each choice of `read.usernames`.
    one.isExcluded === other.isExcluded &&
    isDeepStrictEqual(one.keys, other.keys)
  )
}

/** A query string may hold thousands of parameters that no event has. */
const MAX_SHOWN_PARAMETERS = 50

function givenParameters(query: string, { nameOf }: Facade, names: readonly string[]): GivenParameter[] {
  let texts: readonly string[]
  try {
    texts = parseQueryString(query)
  } catch {
    return []
  }
  const known = new Set(names)
  return texts.slice(0, 2 * MAX_SHOWN_PARAMETERS).flatMap((name, at) => {
    return at % 2 === 1 ? [] : [{ name, value: texts[at + 1] ?? '', known: known.has(nameOf(name)) }]
  })
}
