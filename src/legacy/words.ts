// Reads the parameters that have one of a few words: Event, Format and the method.

import type { LookupMethod } from '../model.ts'
import type { Dialect, Format } from './dialect.ts'
import { RefusedRequest } from './errors.ts'
import { eventOf, type LegacyEvent, legacyEvents, METHOD } from './events.ts'
import { decode } from './query-string.ts'
import { lowerAscii } from './text.ts'

/** Finds what a word stands for. */
export function wordFinder<T>(
  words: readonly (readonly [word: string, meaning: T])[],
  compared: 'exact' | 'any case',
): (given: string) => T | undefined {
  const exact = new Map(words)
  if (compared === 'exact') return (given) => exact.get(given)
  const folded = new Map(words.toReversed().map(([word, meaning]) => [lowerAscii(word), meaning]))
  // An exact word wins: the chat method may be ID.
  return (given) => exact.get(given) ?? folded.get(lowerAscii(given))
}

/**
 * Each reader but `readRefused` throws a RefusedRequest for a word that the dialect refuses.
 * @param nameOf the declared name of a parameter
 */
export function createWords({ read: choice, chatMethod }: Dialect, nameOf: (given: string) => string) {
  const eventNames = legacyEvents.map(({ name }) => name)
  const methods: readonly (readonly [string, LookupMethod])[] = [
    ['id', 'ID'],
    ['username', 'USERNAME'],
    [chatMethod, 'CHAT'],
  ]
  const findNamedEvent = wordFinder(
    legacyEvents.map((event) => [event.name, event]),
    choice.events,
  )
  const findMethod = wordFinder(methods, choice.methods)
  const isXml = wordFinder([['XML', true]], choice.formats)
  const isJson = choice.json === 'other' ? () => false : wordFinder([['JSON', true]], choice.json)

  function findFormat(given: string | undefined): Format | 'refuse' {
    if (given === undefined) return 'json'
    if (given === '') return choice.emptyFormat
    return isXml(given) ? 'xml' : isJson(given) ? 'json' : choice.otherFormat
  }

  function formatOf(given: string | undefined): Format {
    const format = findFormat(given)
    if (format !== 'refuse') return format
    throw new RefusedRequest('otherFormat', given ?? '', 'UnknownFormat', [given ?? '', 'JSON, XML'])
  }

  function findEvent(given: string | undefined): LegacyEvent | 'refuse' {
    const event = findNamedEvent(given ?? '')
    if (event !== undefined) return event
    const subject = choice[eventKind(given)]
    return subject === 'refuse' ? subject : eventOf[subject]
  }

  function eventFor(given: string | undefined): LegacyEvent {
    const event = findEvent(given)
    if (event !== 'refuse') return event
    const kind = eventKind(given)
    const allowed = eventNames.join(', ')
    if (given === undefined || given === '') {
      const details = ['Event', `It selects the lookup: ${allowed}.`]
      throw new RefusedRequest(kind, '', 'MissingParameter', details)
    }
    const twin = eventNames.find((name) => lowerAscii(name) === lowerAscii(given))
    const hint = twin === undefined ? '' : ` (only the case differs from ${twin}, and case matters)`
    throw new RefusedRequest(kind, given, 'UnknownEvent', [given, allowed, hint])
  }

  /** Null is a method that finds nothing. */
  function methodOf(given: string | undefined): LookupMethod | null {
    if (given === undefined) return 'ID'
    const method = findMethod(given)
    if (method !== undefined) return method
    const kind = given === '' ? 'emptyMethod' : 'otherMethod'
    const meaning = choice[kind]
    if (meaning !== 'refuse') return meaning === 'unknown' ? null : meaning === 'id' ? 'ID' : 'USERNAME'
    const allowed = methods.map(([word]) => word).join(', ')
    throw new RefusedRequest(kind, given, 'UnknownMethod', [METHOD, given, allowed])
  }

  function readRefused(query: string): { event: LegacyEvent | null; format: Format } {
    const given = findWords(query, nameOf, choice.repeated === 'last')
    const [event, format] = [findEvent(given.Event), findFormat(given.Format)]
    return { event: event === 'refuse' ? null : event, format: format === 'refuse' ? 'json' : format }
  }

  return { formatOf, eventOf: eventFor, methodOf, readRefused }
}

function eventKind(given: string | undefined): 'noEvent' | 'emptyEvent' | 'otherEvent' {
  return given === undefined ? 'noEvent' : given === '' ? 'emptyEvent' : 'otherEvent'
}

/** Characters of the shortest name that is looked for, and of the longest one if each is percent-encoded. */
const MIN_NAME_LENGTH = 'Event'.length
const MAX_NAME_LENGTH = 3 * 'Format'.length

/** Finds Event and Format without decoding anything else: a refusal must cost less than a response. */
function findWords(query: string, nameOf: (given: string) => string, isLast: boolean) {
  const found: { Event?: string; Format?: string } = {}
  for (const part of query.split('&')) {
    const equals = part.indexOf('=')
    const length = equals === -1 ? part.length : equals
    if (length < MIN_NAME_LENGTH || length > MAX_NAME_LENGTH) continue
    const name = nameOf(decode(part.slice(0, length)) ?? '')
    if (name !== 'Event' && name !== 'Format') continue
    const value = decode(part.slice(length + 1))
    if (value === null || (found[name] !== undefined && !isLast)) continue
    found[name] = value
    if (found.Event !== undefined && found.Format !== undefined && !isLast) break
  }
  return found
}
