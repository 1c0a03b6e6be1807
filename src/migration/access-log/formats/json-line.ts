// A line of JSON, as texts with one character for each byte.

import { isUtf8 } from 'node:buffer'
import { isDeeper, isObject } from '../../../json.ts'

/** Levels of objects in a line; servers write four. */
const MAX_LEVELS = 8
/** Members of an object that are looked at. */
const MAX_MEMBERS = 200

interface JsonLine {
  readonly value: Readonly<Record<string, unknown>>
  /** A text of it, or a number as one. */
  readonly textOf: (value: unknown) => string
}

/** @returns `null` for what is no object */
export function parseJsonLine(line: string): JsonLine | null {
  if (!line.startsWith('{') || isDeeper(line, MAX_LEVELS)) return null
  const bytes = /[\x80-\xff]/.test(line) ? Buffer.from(line, 'latin1') : null
  // Servers pass on the bytes of a client that are not UTF-8, in a text that should be.
  const isText = bytes === null || isUtf8(bytes)
  const text = bytes !== null && isText ? bytes.toString('utf8') : line
  const value = parse(text)
  return isObject(value) ? { value, textOf: isText ? bytesOf : plainText } : null
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function plainText(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : ''
  return text === '-' ? '' : text
}

function bytesOf(value: unknown): string {
  const text = plainText(value)
  return /[^\0-\x7f]/.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text
}

/**
 * Calls with each member that is a text or a number, by its path: `request.headers.User-Agent`. Of a list, it
 * is the first.
 */
export function eachMember(
  object: Readonly<Record<string, unknown>>,
  visit: (path: string, value: unknown) => void,
  path = '',
): void {
  let left = MAX_MEMBERS
  for (const name in object) {
    if (left-- === 0) return
    const member = object[name]
    const value = Array.isArray(member) ? member[0] : member
    if (isObject(value)) eachMember(value, visit, `${path}${name}.`)
    else visit(path === '' ? name : path + name, value)
  }
}
