// Query string → LegacyRequest. Nothing later reads a URL.

import { LookupError } from '../../errors.ts'
import type { Dialect } from '../../settings.ts'
import type { LegacyEvent, Lookup, ReadParameter } from './events/event.ts'
import { type FormatName, formatFinder, parseFormat } from './formats/index.ts'
import { finder } from './habits/any-case.ts'
import { eventFinder } from './habits/other-event.ts'
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
  /** Whether one asks for an event, or cannot be read, so that only an error answers it. */
  readonly isLookup: (query: string) => boolean
  readonly readRefused: ReadRefused
  /** The event that a value of the parameter Event means, or that there is none. */
  readonly findEvent: (value: string | undefined) => LegacyEvent | undefined
  /** The one that has this name. */
  readonly findNamed: (value: string) => LegacyEvent | undefined
  /** The name of a parameter as it is declared; any other as it is given. */
  readonly nameOf: (given: string) => string
}

/** How the dialect has them read is chosen here, once: with its defaults, names are compared as they are. */
export function createRequestReader(events: readonly LegacyEvent[], dialect: Dialect): RequestReader {
  const { anyCase, repeated, otherEvent } = dialect
  const findNamed = finder(new Map(events.map((event) => [event.name, event])), anyCase.includes('events'))
  const findEvent = eventFinder(findNamed, otherEvent)
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
    const event = findEvent(name)
    if (event === undefined) throw noEvent(name, events, otherEvent)
    for (const { name } of event.parameters) once(name)
    return { event, format, lookup: event.parse(once) }
  }

  // Where no event is needed, any other parameter asks for a lookup.
  const asking = new Set(otherEvent === 'refuse' ? ['Event'] : namesOf(events))

  function isLookup(query: string): boolean {
    try {
      return parseParameters(query).some((name, at) => at % 2 === 0 && asking.has(name))
    } catch {
      return true
    }
  }

  const readRefused = refusedReader({ findName, findFormat, repeated })
  return { parse, isLookup, readRefused, findEvent, findNamed, nameOf }
}

/** Finds the name of a parameter, as it is declared, by what it is in any case. */
function nameFinder(events: readonly LegacyEvent[]): (name: string) => string | undefined {
  return finder(new Map(namesOf(events).map((name) => [name, name])), true)
}

function namesOf(events: readonly LegacyEvent[]): readonly string[] {
  return ['Event', 'Format', ...events.flatMap(({ parameters }) => parameters.map(({ name }) => name))]
}

function noEvent(
  name: string | undefined,
  events: readonly LegacyEvent[],
  otherEvent: Dialect['otherEvent'],
): LookupError {
  const allowed = events.map((known) => known.name).join(', ')
  // Where a missing one is an event, an empty one is a name that none has.
  if (name === undefined || (name === '' && otherEvent === 'refuse')) {
    return new LookupError('MissingParameter', ['Event', `It selects the lookup: ${allowed}.`])
  }
  const twin = events.find((known) => known.name.toLowerCase() === name.toLowerCase())
  const hint = twin === undefined ? '' : ` (only the case differs from ${twin.name}, and case matters)`
  return new LookupError('UnknownEvent', [name, allowed, hint])
}
