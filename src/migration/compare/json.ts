// Reads a legacy JSON response as its clients do: the order of members, the spelling of numbers, and escapes
// do not count.

import { isDeeper } from '../../json.ts'
import {
  type EntriesMeaning,
  type EntryMeaning,
  type FieldMeaning,
  isAboutError,
  isRefusal,
  mayBeEntry,
  type ResponsePart,
  UnreadableBodyError,
  type ValueMeaning,
} from './meaning.ts'
import { canonical } from './number.ts'

/** The digits of a number. As doubles, two different long numbers may be equal. */
class JsonNumber {
  readonly text: string
  constructor(source: string) {
    this.text = canonical(source)
  }
}

type Json = string | boolean | null | JsonNumber | readonly Json[] | JsonMembers
interface JsonMembers {
  readonly [name: string]: Json
}

/** @returns null for a refusal. @throws UnreadableBody */
export function readJson(text: string): Pick<EntriesMeaning, 'root' | 'entries'> | null {
  const body = parse(text)
  // PHP writes an empty list, or null, if there are no entries.
  if (isNothing(body)) return { root: '', entries: new Map() }
  if (isList(body)) return { root: '', entries: new Map(body.map(entryAt)) }
  if (!isObject(body)) throw new UnreadableBodyError('JSON that is not an object')
  const members = Object.entries(body)
  if (isRefusal(members.map(partOf))) return null
  return { root: '', entries: new Map(members.map(([name, entry]) => [name, entryOf(entry)])) }
}

/** Levels of lists and objects; legacy responses have two. */
const MAX_JSON_DEPTH = 32

function parse(text: string): Json {
  if (isDeeper(text, MAX_JSON_DEPTH))
    throw new UnreadableBodyError(`JSON nested deeper than ${MAX_JSON_DEPTH} levels`)
  try {
    return JSON.parse(text, (_, value: unknown, context?: { readonly source?: string }) =>
      typeof value === 'number' ? new JsonNumber(context?.source ?? String(value)) : value,
    )
  } catch {
    throw new UnreadableBodyError('not JSON')
  }
}

/**
 * PHP writes an array as a list if its keys are 0, 1, 2 and so on: the keys are the names of the entries.
 * PHP's `false` is a row that was not fetched.
 * @throws UnreadableBody if the item is neither an entry nor stands for an unknown one
 */
function entryAt(item: Json, at: number): [name: string, entry: EntryMeaning] {
  if (!isObject(item) && !isNothing(item) && item !== false && item !== '')
    throw new UnreadableBodyError('a JSON list of something other than entries')
  return [String(at), entryOf(item)]
}

function partOf([name, value]: readonly [name: string, value: Json]): ResponsePart {
  if (value === null && isAboutError(name)) return { name, text: '', isEntry: false }
  if (isNothing(value)) return { name, text: null, isEntry: true }
  if (isObject(value)) return { name, text: null, isEntry: mayBeEntry(name, Object.keys(value)) }
  return { name, text: isList(value) ? null : plainValue(value).text, isEntry: false }
}

function isNothing(value: Json): boolean {
  return value === null || (isList(value) && value.length === 0)
}

function entryOf(entry: Json): EntryMeaning {
  if (!isObject(entry)) return plainValue(entry)
  return Object.entries(entry).map(([name, value]): FieldMeaning => [name, plainValue(value)])
}

function plainValue(value: Json): ValueMeaning {
  if (typeof value === 'string') return { type: 'string', text: value }
  if (typeof value === 'boolean') return { type: 'boolean', text: String(value) }
  if (value === null) return { type: 'null', text: 'null' }
  if (value instanceof JsonNumber) return { type: 'number', text: value.text }
  return { type: isList(value) ? 'list' : 'object', text: textOf(value) }
}

/** The same text for the same value, whatever the order of its members. */
function textOf(value: Json): string {
  if (value instanceof JsonNumber) return value.text
  if (isList(value)) return `[${value.map(textOf).join()}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${textOf(member)}`).join()}}`
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

function isObject(value: Json): value is JsonMembers {
  return typeof value === 'object' && value !== null && !isList(value) && !(value instanceof JsonNumber)
}
