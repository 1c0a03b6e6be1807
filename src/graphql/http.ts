// GraphQL over HTTP: reads requests by GET and POST, and writes responses. Yoga writes streams, and refuses
// other methods and mutations by GET.

import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import { GraphQLError } from 'graphql'
import { accepted } from '../accept.ts'
import { createHeaderReader } from '../header-reader.ts'
import type { GraphqlResponder } from '../response.ts'
import type { ReadCalls } from './calls.ts'
import { badRequest } from './errors.ts'
import type { Execution } from './execute.ts'
import { isOfOtherOperation } from './limits.ts'
import { type ReadParameters, readForm, readJson, readText } from './parameters.ts'
import { isResponseType, refusalTo, responseTo } from './response.ts'
import type { RespondByYoga } from './yoga.ts'

interface ResponderOptions {
  readonly execution: Execution
  readonly readCalls: ReadCalls
  /** Runs the operation itself. */
  readonly yoga: RespondByYoga
}

export function createResponder({ execution, readCalls, yoga }: ResponderOptions): GraphqlResponder {
  return async (request, query, body, caller) => {
    const { method, headers } = request
    const type = accepted(headers.accept).graphql
    if (type === null) return refusalTo(notAcceptable, type)
    const isPost = method === 'POST'
    const read = isPost ? readerOf(headers['content-type'] ?? '') : readForm
    if (read instanceof GraphQLError) return refusalTo(read, type)
    if (!isUtf8(body)) return refusalTo(notUtf8, type)
    const sent = read(isPost ? textOf(body) : query)
    if (sent instanceof GraphQLError) return refusalTo(sent, type)
    if (sent.isBatch && !isResponseType(type)) return refusalTo(noStream, type)

    const context = execution.createContext(caller, clientNameOf(headers))
    const requests = readCalls(sent.all)
    const isReading = method === 'GET' || method === 'HEAD'
    // A mutation by GET must get 405. Yoga sends it.
    const isMutation =
      isReading && requests.some((one) => 'errors' in one && one.errors?.some(isOfOtherOperation))
    if (isMutation || !isResponseType(type) || !(isReading || isPost))
      return yoga(method ?? 'GET', type, sent.all[0], context)
    const results = await execution.run(requests, context)
    return responseTo(results, type, context.values, sent.isBatch)
  }
}

/** Some clients write a byte order mark before the JSON. */
function textOf(body: Buffer): string {
  const hasMark = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf
  return hasMark ? body.toString('utf8', 3) : body.toString()
}

const unsupported = (message: string) => badRequest(message, 'UNSUPPORTED_MEDIA_TYPE', 415)
const noContentType = unsupported(
  'The request has no Content-Type header. Send Content-Type: application/json.',
)
const otherType = unsupported('The Content-Type is not one of GraphQL requests. Send application/json.')
const otherCharset = unsupported('The charset of the Content-Type is not utf-8. Send the body in UTF-8.')
const notUtf8 = badRequest('The request body is not valid UTF-8.')
const unacceptable = (message: string) => badRequest(message, 'NOT_ACCEPTABLE', 406)
const notAcceptable = unacceptable(
  'The Accept header allows no media type of a GraphQL response. Accept application/graphql-response+json.',
)
const noStream = unacceptable(
  'Several operations cannot be streamed. Accept application/graphql-response+json.',
)

const readers: ReadonlyMap<string, ReadParameters> = new Map([
  ['application/json', readJson],
  ['application/graphql+json', readJson],
  ['application/graphql', readText],
  ['application/x-www-form-urlencoded', readForm],
])
const MAX_HEADER_LENGTH = 1000

/** The reader of a body with this Content-Type, or why such a body is not read. */
const readerOf = createHeaderReader(MAX_HEADER_LENGTH, (header): ReadParameters | GraphQLError => {
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase())
  if (type === '') return noContentType
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))
  if (charset !== undefined && !/^charset="?(?:utf-?8|us-ascii)"?$/.test(charset)) return otherCharset
  return readers.get(type) ?? otherType
})

/** Characters of a client's name in metrics. */
const MAX_NAME_LENGTH = 64
/** Names in metrics have no quotes or line breaks, and are no mail address. */
const plainName = /^[\w.:/+() -]+$/

const readClientName = createHeaderReader(MAX_NAME_LENGTH + 1, (name) => {
  // A longer text is cut, so it is not the name that was sent.
  if (name.length > MAX_NAME_LENGTH) return 'other'
  const trimmed = name.trim()
  if (trimmed === '') return 'unnamed'
  return plainName.test(trimmed) ? trimmed : 'other'
})

/** The name that a client has for itself, as Apollo Client and others send it. */
function clientNameOf(headers: IncomingHttpHeaders): string {
  const name = headers['apollographql-client-name'] ?? headers['graphql-client-name']
  return typeof name === 'string' ? readClientName(name) : 'unnamed'
}
