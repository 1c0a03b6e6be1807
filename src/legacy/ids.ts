// The text of an id → the id, as old services read it.

import { parseId } from '../model.ts'
import type { Dialect } from './dialect.ts'
import { castToInt, isNumeric } from './php-numbers.ts'

/** Reads the text of an id. Returns the id, perhaps one that no row can have, or null if it is malformed. */
export type ReadId = (text: string) => string | null

const DIGITS = 'digits only, up to 9007199254740991'

/** For each choice of `read.ids` what the error about a malformed id asks for, and the reader. */
const kinds: Readonly<Record<Dialect['read']['ids'], readonly [form: string, read: ReadId]>> = {
  digits: [DIGITS, parseId],
  exact: [DIGITS, (text) => (parseId(text) === null ? null : text)],
  'no leading zeros': [`${DIGITS}, without leading zeros`, readCanonical],
  'from 1': [
    `${DIGITS}, from 1 on and without leading zeros`,
    (text) => (text === '0' ? null : readCanonical(text)),
  ],
  numeric: ['a number', (text) => (isNumeric(text) ? castToInt(text) : null)],
  cast: ['a text that starts with a number from 1 on', castToInt],
  signed: ['an integer', readSigned],
  'signed, with blanks': ['an integer', (text) => readSigned(text.trim())],
}

function readCanonical(text: string): string | null {
  return parseId(text) === text ? text : null
}

/** What Go, Java, Python and C# read as an integer. */
function readSigned(text: string): string | null {
  if (!/^[+-]?\d+$/.test(text)) return null
  const digits = text.replace(/^[+-]?0*(?=\d)/, '')
  return text.startsWith('-') && digits !== '0' ? `-${digits}` : digits
}

/** A cast cannot fail. A service that refuses or drops its result checks that the id is above 0. */
function castToId(text: string): string | null {
  const id = castToInt(text)
  return id === '0' || id.startsWith('-') ? null : id
}

export function idReader({ ids, malformed }: Dialect['read']): ReadId {
  return ids === 'cast' && malformed !== 'unknown' ? castToId : kinds[ids][1]
}

export const idForm = ({ ids }: Dialect['read']): string => kinds[ids][0]

/** The key of an id in the store, which has canonical ids from 1 on and would read 007 as 7. */
export const keyOfId = (id: string | null): string | null =>
  id === null || id === '0' ? null : readCanonical(id)
