// The kinds of field. A kind says which texts a file may have, and which values of a store can be sent.

import { MAX_NAME_LENGTH, parseId } from '../model.ts'
import { count } from '../text.ts'

/** A cell as the stores have it; booleans are 0 or 1. */
export type Cell = string | number | null

/** A kind of field. A response has its values as `Value`. */
export interface FieldKind<Value> {
  /** Its type in JSON. */
  readonly type: 'integer' | 'string' | 'boolean'
  /** The limit of a text in UTF-16 units, for imports, stores, tables and contracts. */
  readonly maxLength?: number
  /** Completes the sentence "it must be ...". */
  readonly allowed: string
  /** Reads a text of a file. Returns undefined if the text is not allowed. */
  readonly parse: (text: string) => Cell | undefined
  /** Reads a value of a store. Returns undefined if no response can carry the value. */
  readonly read: (stored: unknown) => Value | undefined
}

// A view may have NULL. An integer may be a bigint, or NaN if it is too large. SQLite stores any value in any
// column: a text or a BLOB must not become a number, and 'false' must not become true.

function numberOf(stored: unknown): number {
  if (typeof stored === 'number') return stored
  return typeof stored === 'bigint' || stored === null ? Number(stored) : Number.NaN
}

const integerText = /^-?\d{1,16}$/

function parseInteger(text: string, min: number, max: number): number | undefined {
  if (!integerText.test(text)) return undefined
  // Adding 0 turns -0 into 0.
  const number = Number(text) + 0
  return number >= min && number <= max ? number : undefined
}

export const int32: FieldKind<number> = {
  type: 'integer',
  allowed: 'a 32-bit integer',
  parse: (text) => parseInteger(text, -(2 ** 31), 2 ** 31 - 1),
  read: (stored) => {
    const number = numberOf(stored)
    return (number | 0) === number ? number : undefined
  },
}

function readInt53(stored: unknown): number | undefined {
  const number = numberOf(stored)
  return Number.isSafeInteger(number) ? number : undefined
}

export const int53: FieldKind<number> = {
  type: 'integer',
  allowed: 'an integer between -(2^53-1) and 2^53-1',
  parse: (text) => parseInteger(text, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  read: readInt53,
}

export const id: FieldKind<number> = {
  type: 'integer',
  allowed: 'an integer from 1 to 2^53-1',
  parse: (text) => Number(parseId(text) ?? 0) || undefined,
  read: readInt53,
}

/** The words of spreadsheets and databases, in lower case. */
const booleans = new Map<string, 0 | 1>([
  ...['true', 't', 'yes', 'y', '1'].map((word) => [word, 1] as const),
  ...['false', 'f', 'no', 'n', '0'].map((word) => [word, 0] as const),
])

export const boolean: FieldKind<boolean> = {
  type: 'boolean',
  allowed: 'true, false, 1 or 0',
  parse: (text) => booleans.get(text) ?? booleans.get(text.toLowerCase()),
  read: (stored) => {
    if (typeof stored === 'boolean') return stored
    if (typeof stored === 'number' || typeof stored === 'bigint') return Boolean(stored)
    return stored === null ? false : undefined
  },
}

/** @param isAllowed tests a text that is short enough and valid Unicode without NUL */
function textOf(maxLength: number, allowed: string, isAllowed: (text: string) => boolean): FieldKind<string> {
  return {
    type: 'string',
    maxLength,
    allowed,
    parse: (text) =>
      text.length <= maxLength && text.isWellFormed() && !text.includes('\0') && isAllowed(text)
        ? text
        : undefined,
    read: (stored) => {
      if (typeof stored === 'string') return stored.length > maxLength ? undefined : stored
      return stored === null ? '' : undefined
    },
  }
}

/** A request may repeat a row hundreds of times, so the length of a text is memory of the process. */
const MAX_TEXT_LENGTH = 1_000
/** Browsers and proxies accept URLs of this length. No text may be longer: response-size.ts relies on it. */
export const MAX_LINK_LENGTH = 2_048

const upTo = (maxLength: number) => `of up to ${count(maxLength)} characters`

export const text = textOf(MAX_TEXT_LENGTH, `valid Unicode text ${upTo(MAX_TEXT_LENGTH)}`, () => true)

export const chatId = textOf(MAX_NAME_LENGTH, `valid Unicode text ${upTo(MAX_NAME_LENGTH)}`, () => true)

// A colon would split the name in a legacy list. Nobody can type a control character.
export const username = textOf(
  MAX_NAME_LENGTH,
  `1 to ${MAX_NAME_LENGTH} characters, none of them a colon or a control character`,
  (name) => name !== '' && !/[:\p{Cc}]/u.test(name),
)

export const version = textOf(MAX_TEXT_LENGTH, 'numbers in the form major.minor.patch', (number) =>
  /^\d+\.\d+\.\d+$/.test(number),
)

export const link = textOf(
  MAX_LINK_LENGTH,
  `an absolute http or https URL ${upTo(MAX_LINK_LENGTH)}`,
  (url) => /^https?:\/\/[^\s\p{Cc}]+$/iu.test(url) && URL.canParse(url),
)
