// The kinds of field: what one may hold, in which words that is said, and how stores keep it.

import { MAX_NAME_LENGTH } from '../model.ts'
import {
  parseBoolean,
  parseChatId,
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
  /** Characters that a store's table takes. */
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
const string = { type: 'string', read: readText } as const
export const text: Kind<string> = { ...string, allowed: 'valid Unicode text', parse: parseText }
export const username: Kind<string> = {
  ...string,
  maxLength: MAX_NAME_LENGTH,
  allowed: `1 to ${MAX_NAME_LENGTH} characters, none of them a colon or a control character`,
  parse: parseUsername,
}
export const chatId: Kind<string> = {
  ...string,
  maxLength: MAX_NAME_LENGTH,
  allowed: `valid Unicode text of up to ${MAX_NAME_LENGTH} characters`,
  parse: parseChatId,
}
export const version: Kind<string> = {
  ...string,
  allowed: 'numbers in the form major.minor.patch',
  parse: parseVersion,
}
export const link: Kind<string> = { ...string, allowed: 'an absolute http or https URL', parse: parseLink }
