// A legacy lookup in five steps: parse, ask, execute, shape, write.

import type { Caller } from '../../caller.ts'
import { LookupError } from '../../errors.ts'
import type { Observe } from '../../observation.ts'
import type { Dialect } from '../../settings.ts'
import { type Answer, etagOf } from '../answer.ts'
import { createAnswerCache } from './answer-cache.ts'
import { type Arrange, arrangementOf } from './arrange.ts'
import type { Entry, ExecuteStored, LegacyEvent } from './events/event.ts'
import { legacyEvents } from './events/index.ts'
import { errorFormats } from './formats/errors.ts'
import type { WriteAnswer } from './formats/format.ts'
import { type FormatName, formatNames, formats } from './formats/index.ts'
import { legacyHeaders } from './headers.ts'
import { missingRefuser, silentWriter } from './nothing-found.ts'
import { createRequestReader, type LegacyRequest } from './request.ts'
import { errorSpeaker, type SpokenError } from './spoken-error.ts'

export interface LegacyHandler {
  /** Whether a query string asks for a lookup, rather than coming from a person with a browser. */
  readonly isLookup: (query: string) => boolean
  /** Answers a query string (without its `?`); never throws. */
  readonly answer: (query: string, caller: Caller) => Answer | Promise<Answer>
  /** Answers it anew, and shows what stands between the steps; never throws. */
  readonly trace: (query: string, caller: Caller, trace: Trace) => Promise<Answer>
  /** The answer to a request that is refused before its query string is read. */
  readonly refuse: (error: LookupError, query: string) => Answer
}

/** What stands between the steps of a lookup, for `/explain`. */
export interface Trace {
  readonly parsed: (request: LegacyRequest) => void
  readonly executed: (entries: readonly (Entry | null)[]) => void
  /** Called instead of the steps that are left. */
  readonly refused: (error: SpokenError) => void
}

/** Sees the answers of the legacy interface, and leaves them as they are. */
export interface Watcher {
  readonly watch: (facade: LegacyHandler) => LegacyHandler
  /** Gives up what it cannot do within a few seconds. */
  readonly close: () => void | Promise<void>
}

interface LegacyOptions {
  readonly dialect: Dialect
  readonly execute: ExecuteStored
  /** Changes whenever the data does; `null` where the store cannot tell, and no answer is kept. */
  readonly version: (() => number) | null
  readonly observe: Observe
}

interface Writer {
  readonly arrange: Arrange | null
  readonly write: WriteAnswer
  readonly headers: readonly string[]
}

/** The writers of an event's answers, one for each format of the table. */
function writersOf(
  event: LegacyEvent,
  headers: readonly string[],
  dialect: Dialect,
): ReadonlyMap<FormatName, Writer> {
  return new Map(
    formatNames.map((name) => {
      const { answers } = formats[name]
      const arrange = arrangementOf(event, name, dialect)
      return [
        name,
        {
          arrange,
          write: dialect.empty === 'none' ? silentWriter(answers(event, dialect)) : answers(event, dialect),
          headers: [...headers, ...typeHeaders(formats[name].contentType(dialect))],
        },
      ]
    }),
  )
}

function typeHeaders(type: string): readonly string[] {
  // What a browser takes for a page may hold names that users chose: they are shown, and run nothing.
  const guard = /html|svg/i.test(type) ? ['Content-Security-Policy', "default-src 'none'; sandbox"] : []
  return ['Content-Type', type, ...guard]
}

export function createLegacyHandler({ dialect, execute, version, observe }: LegacyOptions): LegacyHandler {
  const events = legacyEvents(dialect)
  const { parse, isLookup, readRefused, findEvent } = createRequestReader(events, dialect)
  const common = legacyHeaders(dialect)
  const found = [...common, 'Cache-Control', `public, max-age=${dialect.maxAge}`]
  const refused = [...common, 'Cache-Control', 'no-store']
  const speak = errorSpeaker(dialect)
  const errors = errorFormats(dialect)
  const errorHeaders = {
    JSON: [...refused, ...typeHeaders(errors.JSON.contentType)],
    XML: [...refused, ...typeHeaders(errors.XML.contentType)],
  } satisfies Record<FormatName, readonly string[]>
  const refuseMissing = missingRefuser(dialect)
  const writers = new Map(events.map((event) => [event, writersOf(event, found, dialect)]))
  const cache = version === null ? null : createAnswerCache(version)

  function answer(query: string, caller: Caller): Answer | Promise<Answer> {
    try {
      return cache === null ? lookUp(query, caller) : cache(query, caller, lookUp)
    } catch (error) {
      return fail(error, query, caller)
    }
  }

  async function lookUp(query: string, caller: Caller, trace: Trace | null = null): Promise<Answer> {
    try {
      const request = parse(query)
      trace?.parsed(request)
      const { event, format, lookup } = request
      const { entries } = await lookup.ask(execute, caller)
      if (entries === null) throw new Error(`${event.name} has neither entries nor an error`)
      trace?.executed(entries)
      refuseMissing?.(lookup.values, entries, event.subject)
      const writer = writers.get(event)?.get(format)
      if (writer === undefined) throw new Error(`no writer for ${event.name} in ${format}`)
      const { arrange, write } = writer
      const shown = arrange === null ? null : arrange(lookup, entries)
      const body = shown === null ? write(lookup.values, entries) : write(shown.names, shown.entries)
      const about = { event: event.name, format, outcome: 'ok', values: lookup.values.length }
      return { status: 200, headers: writer.headers, body, etag: etagOf(body), about, isLegacy: true }
    } catch (error) {
      return fail(error, query, caller, trace)
    }
  }

  function fail(error: unknown, query: string, { requestId }: Caller, trace: Trace | null = null): Answer {
    if (!(error instanceof LookupError)) observe({ type: 'unexpected', requestId, error })
    const refusal = error instanceof LookupError ? error : new LookupError('Internal', [], error)
    return say(refusal, query, trace)
  }

  function say(refusal: LookupError, query: string, trace: Trace | null = null): Answer {
    const { event: asked, format } = readRefused(query)
    const known = findEvent(asked)
    const spoken = speak(refusal, known?.subject ?? 'users')
    trace?.refused(spoken)
    const { code, word, message, status, retryAfter } = spoken
    const own = errorHeaders[format]
    const headers = retryAfter === undefined ? own : [...own, 'Retry-After', String(retryAfter)]
    return {
      status,
      headers,
      body: errors[format].write(word, message, status),
      etag: null,
      about: { event: known?.name ?? 'none', format, outcome: code, values: 0 },
      isLegacy: true,
    }
  }

  const refuse: LegacyHandler['refuse'] = (error, query) => say(error, query)
  return { isLookup, answer, trace: lookUp, refuse }
}
