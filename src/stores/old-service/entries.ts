// Reads the entries of a response: which objects are entries, which say that a value was not found, and their
// fields, in each type that PHP may write them in: old drivers of MySQL make every number a string, and MySQL
// has no boolean. A field of any other type is an error, never a guess.

import { isDeepStrictEqual } from 'node:util'
import type { App } from '../../data/apps.ts'
import { responseColumns, type StoreColumn } from '../../data/relation.ts'
import { relations } from '../../data/relations.ts'
import type { User } from '../../data/users.ts'
import { unescapeHtml } from '../../html-text.ts'
import { isDeeper, MAX_JSON_LEVELS } from '../../json.ts'
import type { Dialect, LookupSubject } from '../../legacy/dialect.ts'
import { faultyEntry, fillValue, inJson, OldServiceError } from './failure.ts'

/** An entry, by the names of its fields. */
export type OldServiceEntry = Readonly<Record<string, unknown>>

/** Entries by their names; null for an entry that means "not found", an error for an unreadable one. */
export type OldServiceEntries = ReadonlyMap<string, OldServiceEntry | OldServiceError | null>

/** A reviver of JSON.parse. It gets numbers as they were written, since a double may be another number. */
type Revive = (name: string, value: unknown, context?: { readonly source?: string }) => unknown

/** An entry has one of these fields. */
export const ownFields = { users: ['Id', 'Username'], apps: ['Title', 'Version'] } as const

/** @returns a function that throws an OldServiceError if the response has no entries at all */
export function createReadEntries(
  dialect: Dialect,
  subject: LookupSubject,
): (body: string) => OldServiceEntries {
  const revive = createRevive(dialect)
  const recorded = dialect.missing[subject].json

  function readEntry(name: string, entry: unknown): OldServiceEntry | OldServiceError | null {
    if (isNothing(entry)) return null
    if (isObject(entry) && ownFields[subject].some((field) => field in entry))
      return isEmptyRow(entry) ? null : entry
    // An error is about the whole call, even if a user has the name "error".
    if (isErrorName(name)) throw new OldServiceError('the old service answers with an error')
    const isError = hasErrorText(entry)
    if (recorded === null ? isError : isSame(fillValue(recorded, inJson(name)), entry, revive)) return null
    return faultyEntry(`an entry that ${isError ? 'is an error' : 'has none of the fields'}`, null, entry)
  }

  return (body) => {
    const response = parse(body, revive)
    // PHP writes an array with the keys 0, 1, 2 as a list: for the users 0 and 1, or an empty array.
    if (Array.isArray(response))
      return new Map(response.map((entry, at) => [nameInList(entry, at), readEntry(String(at), entry)]))
    if (!isObject(response))
      throw new OldServiceError('the old service answers with JSON that is not an object')
    return new Map(Object.entries(response).map(([name, entry]) => [name, readEntry(name, entry)]))
  }
}

/** Undoes what the service does to texts. PHP's JSON_NUMERIC_CHECK makes 7 of "7", "007" and "7.0". */
function createRevive({ json, serviceName }: Dialect): Revive | undefined {
  const isEscaped = json.html !== 'plain'
  const hasNumbers = json.numericTexts === 'number'
  const names = new Set(textFields(serviceName))
  if (!isEscaped && !hasNumbers) return undefined
  return (name, value, { source } = {}) => {
    if (typeof value === 'string') return isEscaped ? unescapeHtml(value) : value
    return typeof value === 'number' && hasNumbers && names.has(name) ? source : value
  }
}

function parse(body: string, revive?: Revive): unknown {
  if (isDeeper(body, MAX_JSON_LEVELS))
    throw new OldServiceError('the old service answers with JSON that is nested too deep')
  try {
    return JSON.parse(body, revive)
  } catch {
    throw new OldServiceError('the old service does not answer with JSON')
  }
}

function isSame(json: string, value: unknown, revive?: Revive): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(json, revive), value)
  } catch {
    return false
  }
}

function nameInList(entry: unknown, at: number): string {
  const id = isObject(entry) ? entry.Id : undefined
  return typeof id === 'number' || typeof id === 'string' ? String(id) : String(at)
}

