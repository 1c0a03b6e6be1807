// The file LEGACY_DIALECT: JSON that names what differs from the default.

import { isDeeper, isObject, MAX_JSON_LEVELS } from '../json.ts'
import { nearest } from '../spelling.ts'
import { messageOf, shorten, visible } from '../text.ts'
import { type Dialect, defaultDialect } from './dialect.ts'
import {
  type ChoicePath,
  differencesOf,
  isSame,
  namesBelow,
  pathsOf,
  placeAt,
  valueAt,
  withValue,
} from './dialect-places.ts'

/** Some other JSON may have thousands of keys. */
const MAX_PROBLEMS = 20

/** Returns the dialect, or the problems of the file, one sentence each. */
export function readDialect(content: string): Dialect | readonly string[] {
  const json = content.replace(/^\ufeff/, '')
  if (isDeeper(json, MAX_JSON_LEVELS)) return [`It is nested more than ${MAX_JSON_LEVELS} levels deep.`]
  let file: unknown
  try {
    file = JSON.parse(json)
  } catch (error) {
    return [`It is not JSON: ${visible(messageOf(error))}.`]
  }
  if (!isObject(file)) return ['It is not a JSON object.']
  const { $schema, ...given } = file
  const problems = repeatedPaths(json).map((path) => `${nameOf(path)} is there more than once.`)
  if ($schema !== undefined && typeof $schema !== 'string')
    problems.push(`$schema cannot be ${shown($schema)}. Allowed: a text.`)
  let dialect = defaultDialect
  function read(value: unknown, path: ChoicePath): void {
    if (problems.length > MAX_PROBLEMS) return
    const place = placeAt(path)
    if (place !== undefined) {
      if (!place.isAllowed(value))
        problems.push(`${nameOf(path)} cannot be ${shown(value)}. Allowed: ${place.allowed}.`)
      else
        for (const own of pathsOf(place))
          if (isSame(own, path) || valueAt(given, own) === undefined) dialect = withValue(dialect, own, value)
      return
    }
    const known = namesBelow(path)
    if (known.length === 0) problems.push(unknownKey(path))
    else if (!isObject(value)) problems.push(`${nameOf(path)} must be an object, not ${shown(value)}.`)
    else for (const [name, member] of Object.entries(value)) read(member, [...path, name])
  }
  for (const [name, value] of Object.entries(given)) read(value, [name])
  if (problems.length <= MAX_PROBLEMS) return problems.length > 0 ? problems : dialect
  return [...problems.slice(0, MAX_PROBLEMS), 'There are more problems.']
}

/** The paths of keys that an object has more than once. JSON.parse would silently use the last value. */
function repeatedPaths(json: string): ChoicePath[] {
  const repeated: ChoicePath[] = []
  const open: { readonly path: ChoicePath; readonly names: Set<string> }[] = []
  let path: ChoicePath = []
  for (const [token, text = '', colon] of json.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}[\]]/g)) {
    const inner = open.at(-1)
    if (token === '{' || token === '[') open.push({ path, names: new Set() })
    else if (token === '}' || token === ']') open.pop()
    else if (colon !== undefined && inner !== undefined) {
      const name = String(JSON.parse(text))
      path = [...inner.path, name]
      if (inner.names.has(name)) repeated.push(path)
      inner.names.add(name)
    }
  }
  return repeated
}

function unknownKey(path: ChoicePath): string {
  const [outer, [name = '']] = [path.slice(0, -1), path.slice(-1)]
  const known = namesBelow(outer)
  const like = nearest(name, known)
  // The documentation and /explain write paths with dots.
  const parts = name.split('.')
  const isPath = parts.length > 1 && placeAt([...outer, ...parts]) !== undefined
  const meant = isPath ? JSON.stringify(withValue({}, parts, '…')) : like && nameOf([...outer, like])
  return `There is no key ${nameOf(path)}. ${meant === null ? `Keys: ${known.join(', ')}.` : `Did you mean ${meant}?`}`
}

const MAX_SHOWN_LENGTH = 60

/** A path for a message. The names may be anything. */
const nameOf = (path: ChoicePath) => shorten(visible(path.join('.')), MAX_SHOWN_LENGTH)

function shown(value: unknown): string {
  // JSON has 1e999, and JSON.stringify() writes null for it.
  const json = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? 'undefined')
  return shorten(visible(json), MAX_SHOWN_LENGTH)
}

/** The content of a file: what differs from the default, and the schema that editors use. */
export function writeDialect(dialect: Dialect, schemaUrl?: string): string {
  let file: object = schemaUrl === undefined ? {} : { $schema: schemaUrl }
  for (const { path } of differencesOf(dialect, defaultDialect))
    file = withValue(file, path, valueAt(dialect, path))
  return `${JSON.stringify(file, null, 2)}\n`
}
