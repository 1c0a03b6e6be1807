// Query string → the lookup it asks for, or the reason why it is refused. Nothing later reads a URL.

import { LookupError } from '../errors.ts'
import { type LookupMethod, parseId } from '../model.ts'
import type { Dialect, ErrorKind, Format } from './dialect.ts'
import { eventOf, type LegacyEvent, legacyEvents, METHOD, type Row } from './events.ts'
import { listSplitter, withoutEnd } from './list.ts'
import { castToInt, isNumeric } from './php-numbers.ts'
import { decode, parseQueryString } from './query-string.ts'
import { lowerAscii } from './text.ts'

export interface LegacyRequest {
  readonly event: LegacyEvent
  readonly format: Format
  /** Null is a method that finds nothing. */
  readonly method: LookupMethod | null
  /** The values as the client wrote them, in order. */
  readonly values: readonly string[]
  /** The key by which the store finds each value; null matches nothing. */
  readonly keys: readonly (string | null)[]
  /** Whether several values may have one key. */
  readonly mayRepeat: boolean
  /** Whether a row is excluded although the store found it. */
  readonly isExcluded: ((value: string, row: Row) => boolean) | null
  /** Whether values at the end of the list were cut off. */
  readonly isCut: boolean
  /** The function of JSONP. */
  readonly callback: string | null
}

/** A request that the dialect refuses. A reply may be recorded for its kind. */
export class RefusedRequest extends LookupError {
  readonly reply: ErrorKind
  /** What a recorded reply has for `{value}`. */
  readonly value: string

  constructor(
    reply: ErrorKind,
    value: string,
    ...[code, details]: ConstructorParameters<typeof LookupError>
  ) {
    super(code, details)
    this.reply = reply
    this.value = value
  }
}

export interface RequestReader {
  /** @throws RefusedRequest; LookupError `MalformedQuery` */
  readonly read: (query: string) => LegacyRequest
  /** Whether a query string asks for a lookup. If not, a browser gets the explorer. */
  readonly isLookup: (query: string) => boolean
  /** The event and the format of a request that is refused, at little cost; never throws. */
  readonly readRefused: (query: string) => { readonly event: LegacyEvent | null; readonly format: Format }
  /** The declared name of a parameter; any other name as it is. */
  readonly nameOf: (given: string) => string
}

const parameterNames = ['Event', 'Format', METHOD, 'Users', 'Apps']

/** @param maxValues LEGACY_MAX_VALUES */
export function createRequestReader(dialect: Dialect, maxValues: number): RequestReader {
  const { read: choice } = dialect
  const findName = choice.names === 'any case' ? finder(parameterNames, 'any case') : null
  const nameOf = (given: string) => findName?.(given) ?? given
  const words = createWords(dialect)
  const splitList = listSplitter(choice)
  const readKeys = keyReader(dialect)
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
    const { subject } = event
    // A repeated list is an error before an unknown method is.
    const givenMethod = subject === 'apps' ? undefined : find(METHOD)
    const given = find(subject === 'users' ? 'Users' : 'Apps')
    const list = given === '0' && choice.zero === 'empty list' ? '' : given
    const method = subject === 'apps' ? 'ID' : words.methodOf(givenMethod)
    // Dropped values do not count, so the whole list is split if malformed values are dropped.
    const isDropping = choice.malformed === 'drop' && method === 'ID'
    const split = splitList(list ?? '', isDropping ? Number.POSITIVE_INFINITY : maxValues)
    const kept = isDropping ? split.filter((value) => readKeys.id(value) !== null) : split
    if (kept.length === 0) throw noValues(event, list, split)
    const isCut = kept.length > maxValues
    if (isCut && choice.tooMany === 'refuse')
      throw new RefusedRequest('tooMany', String(maxValues), 'TooManyValues', [String(maxValues)])
    const values = isCut ? kept.slice(0, maxValues) : kept
    return {
      event,
      format,
      method,
      values,
      keys: keysOf(values, method, event),
      mayRepeat: mayRepeat[method ?? 'CHAT'],
      isExcluded: method === 'USERNAME' ? excluders[choice.usernames] : null,
      isCut,
      callback: takesCallback ? callbackIn(find('callback')) : null,
    }
  }

  function keysOf(
    values: readonly string[],
    method: LookupMethod | null,
    { subject }: LegacyEvent,
  ): readonly (string | null)[] {
    if (method === null) return values.map(() => null)
    if (method === 'CHAT')
      return choice.emptyValues === 'drop' ? values : values.map((value) => value || null)
    if (method === 'USERNAME') return readKeys.usernames(values)
    const ids = values.map(readKeys.id)
    const wrong = choice.malformed === 'refuse' ? ids.indexOf(null) : -1
    if (wrong === -1) return choice.ids === 'digits' ? ids : ids.map(keyOfId)
    const [value = ''] = values.slice(wrong)
    const hint = subject === 'users' ? `; for usernames, add ${METHOD}=username` : ''
    const kind = subject === 'users' ? 'malformedUser' : 'malformedApp'
    throw new RefusedRequest(kind, value, 'MalformedIdentifier', [value, idForms[choice.ids], hint])
  }

  // If no event is needed, any parameter asks for a lookup.
  const isEventNeeded = choice.noEvent === 'refuse'
  const asking = new Set(isEventNeeded ? ['Event'] : parameterNames)

  function isLookup(query: string): boolean {
    try {
      return parse(query).some((name, at) => at % 2 === 0 && asking.has(name))
    } catch {
      return true
    }
  }

  const readRefused = refusedReader(findName, choice.repeated === 'last')
  return {
    read,
    isLookup,
    nameOf,
    readRefused: (query) => {
      const { event, format } = readRefused(query)
      return { event: words.findEvent(event) ?? null, format: words.findFormat(format) ?? 'json' }
    },
  }
}

