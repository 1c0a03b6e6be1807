// The error in an answer of an old service, where a program can tell it.

import type { Heard } from './heard.ts'

interface ErrorIn {
  /** As the service spells it, such as Error. */
  readonly name: string
  /** For people. */
  readonly text: string
  readonly isObject: boolean
  readonly hasCode: boolean
}

/** Longer answers are pages, and no errors. */
const MAX_LENGTH = 10_000

export function errorIn(heard: Heard | null): ErrorIn | null {
  if (heard === null || !heard.isRefusal || heard.text.length > MAX_LENGTH) return null
  return errorInJson(heard.text) ?? errorInXml(heard.text)
}

function errorInJson(text: string): ErrorIn | null {
  const [entry, ...others] = membersOf(parse(text))
  if (entry === undefined || others.length > 0 || !/^error$/i.test(entry[0])) return null
  const [name, error] = entry
  if (typeof error === 'string') return { name, text: error, isObject: false, hasCode: false }
  const members = new Map(membersOf(error))
  const message = members.get('Message')
  if (typeof message !== 'string') return null
  return { name, text: message, isObject: true, hasCode: members.has('Code') }
}

function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
}

function parse(text: string): unknown {
  try {
    // The text has a character for each byte.
    return JSON.parse(decodeURIComponent(escapeBytes(text)))
  } catch {
    return null
  }
}

const escapeBytes = (text: string) =>
  text.replace(/[%\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)

function errorInXml(text: string): ErrorIn | null {
  // Only plain words: what is escaped, or in elements of its own, is left to people.
  const [, name = '', message] = /<(Error)>([^<>&\x80-\xff]{1,1000})<\/Error>/i.exec(text) ?? []
  return message === undefined ? null : { name, text: message, isObject: false, hasCode: false }
}
