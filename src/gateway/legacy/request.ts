// Query string → LegacyRequest. Nothing later reads a URL.

import { LookupError } from '../../errors.ts'
import type { Dialect } from '../../settings.ts'
import type { LegacyEvent, Lookup, ReadParameter } from './events/event.ts'
import { type FormatName, formatFinder, parseFormat } from './formats/index.ts'
import { finder } from './habits/any-case.ts'
import { parseQueryString } from './query-string.ts'
import { type ReadRefused, refusedReader } from './refused-request.ts'
import { repeatReaders } from './repeated-parameters.ts'

export interface LegacyRequest {
  readonly event: LegacyEvent
  readonly format: FormatName
  readonly lookup: Lookup
}

/** Reads query strings (without their `?`). */
export interface RequestReader {
  /**
   * Unknown parameters are ignored.
   * @throws LookupError for every row of the contract's request table
   */
  readonly parse: (query: string) => LegacyRequest
  /** Whether one names an event, or cannot be read, so that only an error answers it. */
  readonly isLookup: (query: string) => boolean
  readonly readRefused: ReadRefused
  /** The event that a value of the parameter Event means. */
  readonly findEvent: (value: string) => LegacyEvent | undefined
  /** The name of a parameter as it is declared; any other as it is given. */
  readonly nameOf: (given: string) => string
}

/** How the dialect has them read is chosen here, once: with its defaults, names are compared as they are. */
export function createRequestReader(events: readonly LegacyEvent[], dialect: Dialect): RequestReader {
  const { anyCase, repeated } = dialect
  const findEvent = finder(new Map(events.map((event) => [event.name, event])), anyCase.includes('events'))
  const findFormat = formatFinder(dialect)
  const findName = anyCase.includes('parameters') ? nameFinder(events) : null
  const nameOf = (given: string) => findName?.(given) ?? given
  const read = repeatReaders[repeated]
  const parseParameters =
    findName === null
      ? parseQueryString
      : (query: string) => parseQueryString(query).map((text, at) => (at % 2 === 0 ? nameOf(text) : text))

  function parse(query: string): LegacyRequest {
    const parameters = parseParameters(query)
    const once: ReadParameter = (name) => read(name, parameters)
    const format = parseFormat(once('Format'), findFormat)
    const name = once('Event')
    const event = findEvent(name ?? '')
    if (event === undefined) throw noEvent(name, events)
    for (const { name } of event.parameters) once(name)
    return { event, format, lookup: event.parse(once) }
  }

  function isLookup(query: string): boolean {
    try {
      return parseParameters(query).some((name, at) => at % 2 === 0 && name === 'Event')
    } catch {
      return true
    }
  }

  const readRefused = refusedReader({ findName, findFormat, repeated })
  return { parse, isLookup, readRefused, findEvent, nameOf }
}

/** Finds the name of a parameter, as it is declared, by what it is in any case. */
function nameFinder(events: readonly LegacyEvent[]): (name: string) => string | undefined {
  const names = ['Event', 'Format', ...events.flatMap(({ parameters }) => parameters.map(({ name }) => name))]
  return finder(new Map(names.map((name) => [name, name])), true)
}

function noEvent(name: string | undefined, events: readonly LegacyEvent[]): LookupError {
  const allowed = events.map((known) => known.name).join(', ')
  if (name === undefined || name === '') {
    return new LookupError('MissingParameter', ['Event', `It selects the lookup: ${allowed}.`])
  }
  const twin = events.find((known) => known.name.toLowerCase() === name.toLowerCase())
  const hint = twin === undefined ? '' : ` (only the case differs from ${twin.name}, and case matters)`
  return new LookupError('UnknownEvent', [name, allowed, hint])
}
