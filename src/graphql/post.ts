// The short way for what nearly every GraphQL request is: a good query in a JSON body. Anything else, and whatever
// goes wrong on the way, is left to Yoga, which asks again from the start (queries have no side effects) and words
// the refusal. So this way knows no errors, and answers nothing that Yoga would answer otherwise.

import type { IncomingMessage } from 'node:http'
import { type DocumentNode, type GraphQLSchema, specifiedRules, validate } from 'graphql'
import type { Answer } from '../answer.ts'
import { createDocumentCache } from './documents.ts'
import type { Execution } from './execution.ts'
import { limitRules, parseLimited } from './limits.ts'

interface PostOptions {
  readonly schema: GraphQLSchema
  readonly execution: Execution
  readonly introspection: boolean
}

/** Answers a request, or leaves it with `null`. */
export type ShortWay = (request: IncomingMessage, body: Buffer) => Promise<Answer | null>

const json = 'application/json; charset=utf-8'

/** The content type for each Accept header that is answered here: what Yoga answers to it. */
const contentTypes: Readonly<Record<string, string>> = {
  '*/*': json,
  'application/json': json,
  'application/graphql-response+json': 'application/graphql-response+json; charset=utf-8',
}

const jsonBody = /^application\/json(?:; ?charset=utf-8)?$/i

export function createShortWay({ schema, execution, introspection }: PostOptions): ShortWay {
  const rules = [...specifiedRules, ...limitRules(introspection)]
  const documents = createDocumentCache<DocumentNode>()

  /** The parsed document of a valid query; `null` for any other. */
  function prepare(query: string): DocumentNode | null {
    const known = documents.get(query)
    if (known !== undefined) return known
    try {
      const document = parseLimited(query)
      if (validate(schema, document, rules).length > 0) return null
      documents.set(query, document)
      return document
    } catch {
      return null
    }
  }

  return async ({ method, headers }, body) => {
    const accept = headers.accept ?? '*/*'
    if (method !== 'POST' || !jsonBody.test(headers['content-type'] ?? '')) return null
    const contentType = Object.hasOwn(contentTypes, accept) ? contentTypes[accept] : undefined
    const parameters = contentType === undefined ? null : readParameters(body)
    const document = parameters === null ? null : prepare(parameters.query)
    if (contentType === undefined || parameters === null || document === null) return null
    const result = await execution.run({
      schema,
      document,
      operationName: parameters.operationName,
      variableValues: parameters.variables,
      contextValue: execution.createContext(),
    })
    if (result.errors !== undefined) return null
    const answer = Buffer.from(JSON.stringify({ data: result.data }))
    const answerHeaders = ['Access-Control-Allow-Origin', '*', 'Content-Type', contentType]
    return { status: 200, headers: answerHeaders, body: answer, etag: null }
  }
}

interface Parameters {
  readonly query: string
  readonly operationName: string | null
  readonly variables: Readonly<Record<string, unknown>>
}

function readParameters(body: Buffer): Parameters | null {
  let value: unknown
  try {
    value = JSON.parse(body.toString())
  } catch {
    return null
  }
  if (!isObject(value)) return null
  const { query, operationName = null, variables, extensions, ...others } = value
  if (typeof query !== 'string' || Object.keys(others).length > 0) return null
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
