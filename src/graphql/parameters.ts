// The parameters of a GraphQL request, as clients send them in a body or in a query string.

import { GraphQLError } from 'graphql'
import { isDeeper, isObject, MAX_JSON_LEVELS } from '../json.ts'
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
interface RequestOperations {
  readonly all: readonly [Parameters, ...Parameters[]]
  readonly isBatch: boolean
}

export type ReadParameters = (text: string) => RequestOperations | GraphQLError

/** Operations of a batch, as Apollo's BatchHttpLink sends ten by default. */
const MAX_BATCH = 10
/** Parameters of a query string or a form. GraphQL has five; a proxy may add some of its own. */
const MAX_FORM_PARAMETERS = 100

const members: ReadonlySet<string> = new Set([
  'query',
  'documentId',
  'operationName',
  'variables',
  'extensions',
])

const malformed = badRequest('query and operationName must be strings, variables and extensions objects.')
const noJson = badRequest('The request body is not valid JSON.')
const brokenEscapes = badRequest('A parameter has broken percent-encoding or invalid UTF-8.')
const noObject = badRequest('The request body must be a JSON object, or an array of them.')
const tooDeep = badRequest(`The JSON of a request can be nested ${MAX_JSON_LEVELS} levels deep.`)
const wrongBatch = badRequest(`A batch has 1 to ${MAX_BATCH} operations.`)
const tooManyParameters = badRequest(`A request can have ${MAX_FORM_PARAMETERS} parameters.`)

/** Reads a body of JSON: one operation, or a batch. */
export const readJson: ReadParameters = (text) => {
  const value = parseJson(text, noJson)
  if (value instanceof GraphQLError) return value
  if (!Array.isArray(value)) return single(value)
  if (value.length > MAX_BATCH) return wrongBatch
  const all: Parameters[] = []
  for (const member of value) {
    const parameters = parametersOf(member)
    if (parameters instanceof GraphQLError) return parameters
    all.push(parameters)
  }
  const [first, ...others] = all
  return first === undefined ? wrongBatch : { all: [first, ...others], isBatch: true }
}

/** Reads a query string without its `?`, or a form. */
export const readForm: ReadParameters = (text) => {
  const parts = text.split('&', MAX_FORM_PARAMETERS + 1)
  if (parts.length > MAX_FORM_PARAMETERS) return tooManyParameters
  const found: Record<string, unknown> = {}
  for (const part of parts) {
    const [encodedName = ''] = part.split('=', 1)
    const name = decode(encodedName)
    // The first of several counts.
    if (name === null || !members.has(name) || Object.hasOwn(found, name)) continue
    const value = decode(part.slice(encodedName.length + 1))
    if (value === null) return brokenEscapes
    found[name] = value === '' ? undefined : value
  }
  for (const name of ['variables', 'extensions']) {
    const json = found[name]
    if (typeof json !== 'string') continue
    const value = parseJson(json, malformed)
    if (value instanceof GraphQLError) return value
    found[name] = value
  }
  return single(found)
}

/** Reads a body that is the query itself. */
export const readText: ReadParameters = (query) => single({ query })

function single(value: unknown): RequestOperations | GraphQLError {
  const parameters = parametersOf(value)
  return parameters instanceof GraphQLError ? parameters : { all: [parameters], isBatch: false }
}

/** Reads the members of a request. Members that GraphQL does not know are ignored. */
function parametersOf(value: unknown): Parameters | GraphQLError {
  if (!isObject(value)) return noObject
  const { query = null, documentId = null, operationName = null } = value
  const variables = objectOf(value.variables)
  const extensions = objectOf(value.extensions)
  if (variables === undefined || extensions === undefined) return malformed
  if (query !== null && typeof query !== 'string') return malformed
  if (operationName !== null && typeof operationName !== 'string') return malformed
  return { query, documentId, operationName: operationName || null, variables: variables ?? {}, extensions }
}

/** Some clients send "" or PHP's empty array for null. @returns `undefined` for any other type */
function objectOf(value: unknown): JsonObject | null | undefined {
  if (isObject(value)) return value
  const isNone = value == null || value === '' || (Array.isArray(value) && value.length === 0)
  return isNone ? null : undefined
}

/** A name or a value of a form; `null` if its escapes are broken. */
function decode(value: string): string | null {
  const spaced = value.includes('+') ? value.replaceAll('+', ' ') : value
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    return null
  }
}

/** @param invalid the error for a text that is not JSON */
function parseJson(text: string, invalid: GraphQLError): unknown {
  if (isDeeper(text, MAX_JSON_LEVELS)) return tooDeep
  try {
    return JSON.parse(text)
  } catch {
    return invalid
  }
}
