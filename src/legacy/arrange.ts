// Rows → the entries of a response: their names, their order, and which of them come once.

import type { Dialect, Format } from './dialect.ts'
import type { Entries } from './entries.ts'
import type { Row, Rows } from './events.ts'
import { idReader, type ReadId } from './ids.ts'
import { compareNumbers, isNumeric } from './php-numbers.ts'
import type { LegacyRequest } from './request.ts'
import { lowerAscii } from './text.ts'

export type Arrange = (request: LegacyRequest, rows: Rows) => Entries

export function arrangerOf({ read, entries, missing }: Dialect, format: Format): Arrange {
  const areNamesAsked = entries.ids === 'asked' && entries.usernames === 'asked' && entries.chats === 'asked'
  const isOnceByEntry = read.repeatedValues === 'once by entry'
  // An array of PHP has each name once. Names can repeat only if values or names do.
  const areNamesUnique = read.repeatedValues === 'once' && areNamesAsked
  const sorters = { users: sorterOf(entries.users), apps: sorterOf(entries.apps) }
  const nameOf = namerOf(entries, idReader(read))

  return (request, rows) => {
    const { values, keys, event } = request
    const sort = sorters[event.subject]
    if (sort === null && areNamesUnique) return { names: values, rows }
    const given = values.map((value, at): Entry => {
      const [row, key] = [rows[at] ?? null, keys[at] ?? null]
      return { name: nameOf(request, value, key, row), row, key }
    })
    const isMissingNeeded = missing[event.subject][format] !== null || read.missing === 'refuse'
    // An entry that is left out must not stand for one of the same name, nor between others for ksort().
    const written = isMissingNeeded ? given : given.filter(({ row }) => row !== null)
    const all = sort === null ? written : sort(written)
    if (areNamesUnique || (format === 'xml' && !isOnceByEntry)) return entriesOf(all)
    return entriesOf(isOnceByEntry ? onceEach(all) : lastOfEach(all))
  }
}

interface Entry {
  readonly name: string
  readonly row: Row | null
  readonly key: string | null
}

function entriesOf(all: readonly Entry[]): Entries {
  return { names: all.map(({ name }) => name), rows: all.map(({ row }) => row) }
}

type NameOf = (request: LegacyRequest, value: string, key: string | null, row: Row | null) => string

function namerOf({ ids, usernames, chats }: Dialect['entries'], readId: ReadId): NameOf {
  return ({ method, event }, value, key, row) => {
    if (method === 'USERNAME') return namers[usernames](value, row)
    if (method === 'CHAT') return namers[chats](value, row)
    if (ids === 'asked' || method === null) return value
    // Apps have no usernames.
    if (ids === 'username' && event.subject === 'apps') return value
    return ids === 'username' && row !== null ? String(row.username) : (key ?? readId(value) ?? value)
  }
}

const namers: Readonly<
  Record<Dialect['entries']['chats' | 'usernames'], (value: string, row: Row | null) => string>
> = {
  asked: (value) => value,
  stored: (value, row) => String(row?.username ?? value),
  lower: (value) => lowerAscii(value),
  id: (value, row) => String(row?.id ?? value),
  username: (value, row) => String(row?.username ?? value),
}

type Sort = (entries: readonly Entry[]) => Entry[]

/** Missing entries come last, except in an order by name. */
function sorterOf(order: Dialect['entries']['users' | 'apps']): Sort | null {
  if (order === 'asked') return null
  if (order === 'name') return byName(compareBytes)
  if (order === 'name as number') return byName(compareKeys)
  if (order === 'as in JavaScript') return sortAsInJavaScript
  const [source = '', ...words] = order.split(/,? /)
  const sign = words.includes('desc') ? -1 : 1
  const isPadded = words.includes('accents')
  const fold = words.includes('case') ? lowerAscii : isPadded ? withoutAccents : String
  const idOf = ({ row, key }: Entry) => Number(row?.id ?? key)
  const keyOf = (entry: Entry) => {
    const value = source === 'id' ? idOf(entry) : entry.row?.[source]
    return typeof value === 'string' ? fold(value) : (value ?? '')
  }
  return (entries) => {
    // To fold a text takes longer than to compare it, so each text is folded once.
    const keyed = entries.map((entry) => ({ entry, key: keyOf(entry), id: idOf(entry) }))
    keyed.sort((one, other) => {
      const [isMissing, isOtherMissing] = [one.entry.row === null, other.entry.row === null]
      if (isMissing || isOtherMissing) return Number(isMissing) - Number(isOtherMissing)
      const compared = isPadded
        ? comparePadded(String(one.key), String(other.key))
        : compare(one.key, other.key)
      return sign * compared || one.id - other.id
    })
    return keyed.map(({ entry }) => entry)
  }
}

