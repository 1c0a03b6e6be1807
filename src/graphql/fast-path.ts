// The fast path for what nearly every GraphQL request is: one operation in a JSON body, or in a query string.
// Anything else is left to Yoga, before it has been run.

import type { IncomingMessage } from 'node:http'
import { GraphQLError } from 'graphql'
import { accepted } from '../gateway/accept.ts'
import type { AnswerGraphql } from '../gateway/answer.ts'
import type { ReadQuery } from './documents.ts'
import type { Execution } from './execute.ts'
import { type Parameters, readJsonBody, readQueryString } from './parameters.ts'
import type { FindDocument } from './persisted.ts'
import { isResponseType, responseTo } from './response.ts'
import { clientNameOf } from './usage.ts'

interface FastPathOptions {
  readonly execution: Execution
  readonly findDocument: FindDocument
  readonly readQuery: ReadQuery
  /** Answers everything else. */
  readonly fallback: AnswerGraphql
}

const jsonBody = /^application\/json(?:; ?charset=utf-8)?$/i

export function createFastPath({
  execution,
  findDocument,
  readQuery,
  fallback,
}: FastPathOptions): AnswerGraphql {
  return async (request, query, body, caller) => {
    const type = accepted(request.headers.accept).graphql
    const parameters = isResponseType(type) ? readParameters(request, query, body) : null
    if (!isResponseType(type) || parameters === null) return fallback(request, query, body, caller)
    const found = findDocument(parameters)
    if (found === null) return fallback(request, query, body, caller)
    if (found instanceof GraphQLError) return responseTo({ errors: [found] }, type, 0)
    const { document, errors } = readQuery(found)
    if (errors !== null) {
      // A mutation by GET must get 405 before any validation error: Yoga does that.
      if (request.method !== 'POST') return fallback(request, query, body, caller)
      return responseTo({ errors }, type, 0)
    }
    const { operationName, variables } = parameters
    const context = execution.createContext(caller, clientNameOf(request.headers))
    const result = await execution.run({ document, operationName, variableValues: variables }, context)
    return responseTo(result, type, context.values)
  }
}

/** @returns `null` for what is left to Yoga */
function readParameters(
  { method, headers }: IncomingMessage,
  query: string,
  body: Buffer,
): Parameters | null {
  if (method === 'GET' || method === 'HEAD') return readQueryString(query)
  return method === 'POST' && jsonBody.test(headers['content-type'] ?? '') ? readJsonBody(body) : null
}
