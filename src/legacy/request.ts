// Query string → the lookup it asks for, or the reason why it is refused. Nothing later reads a URL.

import type { LookupMethod } from '../model.ts'
import type { Dialect, Format } from './dialect.ts'
import { RefusedRequest } from './errors.ts'
import { type LegacyEvent, METHOD, type SchemaRow } from './events.ts'
import { idForm, idReader, keyOfId } from './ids.ts'
import { listSplitter, withoutEnd } from './list.ts'
import { parseQueryString } from './query-string.ts'
import { lowerAscii } from './text.ts'
import { createWords, wordFinder } from './words.ts'

export interface LegacyRequest {
  readonly event: LegacyEvent
  readonly format: Format
  /** Null is a method that finds nothing. */
  readonly method: LookupMethod | null
  /** The values as the client wrote them, in order. */
  readonly values: readonly string[]
  /** The key by which the store finds each value; null matches nothing. */
  readonly keys: readonly (string | null)[]
  /** Whether repeated keys are worth removing. By default only 7 and 007 have one key. */
  readonly mayRepeat: boolean
  /** Whether a row is excluded although the store found it. */
  readonly isExcluded: ((value: string, row: SchemaRow) => boolean) | null
  /** The function of JSONP. */
  readonly callback: string | null
}

export interface RequestReader {
  /** @throws RefusedRequest; LookupError `MalformedQuery` */
  readonly read: (query: string) => LegacyRequest
  /** Whether a query string asks for a lookup. If not, a browser gets the explorer. */
  readonly isLookup: (query: string) => boolean
  /** The event and the format of a request that is refused, at little cost; never throws. */
  readonly readRefused: (query: string) => { readonly event: LegacyEvent | null; readonly format: Format }
  /** Returns the declared name of a parameter; any other name unchanged. */
  readonly nameOf: (given: string) => string
}

const parameterNames = ['Event', 'Format', METHOD, 'Users', 'Apps']

/** The parameter that is the list of values, and its errors. */
const lists = {
  users: {
    name: 'Users',
    none: 'noUsers',
    empty: 'emptyUsers',
    blank: 'blankUsers',
    malformed: 'malformedUser',
    hint: `; for usernames, add ${METHOD}=username`,
  },
  apps: {
    name: 'Apps',
    none: 'noApps',
    empty: 'emptyApps',
    blank: 'blankApps',
    malformed: 'malformedApp',
    hint: '',
  },
} as const

