// Reads what an old service answers. Whatever is not as the interface has it is a failure, never an answer.

import type { App } from '../../data/apps.ts'
import { answeredColumns, type Column } from '../../data/relation.ts'
import { relations } from '../../data/relations.ts'
import type { User } from '../../data/users.ts'
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

/** @throws OldServiceError */
export function readUser(entry: Entry): User {
  return readFields<User>(entry, userColumns, capitalised)
}

/**
 * @param serviceName begins the name of the last field
 * @throws OldServiceError
 */
export function readApp(id: string, entry: Entry, serviceName: string): App {
  const nameOf = (field: string) =>
    field === 'downloadLink' ? `${serviceName}DownloadLink` : capitalised(field)
  return { id: Number(id), ...readFields<Omit<App, 'id'>>(entry, appColumns, nameOf) }
}

const userColumns = answeredColumns(relations.users)
/** An entry of an app is named by its id, and does not have it. */
const appColumns = answeredColumns(relations.apps).filter(({ name }) => name !== 'id')

const capitalised = (field: string) => field.charAt(0).toUpperCase() + field.slice(1)

/** @param nameOf what old services call a field */
function readFields<Found>(
  entry: Entry,
  columns: readonly Column[],
  nameOf: (field: string) => string,
): Found {
  const values = columns.map(({ name, type }) => [name, checks[type](entry, nameOf(name))] as const)
  // The columns and the type are two views of one declaration.
  return Object.fromEntries(values) as Found
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

const checks = { integer, string: text, boolean: flag } as const

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
