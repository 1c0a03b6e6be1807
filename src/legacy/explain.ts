// `/explain`: what a query string was read as, what it became, and which choices of the dialect changed the
// response.

import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { print } from 'graphql'
import type { Caller } from '../caller.ts'
import { LookupError } from '../errors.ts'
import { type Dialect, defaultDialect } from './dialect.ts'
import { differencesOf, valueAt, withValue } from './dialect-places.ts'
import type { Reply } from './errors.ts'
import type { Row } from './events.ts'
import { createFacade, type Facade } from './facade.ts'
import { type ExecuteStored, findRows, operationOf } from './handler.ts'
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

export interface GivenParameter {
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
export interface Timings {
  readonly parse: number
  readonly execute: number
  readonly write: number
}

/** Explains a query string (without its `?`); never throws. */
export type Explain = (query: string, caller: Caller) => Promise<Explanation>

export function createExplain(dialect: Dialect, maxValues: number, execute: ExecuteStored): Explain {
  const facade = createFacade(dialect, maxValues)
  const common = ['Event', 'Format', ...(dialect.json.callback === null ? [] : ['callback'])]
  const namesOf = (event: LegacyRequest['event'] | null) => [
    ...common,
    ...(event?.parameters ?? []).map(({ name }) => name),
  ]
  // A facade for each choice that is put back to its default: made at the first request.
  let others: readonly (readonly [AppliedChoice, Facade])[] | null = null
  const withoutOneChoice = () =>
    (others ??= differencesOf(dialect, defaultDialect).map(({ path }) => {
      const byDefault = valueAt(defaultDialect, path)
      const applied = { choice: path.join('.'), value: valueAt(dialect, path), default: byDefault }
      return [applied, createFacade(withValue(dialect, path, byDefault), maxValues)] as const
    }))

  /** Responds again with one choice at its default: a choice that changes the response is a reason for it. */
  async function findApplied(query: string, caller: Caller, { request, rows, reply }: Answered) {
    const applied: AppliedChoice[] = []
    for (const [choice, other] of withoutOneChoice()) {
      // Each choice takes as long as a response, and a dialect may have 100: other requests come between.
      await setImmediate()
      const without = await respondWithout(other)
      const isSame =
        without.status === reply.status && without.body === reply.body && without.type === reply.type
      if (!isSame) applied.push(choice)
    }
    return applied

    async function respondWithout(other: Facade): Promise<Reply> {
      try {
        const read = other.read(query)
        const found =
          request !== null && isSameLookup(read, request) ? rows : await findRows(execute, read, caller)
        return other.write(read, found)
      } catch (thrown) {
        if (!(thrown instanceof LookupError)) throw thrown
        return other.refuse(thrown, other.readRefused(query).format)
      }
    }
  }

  return async (query, caller) => {
    const clock = startClock()
    let request: LegacyRequest | null = null
    let rows: readonly (Row | null)[] = []
    let error: LookupError | null = null
    let reply: Reply = { status: 500, type: '', body: '' }
    try {
      request = facade.read(query)
      clock.finish('parse')
      rows = await findRows(execute, request, caller)
      clock.finish('execute')
      reply = facade.write(request, rows)
    } catch (thrown) {
      error = thrown instanceof LookupError ? thrown : new LookupError('Internal', [], thrown)
      reply = facade.refuse(error, facade.readRefused(query).format)
    }
    clock.finish(request === null ? 'parse' : 'write')
    const { status, body } = reply
    // If the store failed, the choices did not change the response.
    const isOurs = error === null || error.status < 500
    const applied = isOurs ? await findApplied(query, caller, { request, rows, reply }) : []
    const refused = facade.readRefused(query)
    const values = request?.values ?? []
    const missing = error === null ? values.filter((_, at) => rows[at] == null) : []
    return {
      request: {
        event: (request?.event ?? refused.event)?.name ?? null,
        format: (request?.format ?? refused.format) === 'xml' ? 'XML' : 'JSON',
        parameters: givenParameters(query, facade, namesOf(request?.event ?? refused.event)),
        values,
      },
      operation: request === null ? null : printOperation(request),
      answer: {
        status,
        length: body.length,
        found: error === null ? values.length - missing.length : 0,
        missing,
      },
      error: error === null ? null : { code: error.code, message: error.message },
      dialect: applied,
      timings: clock.timings,
    }
  }
}

interface Answered {
  readonly request: LegacyRequest | null
  readonly rows: readonly (Row | null)[]
  readonly reply: Reply
}

function isSameLookup(one: LegacyRequest, other: LegacyRequest): boolean {
  return (
    one.event === other.event &&
    one.method === other.method &&
    one.isExcluded === other.isExcluded &&
    isDeepStrictEqual(one.keys, other.keys)
  )
}

function printOperation(request: LegacyRequest): Explanation['operation'] {
  const { document, variables } = operationOf(request)
  return { query: print(document), variables }
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

function startClock() {
  const timings = { parse: 0, execute: 0, write: 0 }
  let last = performance.now()
  return {
    timings,
    finish: (step: keyof Timings) => {
      const now = performance.now()
      timings[step] = Math.round((now - last) * 1000) / 1000
      last = now
    },
  }
}
