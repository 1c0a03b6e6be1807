// What clients send by GET and POST, and what they get. Yoga answers what is unusual.

import { isUtf8 } from 'node:buffer'
import { GraphQLError } from 'graphql'
import { accepted } from '../accept.ts'
import type { AnswerGraphql } from '../answer.ts'
import { createHeaderReader } from '../header-reader.ts'
import { clientNameOf } from './client-name.ts'
import { badRequest } from './errors.ts'
import type { Execution } from './execute.ts'
import { readJsonBody, readQueryString, withoutMark } from './parameters.ts'
import type { ReadRequests } from './requests.ts'
import { isResponseType, refusalTo, responseTo } from './response.ts'

interface AnswerOptions {
  readonly execution: Execution
  readonly readRequests: ReadRequests
  /** Answers what is unusual, before anything of it has run. */
  readonly fallback: AnswerGraphql
}

export function createAnswer({ execution, readRequests, fallback }: AnswerOptions): AnswerGraphql {
  return async (request, query, sent, caller) => {
    const body = withoutMark(sent)
    const { headers } = request
    const type = accepted(headers.accept).graphql
    if (type === null) return refusalTo(notAcceptable, type)
    const isReading = request.method === 'GET' || request.method === 'HEAD'
    const content = isReading ? jsonContent : contentOf(headers['content-type'] ?? '')
    if (request.method === 'POST' && content.problem !== null) return refusalTo(content.problem, type)
    if (!isUtf8(body)) return refusalTo(notUtf8, type)
    if (!isResponseType(type) || !content.isJson || !(isReading || request.method === 'POST'))
      return fallback(request, query, body, caller)

    const read = isReading ? readQueryString(query) : readJsonBody(body)
    if (read === null) return fallback(request, query, body, caller)
    if (read instanceof GraphQLError) return refusalTo(read, type)
    const requests = readRequests(read.all)
    // A mutation by GET must get 405 before any validation error, which Yoga does.
    if (isReading && requests.some((one) => 'errors' in one)) return fallback(request, query, body, caller)
    const context = execution.createContext(caller, clientNameOf(headers))
    const results = await execution.run(requests, context)
    return responseTo(results, type, context.values, read.isBatch)
  }
}

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
