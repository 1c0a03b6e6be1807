// The short way for what nearly every GraphQL request is: a query in a JSON body. What is anything else is
// left to Yoga, before it has been run.

import type { IncomingMessage } from 'node:http'
import { getOperationAST } from 'graphql'
import { isDeeper, MAX_JSON_LEVELS } from '../../json-depth.ts'
import type { AnswerGraphql } from '../answer.ts'
import type { ReadQuery } from './documents.ts'
import { noOperation } from './errors.ts'
import type { Execution } from './execution.ts'
import { type ResponseType, responseTo } from './response.ts'

interface PostOptions {
  readonly execution: Execution
  readonly readQuery: ReadQuery
  /** Answers everything else. */
  readonly fallback: AnswerGraphql
}

/** The media type for each Accept header that is answered here: what Yoga answers to it. */
const responseTypes: Readonly<Record<string, ResponseType>> = {
  '*/*': 'application/json',
  'application/json': 'application/json',
  'application/graphql-response+json': 'application/graphql-response+json',
}

const jsonBody = /^application\/json(?:; ?charset=utf-8)?$/i

export function createFastPath({ execution, readQuery, fallback }: PostOptions): AnswerGraphql {
  return async (request, query, body, caller) => {
    const type = responseTypeOf(request)
    const parameters = type === null ? null : readParameters(body)
    if (type === null || parameters === null) return fallback(request, query, body, caller)
    const { document, errors } = readQuery(parameters.query)
    const { operationName, variables } = parameters
    if (errors !== null) {
      // As Yoga does: an operation that is not there is said before the faults of others.
      const isThere = document === null || getOperationAST(document, operationName) != null
      return responseTo({ errors: isThere ? errors : [noOperation] }, type, 0)
    }
    const context = execution.createContext(caller)
    const result = await execution.run({ document, operationName, variableValues: variables }, context)
    return responseTo(result, type, context.values)
  }
}

/** How a request is answered, where it goes the short way. */
function responseTypeOf({ method, headers }: IncomingMessage): ResponseType | null {
  const accept = headers.accept ?? '*/*'
  if (method !== 'POST' || !jsonBody.test(headers['content-type'] ?? '')) return null
  return Object.hasOwn(responseTypes, accept) ? (responseTypes[accept] ?? null) : null
}

interface Parameters {
  readonly query: string
  readonly operationName: string | null
  readonly variables: Readonly<Record<string, unknown>>
}

const members: ReadonlySet<string> = new Set(['query', 'operationName', 'variables', 'extensions'])

function readParameters(body: Buffer): Parameters | null {
  const text = body.toString()
  if (isDeeper(text, MAX_JSON_LEVELS)) return null
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (!isObject(value)) return null
  for (const name in value) if (!members.has(name)) return null
  const { query, operationName = null, variables, extensions } = value
  if (typeof query !== 'string') return null
  if (operationName !== null && typeof operationName !== 'string') return null
  if (!isObjectOrAbsent(variables) || !isObjectOrAbsent(extensions)) return null
  return { query, operationName, variables: variables ?? {} }
}

function isObjectOrAbsent(value: unknown): value is Readonly<Record<string, unknown>> | null | undefined {
  return value === undefined || value === null || isObject(value)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
