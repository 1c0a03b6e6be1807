// A legacy lookup with a look at what stands between its five steps.

import { print } from 'graphql'
import type { Caller } from '../../caller.ts'
import type { Dialect } from '../../settings.ts'
import { appliedSettings } from './applied-settings.ts'
import { arrangementOf } from './arrange.ts'
import type { Entry, Lookup } from './events/event.ts'
import { legacyEvents } from './events/index.ts'
import type { Explanation, GivenParameter, Timings } from './explanation.ts'
import type { Outcome } from './habits/habit.ts'
import { eventGiven } from './habits/other-event.ts'
import type { LegacyHandler } from './handler.ts'
import { parseQueryString } from './query-string.ts'
import { createRequestReader, type LegacyRequest } from './request.ts'
import type { SpokenError } from './spoken-error.ts'

/** Says what a query string (without its `?`) becomes; never throws. */
export type Explain = (query: string, caller: Caller) => Promise<Explanation>

export function createExplain(trace: LegacyHandler['trace'], dialect: Dialect): Explain {
  const reader = createRequestReader(legacyEvents(dialect), dialect)

  function readRequest(query: string, parsed: LegacyRequest | null): Explanation['request'] {
    const refused = parsed === null ? reader.readRefused(query) : null
    const event = parsed?.event ?? reader.findEvent(refused?.event)
    const known = ['Event', 'Format', ...(event?.parameters.map(({ name }) => name) ?? [])]
    return {
      event: event?.name ?? null,
      format: parsed?.format ?? refused?.format ?? 'JSON',
      parameters: givenParameters(query, (name) => known.includes(reader.nameOf(name))),
      values: parsed?.lookup.values ?? [],
    }
  }

  function eventGivenIn(query: string): Outcome['eventGiven'] {
    const { event } = reader.readRefused(query)
    return reader.findNamed(event ?? '') === undefined ? eventGiven(event) : 'known'
  }

  /** What the entries that were found are named by. */
  function namesOf(
    { event, format, lookup }: LegacyRequest,
    found: readonly (Entry | null)[],
  ): readonly string[] {
    const { names, entries } = arrangementOf(event, format, dialect)?.(lookup, found) ?? {
      names: lookup.values,
      entries: found,
    }
    return names.filter((_, at) => entries[at] != null)
  }

  return async (query, caller) => {
    const clock = startClock()
    let step: keyof Timings = 'parse'
    let parsed: LegacyRequest | null = null
    let found: readonly (Entry | null)[] | null = null
    let refusal: SpokenError | null = null
    const finish = (next: keyof Timings) => {
      clock.finish(step)
      step = next
    }
    const { status, body } = await trace(query, caller, {
      parsed: (request) => {
        finish('execute')
        parsed = request
      },
      executed: (entries) => {
        finish('write')
        found = entries
      },
      refused: (error) => {
        refusal = error
      },
    })
    clock.finish(step)
    const isList = typeof body === 'string' && body.startsWith('[')
    return describe(
      query,
      { status, length: body.length },
      { parsed, found, refusal, isList },
      clock.timings(),
    )
  }

  function describe(
    query: string,
    sent: { readonly status: number; readonly length: number },
    { parsed, found, refusal, isList }: Traced,
    timings: Timings,
  ): Explanation {
    const request = readRequest(query, parsed)
    const missing = refusal === null ? request.values.filter((_, at) => found?.[at] == null) : []
    const answer = {
      ...sent,
      found: refusal === null ? request.values.length - missing.length : 0,
      missing,
    }
    const error = refusal === null ? null : { code: refusal.code, message: refusal.message }
    const { isCut = false, areIds = false, areUsernames = false } = parsed?.lookup ?? {}
    const names = parsed === null || found === null ? [] : namesOf(parsed, found)
    return {
      request,
      operation: parsed === null ? null : operationOf(parsed.lookup),
      answer,
      error,
      dialect: appliedSettings(
        {
          request,
          answer,
          error: refusal,
          isList,
          isCut,
          areIds,
          areUsernames,
          names,
          eventGiven: eventGivenIn(query),
        },
        dialect,
        reader,
      ),
      timings,
    }
  }
}

interface Traced {
  readonly parsed: LegacyRequest | null
  readonly found: readonly (Entry | null)[] | null
  readonly refusal: SpokenError | null
  /** Whether the answer is a list of JSON. */
  readonly isList: boolean
}

function operationOf({ operation, variables }: Lookup): Explanation['operation'] {
  return { query: print(operation), variables }
}

/** So many parameters are shown: a query string may hold thousands that no event knows. */
const SHOWN_VALUES = 50

function givenParameters(query: string, isKnown: (name: string) => boolean): GivenParameter[] {
  let texts: string[]
  try {
    texts = parseQueryString(query)
  } catch {
    return []
  }
  const given: GivenParameter[] = []
  for (let at = 0; at < texts.length && given.length < SHOWN_VALUES; at += 2) {
    const [name = '', value = ''] = texts.slice(at, at + 2)
    given.push({ name, value, known: isKnown(name) })
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
