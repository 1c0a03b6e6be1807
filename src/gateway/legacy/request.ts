// Query string → LegacyRequest. Nothing later reads a URL.

import { LookupError } from '../../errors.ts'
import type { LegacyEvent, Lookup, ReadParameter } from './events/event.ts'
import { type FormatName, parseFormat } from './formats/index.ts'
import { decode, parseQueryString } from './query-string.ts'

export interface LegacyRequest {
  readonly event: LegacyEvent
  readonly format: FormatName
  readonly lookup: Lookup
}

/**
 * Reads a legacy query string. Names and values are matched in exact case; unknown parameters are ignored.
 * @throws LookupError for every row of the contract's request table
 */
export function parseLegacyRequest(query: string, events: readonly LegacyEvent[]): LegacyRequest {
  const parameters = parseQueryString(query)
  const once: ReadParameter = (name) => readOnce(name, parameters)
  const format = parseFormat(once('Format'))
  const event = findEvent(once('Event'), events)
  for (const { name } of event.parameters) once(name)
  return { event, format, lookup: event.parse(once) }
}

/** @throws LookupError `RepeatedParameter` */
function readOnce(name: string, parameters: readonly string[]): string | undefined {
  let value: string | undefined
  for (let at = 0; at < parameters.length; at += 2) {
    if (parameters[at] !== name) continue
    if (value !== undefined) throw new LookupError('RepeatedParameter', [name])
    value = parameters[at + 1]
  }
  return value
}

function findEvent(name: string | undefined, events: readonly LegacyEvent[]): LegacyEvent {
  const event = events.find((known) => known.name === name)
  if (event !== undefined) return event
  const allowed = events.map((known) => known.name).join(', ')
  if (name === undefined || name === '') {
    throw new LookupError('MissingParameter', ['Event', `It selects the lookup: ${allowed}.`])
  }
  const twin = events.find((known) => known.name.toLowerCase() === name.toLowerCase())
  const hint = twin === undefined ? '' : ` (only the case differs from ${twin.name}, and case matters)`
  throw new LookupError('UnknownEvent', [name, allowed, hint])
}

/** Whether a query string names an event, or cannot be read, so that only an error answers it. */
export function isLookup(query: string): boolean {
  try {
    return parseQueryString(query).some((name, at) => at % 2 === 0 && name === 'Event')
  } catch {
    return true
  }
}

/** Characters of the longest name that is looked for, each of them percent-encoded. */
const MAX_NAME_LENGTH = 3 * 'Format'.length

/**
 * What can be read of a request that is refused, even when the rest cannot: the event's name, whether there
 * is such a one or not, and the format of the refusal, which is JSON where none can be told. Decodes nothing
 * but short names and these two values, and throws nothing: a refusal must cost less than an answer.
 */
export function readRefused(query: string): { event: string | undefined; format: FormatName } {
  let event: string | undefined
  let format: FormatName | undefined
  for (const part of query.split('&')) {
    const equals = part.indexOf('=')
    const length = equals === -1 ? part.length : equals
    if (length === 0 || length > MAX_NAME_LENGTH) continue
    const name = decode(part.slice(0, length))
    if (name !== 'Event' && name !== 'Format') continue
    const value = decode(part.slice(length + 1))
    if (value === null) continue
    if (name === 'Event') event ??= value
    else format ??= value === 'XML' ? 'XML' : 'JSON'
    if (event !== undefined && format !== undefined) break
  }
  return { event, format: format ?? 'JSON' }
}
