// Examples of what differs, for reports. A text is cut before anything else is done with it: an answer may be
// one long text.

import { counted, shorten } from '../../text.ts'
import { type Entry, isFields, type Meaning, type Value } from './meaning.ts'

/** Characters of an example, and the names or fields that it lists at most. */
const MAX_EXAMPLE_LENGTH = 200
const MAX_LISTED = 50

/** Characters of a field's name. */
const MAX_NAME_LENGTH = 64

export function exampleOf(text: string): string {
  return cut(text, MAX_EXAMPLE_LENGTH)
}

export function nameOf(field: string): string {
  return cut(field, MAX_NAME_LENGTH)
}

function cut(text: string, length: number): string {
  return shorten(startOf(text).replaceAll('\0', ' ').toWellFormed(), length)
}

/** As much of a text as an example holds, and one character more where there is more. */
export function startOf(text: string): string {
  return text.slice(0, MAX_EXAMPLE_LENGTH + 1)
}

export function namesOf(names: readonly string[]): string {
  return names.slice(0, MAX_LISTED).map(startOf).join(' ')
}

/** An answer in a few words. */
export function sketchOf(meaning: Meaning): string {
  if (meaning.kind === 'unreadable') return `unreadable: ${meaning.reason}`
  if (meaning.kind === 'refusal') return `refused, status ${meaning.status}: ${startOf(meaning.text.trim())}`
  const { size } = meaning.entries
  return `answered, ${counted(size, 'entry', 'entries')}`
}

/** What is said of one identifier. */
export function saidOf(said: Entry): string {
  if (!isFields(said)) return said.type === 'string' ? JSON.stringify(startOf(said.text)) : startOf(said.text)
  const fields = said.slice(0, MAX_LISTED).map(([name, { text }]) => `${startOf(name)}=${startOf(text)}`)
  return fields.length === 0 ? '{}' : fields.join(', ')
}

/** A value and its type. */
export function typedOf({ type, text }: Value): string {
  return `${startOf(text)} (${type})`
}