/** JSON of a map of Go is sorted by name; an object of JavaScript has its array indexes first. */
export function memberSorter(order: Dialect['json']['entries']): (entries: Entries) => Entries {
  if (order === 'in order') return (entries) => entries
  const sort = order === 'by name' ? byName(compareBytes) : sortAsInJavaScript
  return ({ names, rows }) =>
    entriesOf(sort(names.map((name, at) => ({ name, row: rows[at] ?? null, key: null }))))
}

function byName(compare: (one: string, other: string) => number): Sort {
  return (entries) => entries.toSorted((one, other) => compare(one.name, other.name))
}

/** MySQL's utf8_general_ci: capital letters without accents; all beyond U+FFFF is one character to it. */
function withoutAccents(text: string): string {
  return /^[\0-\x7f]*$/.test(text) ? text.toUpperCase() : Array.from(text, generalLetter).join('')
}

function generalLetter(letter: string): string {
  if (letter.length > 1) return '\ufffd'
  const upper = letter.toUpperCase()
  // Latin, Greek and Cyrillic letters lose their accents, but for one that is a letter of its own.
  const isAccented = letter < '\u0530' || (letter >= '\u1e00' && letter < '\u2000')
  if (isAccented && upper !== 'Й') return upper.normalize('NFD').charAt(0)
  return upper.length === 1 ? upper : letter
}

/** Blanks at the end do not count. */
function comparePadded(one: string, other: string): number {
  const length = Math.max(one.length, other.length)
  return compareBytes(one.padEnd(length), other.padEnd(length))
}

function compare<T extends string | number | boolean>(one: T, other: T): number {
  if (typeof one === 'string' && typeof other === 'string') return compareBytes(one, other)
  return one < other ? -1 : one > other ? 1 : 0
}

/** Compares texts by their bytes in UTF-8, as PHP does: halves of surrogate pairs come after U+FFFF. */
function compareBytes(one: string, other: string): number {
  const most = Math.min(one.length, other.length)
  for (let at = 0; at < most; at++) {
    const difference = weightOf(one.charCodeAt(at)) - weightOf(other.charCodeAt(at))
    if (difference !== 0) return difference
  }
  return one.length - other.length
}

const weightOf = (unit: number) => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit)

/** PHP's ksort(): two numbers are compared as numbers, all else as texts. */
function compareKeys(one: string, other: string): number {
  if (!isNumeric(one) || !isNumeric(other)) return compare(one, other)
  return compareNumbers(one, other) ?? compare(one, other)
}

/** An object of JavaScript has its array indexes first, in ascending order, then the other names. */
function sortAsInJavaScript(entries: readonly Entry[]): Entry[] {
  const indexed = entries.map((entry) => ({ entry, index: indexOf(entry.name) }))
  return indexed.sort((one, other) => one.index - other.index).map(({ entry }) => entry)
}

function indexOf(name: string): number {
  return /^(?:0|[1-9]\d{0,9})$/.test(name) && Number(name) < 2 ** 32 - 1 ? Number(name) : 2 ** 32
}

function onceEach(entries: readonly Entry[]): Entry[] {
  const names = new Set<string>()
  return entries.filter(({ name }) => !names.has(name) && names.add(name))
}

/** An array of PHP keeps a name at its first place, with the value that was assigned last. */
function lastOfEach(entries: readonly Entry[]): Entry[] {
  const byName = new Map<string, Entry>()
  for (const entry of entries) byName.set(entry.name, entry)
  return [...byName.values()]
}
