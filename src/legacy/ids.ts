// The text of an id → the id, as old services read it.

import { parseId } from '../model.ts'
import type { Dialect } from './dialect.ts'
import { castToInt, isNumeric } from './php-numbers.ts'

/** Reads the text of an id. Returns the id, perhaps one that no row can have, or null if it is malformed. */
export type ReadId = (text: string) => string | null

/** For each choice of `read.ids` what the error about a malformed id asks for, and the reader. */
const kinds: Readonly<
  Record<Dialect['read']['ids'], readonly [form: (digits: string) => string, read: ReadId]>
> = {
  digits: [(digits) => digits, readDigits],
  exact: [(digits) => digits, (text) => (readDigits(text) === null ? null : text)],
  'no leading zeros': [(digits) => `${digits}, without leading zeros`, readPlain],
  'from 1': [
    (digits) => `${digits}, from 1 on and without leading zeros`,
    (text) => (text === '0' ? null : readPlain(text)),
  ],
  numeric: [() => 'a number', (text) => (isNumeric(text) ? castToInt(text) : null)],
  cast: [() => 'a text that starts with a number from 1 on', castToInt],
  signed: [() => 'an integer', readSigned],
  'signed, with blanks': [() => 'an integer', (text) => readSigned(text.trim())],
}

function readDigits(text: string): string | null {
  return parseId(text) ?? (/^\d+$/.test(text) ? withoutZeros(text) : null)
}

function readPlain(text: string): string | null {
  return readDigits(text) === text ? text : null
}

const withoutZeros = (digits: string) => digits.replace(/^0+(?=\d)/, '')

/** Ids of fewer digits are within every limit. */
const LEAST_LIMITED_DIGITS = 10

function isLarger(id: string, largest: Dialect['read']['largestId']): boolean {
  if (id.length < LEAST_LIMITED_DIGITS || largest === 'none') return false
  const digits = withoutZeros(id.replace('-', ''))
  return digits.length > largest.length || (digits.length === largest.length && digits > largest)
}

/** What Go, Java, Python and C# read as an integer. */
function readSigned(text: string): string | null {
  if (!/^[+-]?\d+$/.test(text)) return null
  const digits = withoutZeros(text.replace(/^[+-]/, ''))
  return text.startsWith('-') && digits !== '0' ? `-${digits}` : digits
}

/** A cast cannot fail. A service that refuses or drops its result checks that the id is above 0. */
function castToId(text: string): string | null {
  const id = castToInt(text)
  return id === '0' || id.startsWith('-') ? null : id
}

export function idReader({ ids, malformed, largestId }: Dialect['read']): ReadId {
  // A number of any length can be cast.
  if (ids === 'cast') return malformed === 'unknown' ? castToInt : castToId
  // The same as below, and faster: what nearly every gateway does.
  if (ids === 'digits' && largestId === '9007199254740991') return parseId
  const [, read] = kinds[ids]
  if (ids === 'numeric') return read
  return (text) => {
    const id = read(text)
    return id === null || isLarger(id, largestId) ? null : id
  }
}

export function idForm({ ids, largestId }: Dialect['read']): string {
  return kinds[ids][0](largestId === 'none' ? 'digits only' : `digits only, up to ${largestId}`)
}

/** The key of an id in the store, which has canonical ids from 1 on and would read 007 as 7. */
export const keyOfId = (id: string | null): string | null =>
  id === null || id === '0' || parseId(id) !== id ? null : id
