// Readers of single cells: the value, or `undefined` where the text is not allowed.

import { parseId } from '../model.ts'

const integerText = /^-?\d{1,16}$/

function parseIntegerWithin(text: string, limit: number): number | undefined {
  if (!integerText.test(text)) return undefined
  const value = Number(text)
  // Adding 0 turns -0 into 0.
  return value >= -limit && value <= limit ? value + 0 : undefined
}

/** 32 bits, because GraphQL's Int has no more. */
export function parseInt32(text: string): number | undefined {
  return text === '-2147483648' ? -2147483648 : parseIntegerWithin(text, 2 ** 31 - 1)
}

export function parseInt53(text: string): number | undefined {
  return parseIntegerWithin(text, Number.MAX_SAFE_INTEGER)
}

export function parsePositiveId(text: string): number | undefined {
  const id = Number(parseId(text) ?? 0)
  return id > 0 ? id : undefined
}

export function parseBoolean(text: string): 0 | 1 | undefined {
  if (text === 'true' || text === '1') return 1
  return text === 'false' || text === '0' ? 0 : undefined
}

/** Any Unicode text; NUL and lone surrogates are none. */
export function parseText(text: string): string | undefined {
  return text.includes('\0') || !text.isWellFormed() ? undefined : text
}

const colonOrControl = /[:\p{Cc}]/u

/** A colon would split the name in a legacy list, and a control character could not be typed. */
export function parseUsername(text: string): string | undefined {
  return text === '' || colonOrControl.test(text) || !text.isWellFormed() ? undefined : text
}

export function parseVersion(text: string): string | undefined {
  return /^\d+\.\d+\.\d+$/.test(text) ? text : undefined
}

export function parseLink(text: string): string | undefined {
  return /^https?:\/\/[^\s\p{Cc}]+$/iu.test(text) && text.isWellFormed() && URL.canParse(text)
    ? text
    : undefined
}
