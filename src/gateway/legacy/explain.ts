// A legacy lookup once more in its five steps, with a look at what stands between them.

import { print } from 'graphql'
import type { Caller } from '../../caller.ts'
import { LookupError } from '../../errors.ts'
import type { Observe } from '../../observation.ts'
import { appliedSettings } from './applied-settings.ts'
import type { Dialect } from './dialect.ts'
import type { ExecuteStored, Lookup } from './events/event.ts'
import { legacyEvents } from './events/index.ts'
import type { Explanation, GivenParameter, Timings } from './explanation.ts'
import { type FormatName, formats } from './formats/index.ts'
import { parseQueryString } from './query-string.ts'
import { type LegacyRequest, parseLegacyRequest, readRefused } from './request.ts'

/** Says what a query string (without its `?`) becomes; never throws. */
export type Explain = (query: string, caller: Caller) => Promise<Explanation>

interface ExplainOptions {
  readonly dialect: Dialect
  readonly execute: ExecuteStored
  readonly observe: Observe
}

export function createExplain({ dialect, execute, observe }: ExplainOptions): Explain {
  const events = legacyEvents(dialect)

  function readRequest(query: string, parsed: LegacyRequest | null): Explanation['request'] {
    const refused = parsed === null ? readRefused(query) : null
    const event = parsed?.event ?? events.find(({ name }) => name === refused?.event)
    const known = ['Event', 'Format', ...(event?.parameters.map(({ name }) => name) ?? [])]
    return {
      event: event?.name ?? null,
      format: parsed?.format ?? refused?.format ?? 'JSON',
      parameters: givenParameters(query, known),
      values: parsed?.lookup.values ?? [],
    }
  }

  function describeRefusal({ code, message, status }: LookupError, format: FormatName) {
    const body = formats[format].error(code, message, dialect)
    return {
      answer: {
        status: dialect.errorStatus === '200' ? 200 : status,
        length: body.length,
        found: 0,
        missing: [],
      },
      error: { code, message },
    }
  }

  return async (query, caller) => {
    const clock = startClock()
    let parsed: LegacyRequest | null = null
    let outcome: Pick<Explanation, 'answer' | 'error'>
    try {
      parsed = parseLegacyRequest(query, events)
      clock.finish('parse')
      const { event, format, lookup } = parsed
      const { entries } = await lookup.ask(execute, caller)
      clock.finish('execute')
      const { length } = formats[format].answers(event, dialect)(lookup.values, entries)
      clock.finish('write')
      const missing = lookup.values.filter((_, at) => entries[at] == null)
      const found = lookup.values.length - missing.length
      outcome = { answer: { status: 200, length, found, missing }, error: null }
    } catch (error) {
      clock.finish(parsed === null ? 'parse' : 'execute')
      if (!(error instanceof LookupError)) observe({ type: 'unexpected', requestId: caller.requestId, error })
      const refusal = error instanceof LookupError ? error : new LookupError('Internal', [], error)
      outcome = describeRefusal(refusal, parsed?.format ?? readRefused(query).format)
    }
    const request = readRequest(query, parsed)
    return {
      request,
      operation: parsed === null ? null : operationOf(parsed.lookup),
      ...outcome,
      dialect: appliedSettings(query, { request, ...outcome }, dialect),
      timings: clock.timings(),
    }
  }
}

function operationOf({ operation, variables }: Lookup): Explanation['operation'] {
  return { query: print(operation), variables }
}

/** So many parameters are shown: a query string may hold thousands that nobody knows. */
const SHOWN_VALUES = 50

function givenParameters(query: string, known: readonly string[]): GivenParameter[] {
  let texts: string[]
  try {
    texts = parseQueryString(query)
  } catch {
    return []
  }
  const given: GivenParameter[] = []
  for (let at = 0; at < texts.length && given.length < SHOWN_VALUES; at += 2) {
    const [name = '', value = ''] = texts.slice(at, at + 2)
    given.push({ name, value, known: known.includes(name) })
  }
  return given
}

function startClock() {
  const timings = { parse: 0, execute: 0, write: 0 }
  let last = performance.now()
  return {
    finish: (step: keyof Timings) => {
      const now = performance.now()
      timings[step] = Math.round((now - last) * 1000) / 1000
      last = now
    },
    timings: (): Timings => timings,
  }
}
