// The parameters of a GraphQL request, as clients send them in a JSON body or in a query string.

import { GraphQLError } from 'graphql'
import { isDeeper, MAX_JSON_LEVELS } from '../json-depth.ts'
import { badRequest } from './errors.ts'

/** A parameter that the client left out is `null`. */
export interface Parameters {
  readonly query: string | null
  readonly documentId: unknown
  readonly operationName: string | null
  readonly variables: JsonObject
  readonly extensions: JsonObject | null
}

type JsonObject = Readonly<Record<string, unknown>>

/** The operations of one request. */
interface Sent {
  readonly all: readonly Parameters[]
  readonly isBatch: boolean
}

/** Operations of a batch, as Apollo's BatchHttpLink sends ten by default. */
const MAX_BATCH = 10
/** Parameters of a query string that are read. GraphQL has five; a proxy may add some of its own. */
const MAX_PARAMETERS = 20

const members: ReadonlySet<string> = new Set([
  'query',
  'documentId',
  'operationName',
  'variables',
  'extensions',
])

export const malformed = badRequest(
  'query and operationName must be strings, variables and extensions objects.',
)
const noJson = badRequest('The request body is not valid JSON.')
const brokenEscapes = badRequest(
  'A parameter of the query string has broken percent-encoding or invalid UTF-8.',
)
const noObject = badRequest('The request body must be a JSON object, or an array of them.')
export const tooDeep = badRequest(`The JSON of a request can be nested ${MAX_JSON_LEVELS} levels deep.`)
const wrongBatch = badRequest(`A batch has 1 to ${MAX_BATCH} operations.`)

/** Leaves out a byte order mark, which some clients write before the JSON. */
export function withoutMark(body: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? body.subarray(3) : body
}

/** Reads a body: one operation, or a batch. */
export function readJsonBody(body: Buffer): Sent | GraphQLError {
  const text = body.toString()
  if (isDeeper(text, MAX_JSON_LEVELS)) return tooDeep
  const value = parseJson(text)
  if (value === undefined) return noJson
  if (!Array.isArray(value)) return single(parametersOf(value))
  if (value.length === 0 || value.length > MAX_BATCH) return wrongBatch
  const all: Parameters[] = []
  for (const member of value) {
    const parameters = parametersOf(member)
    if (parameters instanceof GraphQLError) return parameters
    all.push(parameters)
  }
  return { all, isBatch: true }
}

const single = (read: Parameters | GraphQLError) =>
  read instanceof GraphQLError ? read : { all: [read], isBatch: false }

/** @param text a query string without its `?`; @returns `null` for a query string that Yoga has to read */
export function readQueryString(text: string): Sent | GraphQLError | null {
  const found: Record<string, unknown> = {}
  let from = 0
  for (let count = 0; from <= text.length; count++) {
    if (count === MAX_PARAMETERS) return null
    const next = text.indexOf('&', from)
    const end = next === -1 ? text.length : next
    const equals = text.indexOf('=', from)
    const name = text.slice(from, equals === -1 || equals > end ? end : equals)
    // Percent-encoding may hide one of the names.
    if (name.includes('%')) return null
    // As in Yoga, the first of several counts.
    if (members.has(name) && !Object.hasOwn(found, name)) {
      const value = decode(text.slice(from + name.length + 1, end))
      if (value === null) return brokenEscapes
      found[name] = value === '' ? undefined : value
    }
    from = end + 1
  }
  for (const name of ['variables', 'extensions']) {
    const json = found[name]
    if (typeof json !== 'string') continue
    if (isDeeper(json, MAX_JSON_LEVELS)) return tooDeep
    const value = parseJson(json)
    if (value === undefined) return malformed
    found[name] = value
  }
  return single(parametersOf(found))
}

/** Reads the members of a request. Members that GraphQL does not know are ignored. */
export function parametersOf(value: unknown): Parameters | GraphQLError {
  if (!isObject(value)) return noObject
  const { query = null, documentId = null, operationName = null } = value
  const variables = objectOf(value.variables)
  const extensions = objectOf(value.extensions)
  if (variables === undefined || extensions === undefined) return malformed
  if (query !== null && typeof query !== 'string') return malformed
  if (operationName !== null && typeof operationName !== 'string') return malformed
  return { query, documentId, operationName: operationName || null, variables: variables ?? {}, extensions }
}

/** Some clients send "" or PHP's empty array for no object. @returns `undefined` for what is no object */
function objectOf(value: unknown): JsonObject | null | undefined {
  if (isObject(value)) return value
  const isNone = value == null || value === '' || (Array.isArray(value) && value.length === 0)
  return isNone ? null : undefined
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
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

/** @returns `undefined` for what is no JSON */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