/** A name of JavaScript, perhaps with members; a page could run anything else. */
function callbackIn(given: string | undefined): string | null {
  return given !== undefined && /^[\w$.[\]]{1,128}$/.test(given) ? given : null
}

/** The store finds usernames in any case. */
const excluders: Readonly<Record<Dialect['read']['usernames'], LegacyRequest['isExcluded']>> = {
  folded: null,
  exact: (value, { username }) => username !== value,
  'without blanks at the end': null,
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

/** Reads the values of the parameters that allow for a few. */
function createWords({ read: choice, chatMethod }: Dialect) {
  const methods: readonly (readonly [string, LookupMethod])[] = [
    ['id', 'ID'],
    ['username', 'USERNAME'],
    [chatMethod, 'CHAT'],
  ]
  const allowedMethods = methods.map(([word]) => word).join(', ')
  const eventNames = legacyEvents.map(({ name }) => name)
  const nameOfEvent = finder(eventNames, choice.events)
  const wordOfMethod = finder(
    methods.map(([word]) => word),
    choice.methods,
  )
  const isXml = finder(['XML'], choice.formats)
  const isJson = finder(['JSON'], choice.json === 'any case' ? 'any case' : 'exact')

  function findFormat(given: string | undefined): Format | null {
    if (given === undefined) return 'json'
    if (given === '') return choice.emptyFormat === 'refuse' ? null : choice.emptyFormat
    if (isXml(given) !== undefined) return 'xml'
    if (choice.json !== 'other' && isJson(given) !== undefined) return 'json'
    return choice.otherFormat === 'refuse' ? null : choice.otherFormat
  }

  function findEvent(given: string | undefined): LegacyEvent | undefined {
    const name = nameOfEvent(given ?? '')
    if (name !== undefined) return legacyEvents.find((event) => event.name === name)
    const subject = choice[eventKind(given)]
    return subject === 'refuse' ? undefined : eventOf[subject]
  }

  return {
    findFormat,
    findEvent,
    formatOf: (given: string | undefined): Format => {
      const format = findFormat(given)
      if (format !== null) return format
      throw new RefusedRequest('otherFormat', given ?? '', 'UnknownFormat', [given ?? '', 'JSON, XML'])
    },
    eventOf: (given: string | undefined): LegacyEvent => {
      const event = findEvent(given)
      if (event !== undefined) return event
      const kind = eventKind(given)
      const allowed = eventNames.join(', ')
      if (given === undefined || given === '')
        throw new RefusedRequest(kind, '', 'MissingParameter', [
          'Event',
          `It selects the lookup: ${allowed}.`,
        ])
      const twin = eventNames.find((name) => lowerAscii(name) === lowerAscii(given))
      const hint = twin === undefined ? '' : ` (only the case differs from ${twin}, and case matters)`
      throw new RefusedRequest(kind, given, 'UnknownEvent', [given, allowed, hint])
    },
    methodOf: (given: string | undefined): LookupMethod | null => {
      if (given === undefined) return 'ID'
      const word = wordOfMethod(given)
      const known = methods.find(([name]) => name === word)
      if (known !== undefined) return known[1]
      const kind = given === '' ? 'emptyMethod' : 'otherMethod'
      const meaning = choice[kind]
      if (meaning === 'refuse')
        throw new RefusedRequest(kind, given, 'UnknownMethod', [METHOD, given, allowedMethods])
      return meaning === 'unknown' ? null : meaning === 'id' ? 'ID' : 'USERNAME'
    },
  }
}

function eventKind(given: string | undefined): 'noEvent' | 'emptyEvent' | 'otherEvent' {
  return given === undefined ? 'noEvent' : given === '' ? 'emptyEvent' : 'otherEvent'
}

/** Finds a name by what a client wrote. */
function finder(
  names: readonly string[],
  compared: 'exact' | 'any case',
): (given: string) => string | undefined {
  if (compared === 'exact') return (given) => (names.includes(given) ? given : undefined)
  const byLowerCase = new Map(names.toReversed().map((name) => [lowerAscii(name), name]))
  // An exact name wins: the chat method may be ID.
  return (given) => (names.includes(given) ? given : byLowerCase.get(lowerAscii(given)))
}

/** @param dropped values that are no ids */
function noValues(
  { subject }: LegacyEvent,
  list: string | undefined,
  [dropped]: readonly string[],
): RefusedRequest {
  const [name, none, empty, blank, malformed] =
    subject === 'users'
      ? (['Users', 'noUsers', 'emptyUsers', 'blankUsers', 'malformedUser'] as const)
      : (['Apps', 'noApps', 'emptyApps', 'blankApps', 'malformedApp'] as const)
  const given = dropped === undefined ? blank : malformed
  const kind = list === undefined ? none : list === '' ? empty : given
  const hint = 'It holds one or more values, separated by colons.'
  return new RefusedRequest(kind, dropped ?? '', 'MissingParameter', [name, hint])
}

const DIGITS = 'digits only, up to 9007199254740991'

/** What the error about a malformed identifier says that one is. */
const idForms: Readonly<Record<Dialect['read']['ids'], string>> = {
  digits: DIGITS,
  exact: DIGITS,
  'no leading zeros': `${DIGITS}, without leading zeros`,
  'from 1': `${DIGITS}, from 1 on and without leading zeros`,
  numeric: 'a number',
  cast: 'a text that starts with a number from 1 on',
  signed: 'an integer',
  'signed, with blanks': 'an integer',
}

/** What Go, Java, Python and C# read as an integer. */
function readSigned(text: string): string | null {
  if (!/^[+-]?\d+$/.test(text)) return null
  const digits = text.replace(/^[+-]?0*(?=\d)/, '')
  return text.startsWith('-') && digits !== '0' ? `-${digits}` : digits
}

const idReaders: Readonly<Record<Dialect['read']['ids'], (text: string) => string | null>> = {
  digits: parseId,
  exact: (text) => (parseId(text) === null ? null : text),
  'no leading zeros': (text) => (parseId(text) === text ? text : null),
  'from 1': (text) => (parseId(text) === text && text !== '0' ? text : null),
  numeric: (text) => (isNumeric(text) ? castToInt(text) : null),
  cast: castToInt,
  signed: readSigned,
  'signed, with blanks': (text) => readSigned(text.trim()),
}

/** A cast cannot fail. A service that refuses or drops its result checks that the id is above 0. */
function castToId(text: string): string | null {
  const id = castToInt(text)
  return id === '0' || id.startsWith('-') ? null : id
}

/** Reads the text of an id. Returns the id, perhaps one that no row can have, or null if it is malformed. */
export function idReader(choice: Dialect['read']): (text: string) => string | null {
  return choice.ids === 'cast' && choice.malformed !== 'unknown' ? castToId : idReaders[choice.ids]
}

/** Ids of rows are canonical and begin at 1. The store would read 007 as 7. */
const keyOfId = (id: string | null) => (id === null || id === '0' || parseId(id) !== id ? null : id)

type ReadKeys = (values: readonly string[]) => readonly (string | null)[]

function keyReader({ read: choice }: Dialect): {
  readonly id: (text: string) => string | null
  readonly usernames: ReadKeys
} {
  const id = idReader(choice)
  const usernames: ReadKeys =
    choice.usernames === 'without blanks at the end'
      ? (values) => values.map((value) => withoutEnd(value, ' ') || null)
      : choice.emptyValues === 'drop'
        ? (values) => values
        : (values) => values.map((value) => value || null)
  return { id, usernames }
}

/** Characters of the longest name that is looked for, if each is percent-encoded. */
const MAX_NAME_LENGTH = 3 * 'Format'.length

/** Reads Event and Format without decoding anything else: a refusal must cost less than a response. */
function refusedReader(findName: ((name: string) => string | undefined) | null, isLast: boolean) {
  return (query: string): { event: string | undefined; format: string | undefined } => {
    let event: string | undefined
    let format: string | undefined
    for (const part of query.split('&')) {
      const equals = part.indexOf('=')
      const length = equals === -1 ? part.length : equals
      if (length === 0 || length > MAX_NAME_LENGTH) continue
      const given = decode(part.slice(0, length))
      const name = findName === null || given === null ? given : findName(given)
      if (name !== 'Event' && name !== 'Format') continue
      const value = decode(part.slice(length + 1))
      if (value === null) continue
      if (name === 'Event') event = isLast ? value : (event ?? value)
      else format = isLast ? value : (format ?? value)
      if (event !== undefined && format !== undefined && !isLast) break
    }
    return { event, format }
  }
}
