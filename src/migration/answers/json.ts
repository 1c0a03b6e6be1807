// A legacy JSON answer, read as its clients read it: the order of members, the spelling of numbers and
// escapes are nothing.

import { type Json, type Members, readJsonValues, type Scalar } from './json-values.ts'
import { type Entries, type Entry, type Field, isErrorName, UnreadableBody, type Value } from './meaning.ts'
import { canonical } from './number.ts'

/** @returns `null` for a refusal. @throws UnreadableBody */
export function readJson(text: string): Pick<Entries, 'root' | 'entries'> | null {
  const answer = readJsonValues(text)
  // Nothing at all is an empty list in PHP, or null.
  if (isNothing(answer)) return { root: '', entries: new Map() }
  if (isList(answer)) return { root: '', entries: new Map(answer.map(entryAt)) }
  if (!isObject(answer)) throw new UnreadableBody('JSON that is not an object')
  if (isRefusal(answer)) return null
  return { root: '', entries: new Map(Array.from(answer, ([name, entry]) => [name, entryOf(entry)])) }
}

/**
 * PHP writes an array as a list where its keys are 0, 1, 2 and so on: the entries are named by their places.
 * @throws UnreadableBody for what is neither an entry nor stands for one that is not there
 */
function entryAt(item: Json, place: number): [name: string, entry: Entry] {
  if (!isObject(item) && !isNothing(item) && !(!isList(item) && standsForNothing(item)))
    throw new UnreadableBody('a JSON list of something other than entries')
  return [String(place), entryOf(item)]
}

/** PHP's `false` of a row that was not fetched, and an empty text. */
function standsForNothing({ type, text }: Scalar): boolean {
  return (type === 'boolean' && text === 'false') || (type === 'string' && text === '')
}

/**
 * An error, and nothing beside it that would be an entry. A user may be called `error`: that user's entry is
 * one.
 */
function isRefusal(answer: Members): boolean {
  return isMessage(answer) || hasError(answer)
}

/**
 * A text that is for people, and nothing but texts and numbers about it: what stands for an entry is no text.
 */
function isMessage(answer: Members): boolean {
  let messages = 0
  for (const [name, value] of answer) {
    if (isList(value) || isObject(value)) return false
    if (/^(?:error_?)?message$|^msg$|^detail$/i.test(name) && value.type === 'string' && value.text !== '')
      messages++
    else if (!/^(?:status|success|ok|result|title|type)$|code$|^error/i.test(name)) return false
  }
  return messages > 0
}

function hasError(answer: Members): boolean {
  const isError = (name: string, value: Json) =>
    isErrorName(name) &&
    !isNothing(value) &&
    !(isObject(value) && (!/^errors?$/i.test(name) || value.has('Id') || value.has('Title'))) &&
    !(!isObject(value) && !isList(value) && value.text === 'false')
  let errors = 0
  for (const [name, value] of answer) {
    if (isError(name, value)) errors++
    else if (isNothing(value) || isList(value) || isObject(value)) return false
  }
  return errors > 0
}

function isNothing(value: Json): boolean {
  return isList(value) ? value.length === 0 : !isObject(value) && value.type === 'null'
}

function entryOf(entry: Json): Entry {
  return isObject(entry)
    ? Array.from(entry, ([name, value]): Field => [name, plainValue(value)])
    : plainValue(entry)
}

function plainValue(value: Json): Value {
  if (isList(value)) return { type: 'list', text: textOf(value) }
  if (isObject(value)) return { type: 'object', text: textOf(value) }
  return value.type === 'number' ? { type: 'number', text: canonical(value.text) } : value
}

/** The same text for the same value, whatever the order of its members. */
function textOf(value: Json): string {
  if (isList(value)) return `[${value.map(textOf).join()}]`
  if (isObject(value)) {
    const members = [...value].sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${textOf(member)}`).join()}}`
  }
  if (value.type === 'number') return canonical(value.text)
  return value.type === 'string' ? JSON.stringify(value.text) : value.text
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

function isObject(value: Json): value is Members {
  return value instanceof Map
}
