// Sorts entries by their names, as PHP, Go and JavaScript do, or by a column, as databases do.

import type { Dialect } from './dialect.ts'
import type { ResponseEntries } from './entries.ts'
import type { SchemaRow } from './events.ts'
import { compareNumbers, isNumeric } from './php-numbers.ts'
import { lowerAscii } from './text.ts'

export interface SortEntry {
  readonly name: string
  readonly row: SchemaRow | null
  readonly key: string | null
}

export function entriesOf(all: readonly SortEntry[]): ResponseEntries {
  return { names: all.map(({ name }) => name), rows: all.map(({ row }) => row) }
}

type SortEntries = (entries: readonly SortEntry[]) => SortEntry[]

/** Missing entries come last, except in an order by name. */
export function sorterOf(order: Dialect['entries']['users' | 'apps']): SortEntries | null {
  if (order === 'asked') return null
  if (order === 'name') return byName(compareBytes)
  if (order === 'name as number') return byName(compareKeys)
  if (order === 'as in JavaScript') return sortAsInJavaScript
  const [source = '', ...words] = order.split(/,? /)
  const sign = words.includes('desc') ? -1 : 1
  const isPadded = words.includes('accents')
  const fold = words.includes('case') ? lowerAscii : isPadded ? withoutAccents : String
  const idOf = ({ row, key }: SortEntry) => Number(row?.id ?? key)
  const keyOf = (entry: SortEntry) => {
    const value = source === 'id' ? idOf(entry) : entry.row?.[source]
    return typeof value === 'string' ? fold(value) : (value ?? '')
  }
  return (entries) => {
    // Fold each text once: folding takes longer than comparing.
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

/** Go sorts the members of a map by name; an object of JavaScript has its array indexes first. */
export function memberSorter(
  order: Dialect['json']['entries'],
): (entries: ResponseEntries) => ResponseEntries {
  if (order === 'in order') return (entries) => entries
  const sort = order === 'by name' ? byName(compareBytes) : sortAsInJavaScript
  return ({ names, rows }) =>
    entriesOf(sort(names.map((name, at) => ({ name, row: rows[at] ?? null, key: null }))))
}

function byName(compare: (one: string, other: string) => number): SortEntries {
  return (entries) => entries.toSorted((one, other) => compare(one.name, other.name))
}

/** MySQL's utf8_general_ci: capital letters without accents. Characters beyond U+FFFF are all equal. */
function withoutAccents(text: string): string {
  return /^[\0-\x7f]*$/.test(text) ? text.toUpperCase() : Array.from(text, generalLetter).join('')
}

function generalLetter(letter: string): string {
  if (letter.length > 1) return '\ufffd'
  const upper = letter.toUpperCase()
  // Latin, Greek and Cyrillic letters lose their accents, except this letter of the Russian alphabet.
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
  const compared = isNumeric(one) && isNumeric(other) ? compareNumbers(one, other) : null
  return compared ?? compareBytes(one, other)
}

/** An object of JavaScript has its array indexes first, in ascending order, then the other names. */
function sortAsInJavaScript(entries: readonly SortEntry[]): SortEntry[] {
  const indexed = entries.map((entry) => ({ entry, index: indexOf(entry.name) }))
  return indexed.sort((one, other) => one.index - other.index).map(({ entry }) => entry)
}

function indexOf(name: string): number {
  return /^(?:0|[1-9]\d{0,9})$/.test(name) && Number(name) < 2 ** 32 - 1 ? Number(name) : 2 ** 32
}
