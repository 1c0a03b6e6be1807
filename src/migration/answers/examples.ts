// Examples of what differs, for reports. A text is cut before anything else is done with it: an answer may be
// one long text.

import { shortened } from '../shortened.ts'
import { isFields, type Meaning, type Said, type Value } from './meaning.ts'

/** Characters of an example, and the names or fields that it lists at most. */
const LONGEST = 200
const MOST_LISTED = 50

/** Characters of a field's name. */
const LONGEST_NAME = 64

export function exampleOf(text: string): string {
  return cut(text, LONGEST)
}

export function nameOf(field: string): string {
  return cut(field, LONGEST_NAME)
}

function cut(text: string, length: number): string {
  return shortened(startOf(text).replaceAll('\0', ' ').toWellFormed(), length)
}

/** As much of a text as an example holds, and one character more where there is more. */
export function startOf(text: string): string {
  return text.slice(0, LONGEST + 1)
}

export function namesOf(names: readonly string[]): string {
  return names.slice(0, MOST_LISTED).map(startOf).join(' ')
}

/** An answer in a few words. */
export function sketchOf(meaning: Meaning): string {
  if (meaning.kind === 'unreadable') return `unreadable: ${meaning.reason}`
  if (meaning.kind === 'refusal') return `refused, status ${meaning.status}: ${startOf(meaning.text.trim())}`
  const { size } = meaning.entries
  return `answered, ${size} ${size === 1 ? 'entry' : 'entries'}`
}

/** What is said of one identifier. */
export function saidOf(said: Said): string {
  if (!isFields(said)) return said.type === 'string' ? JSON.stringify(startOf(said.text)) : startOf(said.text)
  const fields = said.slice(0, MOST_LISTED).map(([name, { text }]) => `${startOf(name)}=${startOf(text)}`)
  return fields.length === 0 ? '{}' : fields.join(', ')
}

/** A value and its type. */
export function typedOf({ type, text }: Value): string {
  return `${startOf(text)} (${type})`
}
