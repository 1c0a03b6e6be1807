// The file LEGACY_DIALECT: JSON that names what differs from the default.

import { nearest } from '../spelling.ts'
import { type Dialect, defaultDialect } from './dialect.ts'
import { differencesOf, isObject, places, valueAt, withValue } from './dialect-places.ts'

/** Returns the dialect, or every problem of the file, one sentence each. */
export function readDialect(content: string): Dialect | readonly string[] {
  let file: unknown
  try {
    file = JSON.parse(content.replace(/^\ufeff/, ''))
  } catch (error) {
    return [`It is not JSON: ${error instanceof Error ? error.message : error}.`]
  }
  if (!isObject(file)) return ['It is not a JSON object.']
  const { $schema: _, ...given } = file
  const problems: string[] = []
  let dialect = defaultDialect
  function read(value: unknown, path: readonly string[]): void {
    const place = places.find((one) => isSame(one.path, path))
    if (place !== undefined) {
      if (place.isAllowed(value)) dialect = withValue(dialect, path, value)
      else problems.push(`${path.join('.')} cannot be ${shown(value)}. Allowed: ${place.allowed}.`)
      return
    }
    const known = namesBelow(path)
    const [last = ''] = path.slice(-1)
    if (known.length === 0) problems.push(unknownKey(path, namesBelow(path.slice(0, -1)), last))
    else if (!isObject(value)) problems.push(`${path.join('.')} must be an object, not ${shown(value)}.`)
    else for (const [name, member] of Object.entries(value)) read(member, [...path, name])
  }
  for (const [name, value] of Object.entries(expand(given))) read(value, [name])
  return problems.length > 0 ? problems : dialect
}

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((name, at) => name === other[at])

/** The keys that may stand below a path. */
function namesBelow(path: readonly string[]): readonly string[] {
  const below = places.filter(
    (place) => place.path.length > path.length && path.every((name, at) => place.path[at] === name),
  )
  return [...new Set(below.map((place) => place.path[path.length] ?? ''))]
}

function unknownKey(path: readonly string[], known: readonly string[], name: string): string {
  const like = nearest(name, known)
  const hint =
    like === null ? `Keys: ${known.join(', ')}.` : `Did you mean ${[...path.slice(0, -1), like].join('.')}?`
  return `There is no key ${path.join('.')}. ${hint}`
}

const MAX_SHOWN_LENGTH = 60

function shown(value: unknown): string {
  const json = JSON.stringify(value) ?? 'undefined'
  return json.length > MAX_SHOWN_LENGTH ? `${json.slice(0, MAX_SHOWN_LENGTH)}…` : json
}

/** `missing` and `fields` may hold the same for users and apps: `{"json": …, "xml": …}`. */
function expand(given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { missing } = given
  if (!isObject(missing) || !('json' in missing || 'xml' in missing)) return given
  return { ...given, missing: { users: missing, apps: missing } }
}

/** The content of a file: what differs from the default, and the schema that editors use. */
export function writeDialect(dialect: Dialect, schemaUrl?: string): string {
  let file: object = schemaUrl === undefined ? {} : { $schema: schemaUrl }
  for (const { path } of differencesOf(dialect, defaultDialect))
    file = withValue(file, path, valueAt(dialect, path))
  return `${JSON.stringify(file, null, 2)}\n`
}
