// The error in an answer of an old service, where it is one of those that have a word of their own.

import { isDeeper, MAX_JSON_LEVELS } from '../../../json-depth.ts'
import { type Heard, utf8In } from './heard.ts'

interface ErrorIn {
  /** As the service spells it, such as Error. */
  readonly name: string
  readonly code: string | null
  /** For people. */
  readonly text: string
  readonly isObject: boolean
}

/** Longer answers are pages, and no errors. */
export const MAX_ERROR_LENGTH = 10_000

export function errorIn(heard: Heard | null): ErrorIn | null {
  if (heard === null || !heard.isRefusal || heard.text.length > MAX_ERROR_LENGTH) return null
  return errorInJson(heard) ?? errorInXml(heard.text)
}

function errorInJson(heard: Heard): ErrorIn | null {
  const [entry, ...others] = membersOf(parse(utf8In(heard)))
  if (entry === undefined || others.length > 0 || !/^error$/i.test(entry[0])) return null
  const [name, error] = entry
  if (typeof error === 'string') return { name, code: null, text: error, isObject: false }
  const members = new Map(membersOf(error))
  const [code, message] = [members.get('Code'), members.get('Message')]
  if (typeof message !== 'string') return null
  return { name, code: typeof code === 'string' ? code : null, text: message, isObject: true }
}

function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
}

export function parse(text: string): unknown {
  if (isDeeper(text, MAX_JSON_LEVELS)) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function errorInXml(text: string): ErrorIn | null {
  // Only plain words: what is escaped, or in elements of its own, is left to people.
  const [, name = '', message] = /<(Error)>([^<>&\x80-\xff]{1,1000})<\/Error>/i.exec(text) ?? []
  return message === undefined ? null : { name, code: null, text: message, isObject: false }
}

/** Which word means an error that is in XML so, where one does: in a root of any name. */
export function wordInXml(text: string): 'object' | 'text' | null {
  if (text.length > MAX_ERROR_LENGTH) return null
  const [, content = ''] =
    /^(?:<\?xml[^<>]*>)?\s*<\w+>\s*<Error>([\s\S]*)<\/Error>\s*<\/\w+>\s*$/.exec(text) ?? []
  if (/^[^<>]+$/.test(content)) return 'text'
  return /^\s*<Code>[^<>]*<\/Code>\s*<Message>[^<>]*<\/Message>\s*$/.test(content) ? 'object' : null
}
