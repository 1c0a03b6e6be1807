// The kinds of field: what one may hold, in which words that is said, and how stores keep it.

import { MAX_NAME_LENGTH } from '../model.ts'
import { count } from '../text.ts'
import {
  parseBoolean,
  parseInt32,
  parseInt53,
  parseLink,
  parsePositiveId,
  parseText,
  parseUsername,
  parseVersion,
} from './parsers.ts'
import { readBoolean, readInt32, readInt53, readText } from './readers.ts'

/** A cell as the stores keep it; booleans are 0 or 1. */
export type Cell = string | number | null

/** A kind of field, whose values answers hold as `Value`. */
export interface Kind<Value> {
  /** How JSON writes it. */
  readonly type: 'integer' | 'string' | 'boolean'
  /** Of an integer; 32 fit GraphQL's Int. */
  readonly bits?: 32 | 53
  /** Of a text: UTF-16 units. */
  readonly maxLength?: number
  readonly allowed: string
  /** Reads a text from a file; `undefined` where it is not allowed. */
  readonly parse: (text: string) => Cell | undefined
  /** Reads what a store has; `undefined` where no answer can carry it. */
  readonly read: (stored: unknown) => Value | undefined
}

export const id: Kind<number> = {
  type: 'integer',
  bits: 53,
  allowed: 'an integer from 1 to 2^53-1',
  parse: parsePositiveId,
  read: readInt53,
}
export const int32: Kind<number> = {
  type: 'integer',
  bits: 32,
  allowed: 'a 32-bit integer',
  parse: parseInt32,
  read: readInt32,
}
export const int53: Kind<number> = {
  type: 'integer',
  bits: 53,
  allowed: 'an integer between -(2^53-1) and 2^53-1',
  parse: parseInt53,
  read: readInt53,
}
export const boolean: Kind<boolean> = {
  type: 'boolean',
  allowed: 'true, false, 1 or 0',
  parse: parseBoolean,
  read: readBoolean,
}
/** Declares a kind of text; imports, tables, stores and the published contracts take its length from here. */
function textOf(
  maxLength: number,
  allowed: string,
  parse: (text: string) => string | undefined,
): Kind<string> {
  return {
    type: 'string',
    maxLength,
    allowed,
    parse: (text) => (text.length > maxLength ? undefined : parse(text)),
    read: (stored) => readText(stored, maxLength),
  }
}

/** Long enough for any name. A request may repeat a row hundreds of times, so that length is memory. */
const MAX_TEXT_LENGTH = 1_000
/** What browsers and proxies take as a URL. */
const MAX_LINK_LENGTH = 2_048

const upTo = (maxLength: number) => `of up to ${count(maxLength)} characters`

export const text = textOf(MAX_TEXT_LENGTH, `valid Unicode text ${upTo(MAX_TEXT_LENGTH)}`, parseText)
export const username = textOf(
  MAX_NAME_LENGTH,
  `1 to ${MAX_NAME_LENGTH} characters, none of them a colon or a control character`,
  parseUsername,
)
export const chatId = textOf(MAX_NAME_LENGTH, `valid Unicode text ${upTo(MAX_NAME_LENGTH)}`, parseText)
export const version = textOf(MAX_TEXT_LENGTH, 'numbers in the form major.minor.patch', parseVersion)
export const link = textOf(
  MAX_LINK_LENGTH,
  `an absolute http or https URL ${upTo(MAX_LINK_LENGTH)}`,
  parseLink,
)
