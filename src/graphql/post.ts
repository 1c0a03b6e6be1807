// The short way for what nearly every GraphQL request is: a good query in a JSON body. Anything else, and whatever
// goes wrong on the way, is left to Yoga, which asks again from the start (queries have no side effects) and words
// the refusal. So this way knows no errors, and answers nothing that Yoga would answer otherwise.

import type { IncomingMessage } from 'node:http'
import { type DocumentNode, type GraphQLSchema, specifiedRules, validate } from 'graphql'
import type { AnswerGraphql } from '../answer.ts'
import { fingerprint } from '../fingerprint.ts'
import { valuesAsked } from './builder.ts'
import { createDocumentCache, sizeOfValid } from './documents.ts'
import type { Execution } from './execution.ts'
import { answered } from './headers.ts'
import type { Limits } from './limits.ts'

interface PostOptions {
  readonly schema: GraphQLSchema
  readonly execution: Execution
  readonly limits: Limits
  /** Answers everything else. */
  readonly otherwise: AnswerGraphql
}

const json = 'application/json; charset=utf-8'

/** The content type for each Accept header that is answered here: what Yoga answers to it. */
const contentTypes: Readonly<Record<string, string>> = {
  '*/*': json,
  'application/json': json,
  'application/graphql-response+json': 'application/graphql-response+json; charset=utf-8',
}

const jsonBody = /^application\/json(?:; ?charset=utf-8)?$/i

export function createShortWay({ schema, execution, limits, otherwise }: PostOptions): AnswerGraphql {
  const rules = [...specifiedRules, ...limits.rules]
  const documents = createDocumentCache<number, Known>(({ document, query }) => sizeOfValid(document, query))

  /** The parsed document of a valid query; `null` for any other. */
  function prepare(query: string): DocumentNode | null {
    const mark = fingerprint(query)
    const known = documents.get(mark)
    if (known?.query === query) return known.document
    try {
      const document = limits.parse(query)
      if (validate(schema, document, rules).length > 0) return null
      documents.set(mark, { query, document })
      return document
    } catch {
      return null
    }
  }

  /** What a request asks for, where it goes the short way. */
  function read({ method, headers }: IncomingMessage, body: Buffer): Asked | null {
    const accept = headers.accept ?? '*/*'
    if (method !== 'POST' || !jsonBody.test(headers['content-type'] ?? '')) return null
    const contentType = Object.hasOwn(contentTypes, accept) ? contentTypes[accept] : undefined
    const parameters = contentType === undefined ? null : readParameters(body)
    const document = parameters === null ? null : prepare(parameters.query)
    if (contentType === undefined || parameters === null || document === null) return null
    return { contentType, document, parameters }
  }

  return async (request, query, body, caller) => {
    const asked = read(request, body)
    if (asked === null) return otherwise(request, query, body, caller)
    const { contentType, document, parameters } = asked
    const contextValue = execution.createContext(caller)
    const args = {
      schema,
      document,
      operationName: parameters.operationName,
      variableValues: parameters.variables,
      contextValue,
    }
    const result = await execution.run(args)
    if (result.errors !== undefined) return otherwise(request, query, body, caller)
    const headers = [...answered, 'Content-Type', contentType]
    const answer = Buffer.from(JSON.stringify({ data: result.data })).toString('latin1')
    const about = {
      event: 'graphql',
      format: 'JSON',
      outcome: 'ok',
      values: valuesAsked(contextValue),
    } as const
    return { status: 200, headers, body: answer, etag: null, about }
  }
}

interface Known {
  readonly query: string
  readonly document: DocumentNode
}

interface Asked {
  readonly contentType: string
  readonly document: DocumentNode
  readonly parameters: Parameters
}

interface Parameters {
  readonly query: string
  readonly operationName: string | null
  readonly variables: Readonly<Record<string, unknown>>
}

const members: ReadonlySet<string> = new Set(['query', 'operationName', 'variables', 'extensions'])

function readParameters(body: Buffer): Parameters | null {
  let value: unknown
  try {
    value = JSON.parse(body.toString())
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