function isObject(value: unknown): value is OldServiceEntry {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A row that PHP did not fetch: null, false, an empty text or an empty array. */
function isNothing(entry: unknown): boolean {
  if (typeof entry === 'object' && entry !== null) return Object.keys(entry).length === 0
  return entry === null || entry === false || entry === ''
}

/** The row of a LEFT JOIN without a match, as it is or after PHP's casts. Ids begin with 1. */
function isEmptyRow(entry: OldServiceEntry): boolean {
  const isZero = (value: unknown) => value === 0 || value === '0'
  return isZero(entry.Id) || Object.values(entry).every((value) => isNothing(value) || isZero(value))
}

const isErrorName = (name: string) => /^error$/i.test(name)

/** Whether a value is an error: `{"error":"…"}`, or `{"Error":{"Message":"…"}}`. */
function hasErrorText(value: unknown): boolean {
  if (!isObject(value)) return false
  const error = Object.entries(value).find(([name]) => isErrorName(name))?.[1]
  const message = isObject(error)
    ? Object.entries(error).find(([name]) => /^message$/i.test(name))?.[1]
    : error
  return typeof message === 'string'
}

const userColumns = responseColumns(relations.users)
/** The entry of an app is named by its id, and does not have the field. */
const appColumns = responseColumns(relations.apps).filter(({ name }) => name !== 'id')

/** @throws OldServiceError */
export function readUser(entry: OldServiceEntry): User {
  const user = readFields<User>(entry, userColumns, capitalise)
  return user.username === '' ? refuse('Username', 'a text', entry.Username) : user
}

/**
 * @param serviceName begins the name of the last field
 * @throws OldServiceError
 */
export function readApp(id: string, entry: OldServiceEntry, serviceName: string): App {
  const fields = readFields<Omit<App, 'id'>>(entry, appColumns, appFieldOf(serviceName))
  return { id: Number(id), ...fields }
}

const capitalise = (field: string) => field.charAt(0).toUpperCase() + field.slice(1)
const appFieldOf = (serviceName: string) => (field: string) =>
  field === 'downloadLink' ? `${serviceName}DownloadLink` : capitalise(field)

/** The names of fields that are texts. */
function textFields(serviceName: string): string[] {
  const texts = (columns: readonly StoreColumn[]) =>
    columns.flatMap(({ name, type }) => (type === 'string' ? [name] : []))
  return [...texts(userColumns).map(capitalise), ...texts(appColumns).map(appFieldOf(serviceName))]
}

/** @param fieldOf the name of a column in entries */
function readFields<Row>(
  entry: OldServiceEntry,
  columns: readonly StoreColumn[],
  fieldOf: (name: string) => string,
): Row {
  const cells = columns.map(({ name, type }) => {
    const value = entry[fieldOf(name)]
    return [name, readers[type](value) ?? refuse(fieldOf(name), expected[type], value)] as const
  })
  // The columns and the type of a row are two views of one declaration.
  return Object.fromEntries(cells) as Row
}

/** PHP's `(string) false` is an empty text. */
const flags: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ...[true, 1, '1', 'true'].map((value) => [value, true] as const),
  ...[false, 0, '0', '', 'false'].map((value) => [value, false] as const),
])

const expected = { integer: 'an integer', string: 'a text', boolean: 'a boolean' } as const

/** The result is undefined if the value has another type. */
const readers = {
  integer: (value: unknown) => {
    // PHP writes an integer like this; not `1.0`, `1e3`, ` 1` or `+1`.
    const isText = typeof value === 'string' && /^(?:0|-?[1-9]\d{0,15})$/.test(value)
    const number = isText ? Number(value) : value
    return Number.isSafeInteger(number) ? number : undefined
  },
  // NULL in the database is an empty text.
  string: (value: unknown) => (value === null ? '' : typeof value === 'string' ? value : undefined),
  boolean: (value: unknown) => flags.get(value),
} as const

function refuse(field: string, expected: string, value: unknown): never {
  const found = value === undefined ? 'missing' : value === null ? 'null' : `a ${typeof value}`
  throw faultyEntry(`${field} ${found}, expected ${expected}`, field, value)
}
