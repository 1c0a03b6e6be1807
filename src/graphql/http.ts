// What clients send by GET and POST, and what they get. Yoga answers what is unusual.

import { isUtf8 } from 'node:buffer'
import { type ExecutionResult, GraphQLError } from 'graphql'
import { accepted } from '../gateway/accept.ts'
import type { AnswerGraphql } from '../gateway/answer.ts'
import { createHeaderReader } from '../gateway/header-reader.ts'
import { clientNameOf } from './client-name.ts'
import type { ReadQuery } from './documents.ts'
import { badRequest, requestError } from './errors.ts'
import type { Execution, Operation } from './execute.ts'
import { type Parameters, readJsonBody, readQueryString, withoutMark } from './parameters.ts'
import type { FindDocument } from './persisted.ts'
import { batchResponseTo, isResponseType, responseTo } from './response.ts'

interface AnswerOptions {
  readonly execution: Execution
  readonly findDocument: FindDocument
  readonly readQuery: ReadQuery
  /** Tokens of a document. */
  readonly maxTokens: number
  /** Answers what is unusual, before anything of it has run. */
  readonly fallback: AnswerGraphql
}

interface ReadOperation {
  readonly operation: Operation | ExecutionResult
  readonly tokens: number
}

export function createAnswer({
  execution,
  findDocument,
  readQuery,
  maxTokens,
  fallback,
}: AnswerOptions): AnswerGraphql {
  /** The operation that parameters name, or why it does not run; and the tokens that were read. */
  function readOperation(parameters: Parameters): ReadOperation {
    const found = findDocument(parameters)
    if (found instanceof GraphQLError) return { operation: { errors: [found] }, tokens: 0 }
    const { document, errors } = readQuery(found)
    const tokens = document?.tokenCount ?? 0
    if (errors !== null) return { operation: { errors }, tokens }
    const { operationName, variables } = parameters
    return { operation: { document, operationName, variableValues: variables }, tokens }
  }

  /** Reading a document takes up to 20 us for each token, so the documents of a batch share the limit. */
  function readBatch(batch: readonly Parameters[]): readonly ReadOperation['operation'][] {
    const texts = new Set<string | null>()
    let left = maxTokens
    return batch.map((parameters) => {
      const { query } = parameters
      const isKnown = query !== null && texts.has(query)
      if (left < 0 && !isKnown) return { errors: [tooManyTokens] }
      const { operation, tokens } = readOperation(parameters)
      if (!isKnown) left -= tokens
      texts.add(query)
      return operation
    })
  }

  return async (request, query, sent, caller) => {
    const body = withoutMark(sent)
    const { headers } = request
    const type = accepted(headers.accept).graphql
    if (type === null) return responseTo({ errors: [notAcceptable] }, 'application/json', 0)
    const isReading = request.method === 'GET' || request.method === 'HEAD'
    const content = isReading ? jsonContent : contentOf(headers['content-type'] ?? '')
    const refuse = (error: GraphQLError) =>
      responseTo({ errors: [error] }, isResponseType(type) ? type : 'application/json', 0)
    if (request.method === 'POST' && content.problem !== null) return refuse(content.problem)
    if (!isUtf8(body)) return refuse(notUtf8)
    if (!isResponseType(type) || !content.isJson || !(isReading || request.method === 'POST'))
      return fallback(request, query, body, caller)

    const parameters = isReading ? readQueryString(query) : readJsonBody(body)
    if (parameters === null) return fallback(request, query, body, caller)
    if (parameters instanceof GraphQLError) return refuse(parameters)
    const context = execution.createContext(caller, clientNameOf(headers))
    if (isBatch(parameters)) {
      const results = await execution.runBatch(readBatch(parameters), context)
      return batchResponseTo(results, type, context.values)
    }
    const { operation } = readOperation(parameters)
    if ('document' in operation) {
      const result = await execution.run(operation, context)
      return responseTo(result, type, context.values)
    }
    // A mutation by GET must get 405 before any validation error, which Yoga does.
    return isReading ? fallback(request, query, body, caller) : responseTo(operation, type, 0)
  }
}

const isBatch = (read: Parameters | readonly Parameters[]): read is readonly Parameters[] =>
  Array.isArray(read)

const tooManyTokens = requestError(
  new GraphQLError('The operations of the batch have too many tokens. Send several requests.'),
  'TOO_MANY_TOKENS',
)

interface Content {
  readonly isJson: boolean
  /** Why a body of this type is not read. */
  readonly problem: GraphQLError | null
}

const jsonContent: Content = { isJson: true, problem: null }
const unsupported = (message: string): Content => ({
  isJson: false,
  problem: badRequest(message, 'UNSUPPORTED_MEDIA_TYPE', 415),
})
const noContentType = unsupported(
  'The request has no Content-Type header. Send Content-Type: application/json.',
)
const otherType = unsupported('The Content-Type is none of a GraphQL request. Send application/json.')
const otherCharset = unsupported('The charset of the Content-Type is not utf-8. Send the body in UTF-8.')
const notUtf8 = badRequest('The request body is not valid UTF-8.')
const notAcceptable = badRequest(
  'The Accept header allows no media type of a GraphQL response. Accept application/graphql-response+json.',
  'NOT_ACCEPTABLE',
  406,
)

/** Media types that Yoga reads. */
const yogaTypes = ['application/graphql+json', 'application/graphql', 'application/x-www-form-urlencoded']
const MAX_HEADER_LENGTH = 1000

const contentOf = createHeaderReader(MAX_HEADER_LENGTH, (header): Content => {
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase())
  if (type === '') return noContentType
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))
  if (charset !== undefined && !/^charset="?(?:utf-?8|us-ascii)"?$/.test(charset)) return otherCharset
  if (type === 'application/json') return jsonContent
  return yogaTypes.includes(type) ? { isJson: false, problem: null } : otherType
})
