// Reads the entries of what an old service answers. Whatever is none is a failure, never an answer.

import { isDeeper, MAX_JSON_LEVELS } from '../../json-depth.ts'
import { OldServiceError } from './failure.ts'

/** An entry of an answer, by the names of its fields. */
export type Entry = Readonly<Record<string, unknown>>

/** Entries by the values that they are named after; `null` for one that stands for nothing. */
export type Entries = ReadonlyMap<string, Entry | null>

/**
 * The entries of a JSON answer.
 * @param isOne tells an entry from another object, such as one that describes an error
 * @throws OldServiceError
 */
export function readEntries(body: string, isOne: (entry: Entry) => boolean): Entries {
  if (isDeeper(body, MAX_JSON_LEVELS))
    throw new OldServiceError('the old service answers with JSON that is nested too deep')
  let answer: unknown
  try {
    answer = JSON.parse(body)
  } catch {
    throw new OldServiceError('the old service answers with no JSON')
  }
  // Nothing at all is an empty list in PHP.
  if (isEmptyList(answer)) return new Map()
  if (!isObject(answer)) throw new OldServiceError('the old service answers with JSON that is no object')
  return new Map(Object.entries(answer).map(([name, entry]) => [name, readEntry(entry, isOne)]))
}

function readEntry(entry: unknown, isOne: (entry: Entry) => boolean): Entry | null {
  if (isNothing(entry)) return null
  if (isObject(entry) && isOne(entry)) return hasOnlyNulls(entry) ? null : entry
  throw new OldServiceError('the old service answers with an entry that has none of the fields')
}

function isObject(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

/** What PHP makes of a row that was not fetched: `null`, `false`, and an empty array or object. */
function isNothing(entry: unknown): boolean {
  const isEmptyObject = isObject(entry) && Object.keys(entry).length === 0
  return entry === null || entry === false || isEmptyList(entry) || isEmptyObject
}

/** The row of a LEFT JOIN that met no other. */
function hasOnlyNulls(entry: Entry): boolean {
  return Object.values(entry).every((value) => value === null)
}
