// Reads what an old service answers. Whatever is not as the interface has it is a failure, never an answer.

import { isDeeper, MAX_JSON_LEVELS } from '../../json-depth.ts'
import type { App, User } from '../../model.ts'
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
  if (entry === null || isEmptyList(entry)) return null
  if (isObject(entry) && isOne(entry)) return entry
  throw new OldServiceError('the old service answers with an entry that has none of the fields')
}

export function isUserEntry(entry: Entry): boolean {
  return 'Id' in entry || 'Username' in entry
}

export function isAppEntry(entry: Entry): boolean {
  return 'Title' in entry || 'Version' in entry
}

export function readUser(entry: Entry): User {
  return {
    id: integer(entry, 'Id'),
    username: text(entry, 'Username'),
    displayName: text(entry, 'DisplayName'),
    rank: integer(entry, 'Rank'),
    joinDate: integer(entry, 'JoinDate'),
    isConfirmed: flag(entry, 'IsConfirmed'),
    banned: flag(entry, 'Banned'),
  }
}

/** @param serviceName begins the name of the last field */
export function readApp(id: string, entry: Entry, serviceName: string): App {
  return {
    id: Number(id),
    title: text(entry, 'Title'),
    version: text(entry, 'Version'),
    category: integer(entry, 'Category'),
    changelogLink: text(entry, 'ChangelogLink'),
    downloadLink: text(entry, `${serviceName}DownloadLink`),
  }
}

function integer(entry: Entry, field: string): number {
  const value = entry[field]
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : refuse(field, 'integer', value)
}

function text(entry: Entry, field: string): string {
  const value = entry[field]
  return typeof value === 'string' ? value : refuse(field, 'text', value)
}

function flag(entry: Entry, field: string): boolean {
  const value = entry[field]
  return typeof value === 'boolean' ? value : refuse(field, 'boolean', value)
}

function refuse(field: string, wanted: string, value: unknown): never {
  const found = value === undefined ? 'missing' : `a ${typeof value}`
  throw new OldServiceError(`the old service answers with ${field} ${found} where a ${wanted} is due`)
}

function isObject(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}
