// A legacy lookup in five steps: parse, ask, execute, shape, write.

import { randomUUID } from 'node:crypto'
import type { Answer } from '../answer.ts'
import { LookupError } from '../errors.ts'
import type { Observe } from '../observe/observation.ts'
import type { Dialect } from './dialect.ts'
import type { ExecuteStored } from './events/event.ts'
import { legacyEvents } from './events/index.ts'
import type { WriteAnswer } from './formats/format.ts'
import { type FormatName, formatNames, formats } from './formats/index.ts'
import { legacyHeaders } from './headers.ts'
import { formatOfRefusal, isLookup, parseLegacyRequest } from './request.ts'

export interface LegacyHandler {
  /** Whether a query string asks for a lookup, rather than coming from someone who looks around. */
  readonly isLookup: (query: string) => boolean
  /** Answers a query string (without its `?`); never throws. */
  readonly answer: (query: string) => Promise<Answer>
  /** The answer to a request that is refused before its query string is read. */
  readonly refuse: (error: unknown, query: string) => Answer
}

interface LegacyOptions {
  readonly dialect: Dialect
  readonly execute: ExecuteStored
  readonly observe: Observe
}

export function createLegacyHandler({ dialect, execute, observe }: LegacyOptions): LegacyHandler {
  const events = legacyEvents(dialect)
  const common = legacyHeaders(dialect)
  const found = [...common, 'Cache-Control', `public, max-age=${dialect.maxAge}`, 'Content-Type']
  const refused = [...common, 'Cache-Control', 'no-store', 'Content-Type']
  const writers = new Map<string, WriteAnswer>()
  const writerKey = (event: string, format: FormatName) => `${event} ${format}`
  for (const event of events) {
    for (const format of formatNames) {
      writers.set(writerKey(event.name, format), formats[format].answers(event, dialect))
    }
  }

  async function answer(query: string): Promise<Answer> {
    try {
      const { event, format, lookup } = parseLegacyRequest(query, events)
      const entries = await lookup.ask(execute)
      const write = writers.get(writerKey(event.name, format))
      if (write === undefined) throw new Error(`no writer for ${event.name} in ${format}`)
      const body = write(lookup.values, entries)
      return { status: 200, headers: [...found, formats[format].contentType], body, tagged: true }
    } catch (error) {
      return refuse(error, query)
    }
  }

  function refuse(error: unknown, query: string): Answer {
    const format = formats[formatOfRefusal(query)]
    const headers = [...refused, format.contentType]
    let failure: LookupError
    if (error instanceof LookupError) failure = error
    else {
      failure = new LookupError('Internal', [], error)
      const requestId = randomUUID()
      observe({ type: 'unexpected', requestId, error })
      headers.push('X-Request-Id', requestId)
    }
    if (failure.retryAfter !== undefined) headers.push('Retry-After', String(failure.retryAfter))
    const status = dialect.errorStatus === '200' ? 200 : failure.status
    return { status, headers, body: format.error(failure.code, failure.message, dialect), tagged: false }
  }

  return { isLookup, answer, refuse }
}
