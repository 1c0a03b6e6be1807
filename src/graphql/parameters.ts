// The parameters of a GraphQL request, as clients send them in a body or in a query string.

import type { GraphQLError } from 'graphql'
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
  readonly all: readonly Parameters[]
  readonly isBatch: boolean
}

/** @throws GraphQLError if the text is no request */
export type ReadParameters = (text: string) => RequestOperations

/** Operations of a batch, as Apollo's BatchHttpLink sends ten by default. */
const MAX_BATCH = 10
/** Parameters of a query string or a form. GraphQL has five; a proxy may add some of its own. */
const MAX_FORM_PARAMETERS = 100

const members: ReadonlySet<string> = new Set('query documentId operationName variables extensions'.split(' '))

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
  if (!Array.isArray(value)) return { all: [parametersOf(value)], isBatch: false }
  if (value.length === 0 || value.length > MAX_BATCH) throw wrongBatch
  return { all: value.map(parametersOf), isBatch: true }
}

/** Reads a query string without its `?`, or a form. */
export const readForm: ReadParameters = (text) => {
  const parts = text.split('&', MAX_FORM_PARAMETERS + 1)
  if (parts.length > MAX_FORM_PARAMETERS) throw tooManyParameters
  const found: Record<string, unknown> = {}
  for (const part of parts) {
    const [encodedName = ''] = part.split('=', 1)
    const name = decode(encodedName)
    // The first of several counts.
    if (name === null || !members.has(name) || Object.hasOwn(found, name)) continue
    const value = decode(part.slice(encodedName.length + 1))
    if (value === null) throw brokenEscapes
    const isJson = value !== '' && (name === 'variables' || name === 'extensions')
    found[name] = isJson ? parseJson(value, malformed) : value || undefined
  }
  return { all: [parametersOf(found)], isBatch: false }
}

/** Reads a body that is the query itself. */
export const readText: ReadParameters = (query) => ({ all: [parametersOf({ query })], isBatch: false })

/** Reads the members of a request. Members that GraphQL does not know are ignored. */
function parametersOf(value: unknown): Parameters {
  if (!isObject(value)) throw noObject
  const { query = null, documentId = null, operationName = null } = value
  if (query !== null && typeof query !== 'string') throw malformed
  if (operationName !== null && typeof operationName !== 'string') throw malformed
  return {
    query,
    documentId,
    operationName: operationName || null,
    variables: objectOf(value.variables) ?? {},
    extensions: objectOf(value.extensions),
  }
}

/** Some clients send "" or PHP's empty array for null. */
function objectOf(value: unknown): JsonObject | null {
  if (isObject(value)) return value
  if (value == null || value === '' || (Array.isArray(value) && value.length === 0)) return null
  throw malformed
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

/** @throws `invalid` if the text is not JSON */
function parseJson(text: string, invalid: GraphQLError): unknown {
  if (isDeeper(text, MAX_JSON_LEVELS)) throw tooDeep
  try {
    return JSON.parse(text)
  } catch {
    throw invalid
  }
}
