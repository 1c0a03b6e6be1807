// How old services read the text of an id: the dialect decides which texts are the same id, which are an
// unknown id, and which are an error.

import { parseId } from '../model.ts'
import type { Dialect } from './dialect.ts'
import { castToInt, isNumeric } from './php-numbers.ts'

/** Returns the id in a text, perhaps an id that no row can have; null if the text is malformed. */
export type ReadId = (text: string) => string | null

interface IdKind {
  /** The form of an id in the error about a malformed id. */
  readonly form: (digits: string) => string
  readonly parse: ReadId
}

const kinds: Readonly<Record<Dialect['read']['ids'], IdKind>> = {
  digits: { form: (digits) => digits, parse: parseDigits },
  // 007 stays as it is, and then matches nothing.
  exact: { form: (digits) => digits, parse: (text) => (parseDigits(text) === null ? null : text) },
  'no leading zeros': { form: (digits) => `${digits}, without leading zeros`, parse: parseCanonical },
  'from 1': {
    form: (digits) => `${digits}, from 1 on and without leading zeros`,
    parse: (text) => (text === '0' ? null : parseCanonical(text)),
  },
  numeric: { form: () => 'a number', parse: (text) => (isNumeric(text) ? castToInt(text) : null) },
  cast: { form: () => 'a text that starts with a number from 1 on', parse: castToInt },
  signed: { form: () => 'an integer', parse: parseSigned },
  'signed, with blanks': { form: () => 'an integer', parse: (text) => parseSigned(text.trim()) },
}

export function idReader({ ids, malformed, largestId }: Dialect['read']): ReadId {
  const { parse } = kinds[ids]
  // A cast makes 64 bits of any number, so no id is too large.
  if (ids === 'numeric') return parse
  if (ids === 'cast') return malformed === 'unknown' ? parse : castToId
  // The default: the same as below, and faster.
  if (ids === 'digits' && largestId === '9007199254740991') return parseId
  return (text) => {
    const id = parse(text)
    return id === null || isLarger(id, largestId) ? null : id
  }
}

export function idForm({ ids, largestId }: Dialect['read']): string {
  return kinds[ids].form(largestId === 'none' ? 'digits only' : `digits only, up to ${largestId}`)
}

/** The key of an id in the store; null finds nothing. The store itself would read 007 as 7. */
export const keyOfId = (id: string | null): string | null =>
  id === null || id === '0' || parseId(id) !== id ? null : id

function parseDigits(text: string): string | null {
  return parseId(text) ?? (/^\d+$/.test(text) ? withoutZeros(text) : null)
}

function parseCanonical(text: string): string | null {
  return parseDigits(text) === text ? text : null
}

const withoutZeros = (digits: string) => digits.replace(/^0+(?=\d)/, '')

/** Digits of the smallest limit, 2147483647: shorter ids are within all of them. */
const MIN_LIMITED_DIGITS = 10

function isLarger(id: string, largest: Dialect['read']['largestId']): boolean {
  if (id.length < MIN_LIMITED_DIGITS || largest === 'none') return false
  const digits = withoutZeros(id.replace('-', ''))
  return digits.length > largest.length || (digits.length === largest.length && digits > largest)
}

/** Reads an integer as Go, Java, Python and C# do. */
function parseSigned(text: string): string | null {
  if (!/^[+-]?\d+$/.test(text)) return null
  const digits = withoutZeros(text.replace(/^[+-]/, ''))
  return text.startsWith('-') && digits !== '0' ? `-${digits}` : digits
}

/**
 * PHP casts abc to 0. A service that refuses or drops malformed ids checks the result of the cast; any other
 * service finds no row for 0.
 */
function castToId(text: string): string | null {
  const id = castToInt(text)
  return id === '0' || id.startsWith('-') ? null : id
}