/** @param maxValues LEGACY_MAX_VALUES */
export function createRequestReader(dialect: Dialect, maxValues: number): RequestReader {
  const { read: choice } = dialect
  const declaredNames = parameterNames.map((name) => [name, name] as const)
  const findName = choice.names === 'exact' ? null : wordFinder(declaredNames, choice.names)
  const nameOf = (given: string) => findName?.(given) ?? given
  const words = createWords(dialect, nameOf)
  const splitList = listSplitter(choice)
  const readId = idReader(choice)
  const isRepeated = choice.repeatedValues !== 'once'
  const mayRepeat = {
    ID: isRepeated || choice.ids !== 'digits',
    USERNAME: isRepeated || choice.usernames !== 'folded',
    CHAT: isRepeated,
  }
  const takesCallback = dialect.json.callback !== null

  function parse(query: string): readonly string[] {
    const texts = parseQueryString(query)
    return findName === null ? texts : texts.map((text, at) => (at % 2 === 0 ? nameOf(text) : text))
  }

  function read(query: string): LegacyRequest {
    const parameters = parse(query)
    const find = (name: string) => findParameter(name, parameters, choice.repeated)
    const format = words.formatOf(find('Format'))
    const event = words.eventOf(find('Event'))
    // A repeated list is an error before an unknown method is.
    const givenMethod = event.subject === 'apps' ? undefined : find(METHOD)
    const given = find(lists[event.subject].name)
    const list = given === '0' && choice.zero === 'empty list' ? '' : given
    const method = words.methodOf(givenMethod)
    // Dropped values do not count, so the whole list is split if malformed values are dropped.
    const isDropping = choice.malformed === 'drop' && method === 'ID'
    const split = splitList(list ?? '', isDropping ? Number.POSITIVE_INFINITY : maxValues)
    const used = isDropping ? split.filter((value) => readId(value) !== null) : split
    if (used.length === 0) throw noValues(event, list, split)
    const isTooLong = used.length > maxValues
    if (isTooLong && choice.tooMany === 'refuse')
      throw new RefusedRequest('tooMany', String(maxValues), 'TooManyValues', [String(maxValues)])
    const values = isTooLong ? used.slice(0, maxValues) : used
    return {
      event,
      format,
      method,
      values,
      keys: keysOf(values, method, event),
      mayRepeat: mayRepeat[method ?? 'CHAT'],
      isExcluded: method === 'USERNAME' ? (excluders[choice.usernames] ?? null) : null,
      callback: takesCallback ? callbackIn(find('callback')) : null,
    }
  }

  function keysOf(
    values: readonly string[],
    method: LookupMethod | null,
    { subject }: LegacyEvent,
  ): LegacyRequest['keys'] {
    if (method === null) return values.map(() => null)
    if (method === 'USERNAME' && choice.usernames === 'without blanks at the end')
      return values.map((value) => withoutEnd(value, ' ') || null)
    if (method !== 'ID') return choice.emptyValues === 'drop' ? values : values.map((value) => value || null)
    const ids = values.map(readId)
    const wrong = choice.malformed === 'refuse' ? ids.indexOf(null) : -1
    if (wrong === -1) return choice.ids === 'digits' ? ids : ids.map(keyOfId)
    const value = values[wrong] ?? ''
    const { malformed, hint } = lists[subject]
    throw new RefusedRequest(malformed, value, 'MalformedIdentifier', [value, idForm(choice), hint])
  }

  // If no event is needed, any parameter asks for a lookup.
  const asking = new Set(choice.noEvent === 'refuse' ? ['Event'] : parameterNames)

  function isLookup(query: string): boolean {
    try {
      return parse(query).some((name, at) => at % 2 === 0 && asking.has(name))
    } catch {
      return true
    }
  }

  return { read, isLookup, nameOf, readRefused: words.readRefused }
}

/** A name of JavaScript, perhaps with members; a page could run anything else. */
function callbackIn(given: string | undefined): string | null {
  return given !== undefined && /^[\w$.[\]]{1,128}$/.test(given) ? given : null
}

/** The store finds usernames in any case. */
const excluders: Readonly<Partial<Record<Dialect['read']['usernames'], LegacyRequest['isExcluded']>>> = {
  exact: (value, { username }) => username !== value,
  'A to Z folded': (value, { username }) => lowerAscii(String(username)) !== lowerAscii(value),
}

/** @throws RefusedRequest for a parameter that comes twice, if the dialect refuses that */
function findParameter(
  name: string,
  parameters: readonly string[],
  repeated: Dialect['read']['repeated'],
): string | undefined {
  let found: string | undefined
  for (let at = 0; at < parameters.length; at += 2) {
    if (parameters[at] !== name) continue
    if (repeated === 'first') return parameters[at + 1]
    if (repeated === 'refuse' && found !== undefined)
      throw new RefusedRequest('repeated', '', 'RepeatedParameter', [name])
    found = parameters[at + 1]
  }
  return found
}

/** @param dropped values that are no ids */
function noValues(
  { subject }: LegacyEvent,
  list: string | undefined,
  [dropped]: readonly string[],
): RefusedRequest {
  const { name, none, empty, blank, malformed } = lists[subject]
  const given = dropped === undefined ? blank : malformed
  const kind = list === undefined ? none : list === '' ? empty : given
  const hint = 'It holds one or more values, separated by colons.'
  return new RefusedRequest(kind, dropped ?? '', 'MissingParameter', [name, hint])
}
