// Reads the fields of an entry, in each type that PHP may write them in: old drivers of MySQL make every
// number a string, and MySQL has no boolean. A field of any other type is an error, never a guess.

import type { App } from '../../data/apps.ts'
import { answeredColumns, type Column } from '../../data/relation.ts'
import { relations } from '../../data/relations.ts'
import type { User } from '../../data/users.ts'
import type { Entry } from './entries.ts'
import { faultyEntry } from './failure.ts'

/** An entry has one of these fields. */
export const ownFields = { users: ['Id', 'Username'], apps: ['Title', 'Version'] } as const

const userColumns = answeredColumns(relations.users)
/** The entry of an app is named by its id, and does not have the field. */
const appColumns = answeredColumns(relations.apps).filter(({ name }) => name !== 'id')

/** @throws OldServiceError */
export function readUser(entry: Entry): User {
  const user = readFields<User>(entry, userColumns, capitalise)
  return user.username === '' ? refuse('Username', 'a text', entry.Username) : user
}

/**
 * @param serviceName begins the name of the last field
 * @throws OldServiceError
 */
export function readApp(id: string, entry: Entry, serviceName: string): App {
  const fields = readFields<Omit<App, 'id'>>(entry, appColumns, appFieldOf(serviceName))
  return { id: Number(id), ...fields }
}

const capitalise = (field: string) => field.charAt(0).toUpperCase() + field.slice(1)
const appFieldOf = (serviceName: string) => (field: string) =>
  field === 'downloadLink' ? `${serviceName}DownloadLink` : capitalise(field)

/** The names of fields that are texts. */
export function textFields(serviceName: string): string[] {
  const texts = (columns: readonly Column[]) =>
    columns.flatMap(({ name, type }) => (type === 'string' ? [name] : []))
  return [...texts(userColumns).map(capitalise), ...texts(appColumns).map(appFieldOf(serviceName))]
}

/** @param fieldOf the name of a column in entries */
function readFields<Row>(entry: Entry, columns: readonly Column[], fieldOf: (name: string) => string): Row {
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
    // As PHP writes an integer; not `1.0`, `1e3`, ` 1` or `+1`.
    const isText = typeof value === 'string' && /^(?:0|-?[1-9]\d{0,15})$/.test(value)
    const number = isText ? Number(value) : value
    return Number.isSafeInteger(number) ? number : undefined
  },
  // NULL in the database is an empty text.
  string: (value: unknown) => (value === null ? '' : typeof value === 'string' ? value : undefined),
  boolean: (value: unknown) => flags.get(value),
} as const

function refuse(field: string, expected: string, value: unknown): never {
  const isMissing = value === undefined
  const found = isMissing ? 'missing' : value === null ? 'null' : `a ${typeof value}`
  throw faultyEntry(`${field} ${found}, expected ${expected}`, {
    field,
    problem: isMissing ? 'is missing' : `must be ${expected}`,
    ...(!isMissing && { value }),
  })
}
