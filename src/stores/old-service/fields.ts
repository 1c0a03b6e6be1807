// Reads the fields of an entry, in each type that PHP gives them: drivers of MySQL had every number as a
// string, and MySQL has no boolean. Whatever else it is fails, and is never guessed.

import type { App } from '../../data/apps.ts'
import { answeredColumns, type Column } from '../../data/relation.ts'
import { relations } from '../../data/relations.ts'
import type { User } from '../../data/users.ts'
import type { Entry } from './answer.ts'
import { FaultyEntry } from './failure.ts'

/** Fields of which an entry has one, unless it is something else, such as a text about an error. */
export const ownFields = { users: ['Id', 'Username'], apps: ['Title', 'Version'] } as const

export function isUserEntry(entry: Entry): boolean {
  return ownFields.users.some((field) => field in entry)
}

export function isAppEntry(entry: Entry): boolean {
  return ownFields.apps.some((field) => field in entry)
}

/** @throws FaultyEntry */
export function readUser(entry: Entry): User {
  const user = readFields<User>(entry, userColumns, capitalised)
  // A user without a name is one that was not read well.
  return user.username === '' ? refuse('Username', 'text', entry.Username) : user
}

/**
 * @param serviceName begins the name of the last field
 * @throws FaultyEntry
 */
export function readApp(id: string, entry: Entry, serviceName: string): App {
  return { id: Number(id), ...readFields<Omit<App, 'id'>>(entry, appColumns, appNames(serviceName)) }
}

function appNames(serviceName: string): (field: string) => string {
  return (field) => (field === 'downloadLink' ? `${serviceName}DownloadLink` : capitalised(field))
}

/** What old services call the fields that are texts. */
export function textFields(serviceName: string): readonly string[] {
  const texts = (columns: readonly Column[]) =>
    columns.flatMap(({ name, type }) => (type === 'string' ? [name] : []))
  return [...texts(userColumns).map(capitalised), ...texts(appColumns).map(appNames(serviceName))]
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

/** Digits as PHP writes an integer; not `1.0`, `1e3`, ` 1` or `+1`. */
const digits = /^(?:0|-?[1-9]\d{0,15})$/

function integer(entry: Entry, field: string): number {
  const value = entry[field]
  const number = typeof value === 'string' && digits.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : refuse(field, 'integer', value)
}

/** NULL in the database is no text. */
function text(entry: Entry, field: string): string {
  const value = entry[field]
  if (value === null) return ''
  return typeof value === 'string' ? value : refuse(field, 'text', value)
}

/** PHP's `(string) false` is an empty text. */
const flags: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ...[true, 1, '1', 'true'].map((value) => [value, true] as const),
  ...[false, 0, '0', '', 'false'].map((value) => [value, false] as const),
])

function flag(entry: Entry, field: string): boolean {
  const value = entry[field]
  return flags.get(value) ?? refuse(field, 'boolean', value)
}

const checks = { integer, string: text, boolean: flag } as const

function refuse(field: string, wanted: keyof typeof inWords, value: unknown): never {
  const found = value === undefined ? 'missing' : value === null ? 'null' : `a ${typeof value}`
  throw new FaultyEntry(`the old service answers with ${field} ${found}, expected ${inWords[wanted]}`, {
    field,
    problem: value === undefined ? 'is missing' : `must be ${inWords[wanted]}`,
    ...(value !== undefined && { value }),
  })
}

const inWords = { integer: 'an integer', text: 'a text', boolean: 'a boolean' } as const
