// The parameters of a GraphQL request, from a JSON body or a query string. What is not as a client of today
// sends it is left to Yoga, which has a word for each mistake.

import { isDeeper, MAX_JSON_LEVELS } from '../json-depth.ts'
import type { DocumentParameters } from './persisted.ts'

export interface Parameters extends DocumentParameters {
  readonly operationName: string | null
  readonly variables: Readonly<Record<string, unknown>>
}

/** Parameters of a query string that are read. GraphQL has five; a proxy may add some of its own. */
const MAX_PARAMETERS = 20

const members: ReadonlySet<string> = new Set([
  'query',
  'documentId',
  'operationName',
  'variables',
  'extensions',
])

/** @returns `null` for what is left to Yoga */
export function readJsonBody(body: Buffer): Parameters | null {
  const value = parseJson(body.toString())
  if (!isObject(value)) return null
  for (const name in value) if (!members.has(name)) return null
  return parametersOf(value)
}

/** @param text a query string without its `?`; @returns `null` for what is left to Yoga */
export function readQueryString(text: string): Parameters | null {
  const found: Record<string, unknown> = {}
  let from = 0
  for (let count = 0; from <= text.length; count++) {
    if (count === MAX_PARAMETERS) return null
    const next = text.indexOf('&', from)
    const end = next === -1 ? text.length : next
    const equals = text.indexOf('=', from)
    const name = text.slice(from, equals === -1 || equals > end ? end : equals)
    // It may be one of these, written with escapes.
    if (name.includes('%')) return null
    // The first of several counts, and an empty one is none, as Yoga has it.
    if (members.has(name) && !Object.hasOwn(found, name)) {
      const value = decode(text.slice(from + name.length + 1, end))
      if (value === null) return null
      found[name] = value === '' ? undefined : value
    }
    from = end + 1
  }
  for (const name of ['variables', 'extensions']) {
    const json = found[name]
    if (typeof json !== 'string') continue
    const value = parseJson(json)
    if (value === undefined) return null
    found[name] = value
  }
  return parametersOf(found)
}

function parametersOf(value: Readonly<Record<string, unknown>>): Parameters | null {
  const { query = null, documentId = null, operationName = null, variables, extensions } = value
  if (query !== null && typeof query !== 'string') return null
  if (operationName !== null && typeof operationName !== 'string') return null
  if (!isObjectOrAbsent(variables) || !isObjectOrAbsent(extensions)) return null
  // It names no document.
  if (query === null && documentId === null && extensions == null) return null
  return { query, documentId, operationName, variables: variables ?? {}, extensions: extensions ?? null }
}

/** A value of a query string; `null` where its escapes are broken. */
function decode(value: string): string | null {
  const spaced = value.includes('+') ? value.replaceAll('+', ' ') : value
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    return null
  }
}

/** @returns `undefined` for what is no JSON, or too deep */
function parseJson(text: string): unknown {
  if (isDeeper(text, MAX_JSON_LEVELS)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isObjectOrAbsent(value: unknown): value is Readonly<Record<string, unknown>> | null | undefined {
  return value === undefined || value === null || isObject(value)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
