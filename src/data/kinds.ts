// The kinds of column: how JSON writes one, what it may hold, and in which words that is said.

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
import type { Column } from './relation.ts'

type Kind = Pick<Column, 'type' | 'allowed' | 'parse'>

export const id: Kind = { type: 'integer', allowed: 'an integer from 1 to 2^53-1', parse: parsePositiveId }
export const int32: Kind = { type: 'integer', allowed: 'a 32-bit integer', parse: parseInt32 }
export const int53: Kind = {
  type: 'integer',
  allowed: 'an integer between -(2^53-1) and 2^53-1',
  parse: parseInt53,
}
export const boolean: Kind = { type: 'boolean', allowed: 'true, false, 1 or 0', parse: parseBoolean }
export const text: Kind = { type: 'string', allowed: 'valid Unicode text', parse: parseText }
export const username: Kind = {
  type: 'string',
  allowed: `1 to ${MAX_NAME_LENGTH} characters, none of them a colon or a control character`,
  parse: parseUsername,
}
export const chatId: Kind = {
  type: 'string',
  allowed: `valid Unicode text of up to ${MAX_NAME_LENGTH} characters`,
  parse: parseChatId,
}
export const version: Kind = {
  type: 'string',
  allowed: 'numbers in the form major.minor.patch',
  parse: parseVersion,
}
export const link: Kind = { type: 'string', allowed: 'an absolute http or https URL', parse: parseLink }
