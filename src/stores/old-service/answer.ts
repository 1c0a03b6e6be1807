// Reads the entries of what an old service answers. Whatever is none is a failure, never an answer.

import { isDeeper, MAX_JSON_LEVELS } from '../../json-depth.ts'
import { FaultyEntry, OldServiceError } from './failure.ts'
import type { ReadNumbers } from './number-texts.ts'

/** An entry of an answer, by the names of its fields. */
export type Entry = Readonly<Record<string, unknown>>

/**
 * Entries by the values that they are named after; `null` for one that stands for nothing, and an error for
 * one that cannot be read.
 */
export type Entries = ReadonlyMap<string, Entry | FaultyEntry | null>

/** Tells entries from what else may stand in an answer. */
export interface EntryKind {
  /** Reads the texts of an entry, where they are not as they stand. */
  readonly readText?: ((text: string) => string) | undefined
  /** Reads the texts that came as numbers. */
  readonly readNumbers?: ReadNumbers | undefined
  /** Whether an object is an entry, and not one that describes an error, say. */
  readonly isOne: (entry: Entry) => boolean
  /** Whether what is no entry says that this value matches nothing. */
  readonly saysUnknown: (entry: unknown, value: string) => boolean
}

/**
 * The entries of a JSON answer. It takes time in proportion to the answer.
 * @throws OldServiceError
 */
export function readEntries(body: string, kind: EntryKind): Entries {
  const answer = parseAnswer(body, kind.readNumbers)
  if (Array.isArray(answer))
    return new Map(answer.map((entry, at) => [nameInList(entry, at), readEntry(String(at), entry, kind)]))
  if (!isObject(answer)) throw new OldServiceError('the old service answers with JSON that is not an object')
  return new Map(Object.entries(answer).map(([name, entry]) => [name, readEntry(name, entry, kind)]))
}

/** @throws OldServiceError */
function parseAnswer(body: string, readNumbers?: ReadNumbers): unknown {
  if (isDeeper(body, MAX_JSON_LEVELS))
    throw new OldServiceError('the old service answers with JSON that is nested too deep')
  try {
    return JSON.parse(body, readNumbers)
  } catch {
    throw new OldServiceError('the old service does not answer with JSON')
  }
}

/**
 * PHP writes an array as a list where its keys are 0, 1, 2 and so on: entries for `0` and `0:1`, or for
 * nobody.
 */
function nameInList(entry: unknown, at: number): string {
  const id = isObject(entry) ? entry.Id : undefined
  return typeof id === 'number' || typeof id === 'string' ? String(id) : String(at)
}

function readEntry(
  name: string,
  entry: unknown,
  { isOne, saysUnknown, readText }: EntryKind,
): Entry | FaultyEntry | null {
  if (isNothing(entry)) return null
  if (isObject(entry) && isOne(entry)) {
    if (standsForNothing(entry)) return null
    return readText === undefined ? entry : withTexts(entry, readText)
  }
  // An error is about all that was asked for, even where somebody is called so.
  if (isErrorName(name)) throw new OldServiceError('the old service answers with an error')
  if (saysUnknown(entry, name)) return null
  const text = errorIn(entry)
  return new FaultyEntry(
    text === null
      ? 'the old service answers with an entry that has none of the fields'
      : 'the old service answers with an entry that is an error',
    { problem: text === null ? 'it has none of the fields' : 'it is an error', value: entry },
  )
}

function withTexts(entry: Entry, read: (text: string) => string): Entry {
  const members = Object.entries(entry)
  return Object.fromEntries(
    members.map(([name, value]) => [name, typeof value === 'string' ? read(value) : value]),
  )
}

function isObject(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * What PHP makes of a row that was not fetched: `null`, `false`, an empty text, and an empty array or object.
 */
function isNothing(entry: unknown): boolean {
  if (Array.isArray(entry)) return entry.length === 0
  return (
    entry === null || entry === false || entry === '' || (isObject(entry) && Object.keys(entry).length === 0)
  )
}

/** The row of a LEFT JOIN that met no other, as it is or after PHP's casts. Ids are given from 1 on. */
function standsForNothing(entry: Entry): boolean {
  return isZero(entry.Id) || Object.values(entry).every((value) => isNothing(value) || isZero(value))
}

function isZero(value: unknown): boolean {
  return value === 0 || value === '0'
}

function isErrorName(name: string): boolean {
  return /^error$/i.test(name)
}

/** The text of an error: `{"error":"…"}`, or `{"Error":{"Message":"…"}}`; `null` for anything else. */
export function errorIn(value: unknown): string | null {
  if (!isObject(value)) return null
  const error = Object.entries(value).find(([name]) => isErrorName(name))?.[1]
  if (!isObject(error)) return typeof error === 'string' ? error : null
  const message = Object.entries(error).find(([name]) => /^message$/i.test(name))?.[1]
  return typeof message === 'string' ? message : null
}
