// GraphQL over HTTP: reads requests by GET and POST, and writes responses, with what caches may do with them.

import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import { GraphQLError, type GraphQLSchema } from 'graphql'
import { accepted, type GraphqlType, isResponseType } from '../accept.ts'
import type { Config } from '../config/config.ts'
import { createHeaderReader } from '../header-reader.ts'
import { lazily, whenIdle } from '../lazily.ts'
import type { Observe } from '../observe/events.ts'
import { etagOf, type GraphqlResponder, type HttpResponse } from '../response.ts'
import { createCallReader } from './calls.ts'
import { createDocuments, createReader } from './documents.ts'
import { badRequest } from './errors.ts'
import type { Execution } from './execute.ts'
import { isOfMutation } from './limits.ts'
import { type ReadParameters, readForm, readJson, readText } from './parameters.ts'
import { refusalTo, responseTo } from './response.ts'
import { noTrustedDocuments, openTrustedDocuments } from './trusted.ts'

export interface GraphqlHandler {
  readonly respond: GraphqlResponder
  /** Reads the manifest of trusted documents again. @throws ConfigError, and changes nothing */
  readonly reload: () => Promise<void>
}

/** @throws ConfigError if the manifest of trusted documents cannot be used */
export async function createGraphqlHandler(
  { queryLimits, trustedDocuments, graphqlMaxAge }: Config,
  schema: GraphQLSchema,
  execution: Execution,
  observe: Observe,
): Promise<GraphqlHandler> {
  const { manifest, only: onlyTrusted } = trustedDocuments
  const reader = createReader(schema, queryLimits, execution.readOperations)
  const trusted =
    manifest === null ? noTrustedDocuments : await openTrustedDocuments(manifest, reader, observe)
  const readQuery = createDocuments(reader, trusted.has)
  const readCalls = createCallReader({ readQuery, trusted, onlyTrusted, maxTokens: queryLimits.tokens })
  // Yoga takes 0.2 s to load, which no request should wait for.
  const openWriter = lazily(async () => (await import('./yoga.ts')).createStreamWriter())
  whenIdle(openWriter)

  const respond: GraphqlResponder = async (request, query, body, caller) => {
    const { method = '', headers } = request
    const type = accepted(headers.accept).graphql
    const isReading = method === 'GET' || method === 'HEAD'
    let response: HttpResponse
    try {
      if (type === null) throw notAcceptable
      if (method !== 'POST' && !isReading) throw otherMethod
      const { all, isBatch } = isReading ? readForm(query) : readBody(headers, body)
      if (isBatch && !isResponseType(type)) throw noStream
      const context = execution.createContext(caller, clientNameOf(headers))
      const calls = readCalls(all)
      const isMutation = isReading && calls.some((one) => 'errors' in one && one.errors?.some(isOfMutation))
      const results = isMutation ? [{ errors: [byPost] }] : await execution.run(calls, context)
      response = isResponseType(type)
        ? responseTo(results, type, context.values, isBatch)
        : await (await openWriter())(results[0] ?? {}, type, context.values)
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error
      response = refusalTo(error, type)
    }
    return isReading ? withCaching(response, type, graphqlMaxAge) : response
  }
  return { respond, reload: trusted.reload }
}

const otherMethod = badRequest('GraphQL only supports GET and POST requests.', 'BAD_REQUEST', 405, {
  Allow: 'GET, POST',
})
const byPost = badRequest('Can only perform a mutation operation from a POST request.', 'BAD_REQUEST', 405, {
  Allow: 'POST',
})
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

/**
 * Caches may keep a whole response to a GET request, and ask again by its ETag (RFC 9111), which differs for
 * each media type. A response with an error may differ the next time.
 */
function withCaching(made: HttpResponse, type: GraphqlType | null, maxAge: number): HttpResponse {
  const isWhole = made.status === 200 && made.about.outcome === 'ok'
  const cacheControl = isWhole ? `public, max-age=${maxAge}` : 'no-store'
  return {
    ...made,
    headers: [...made.headers, 'Vary', 'Accept', 'Cache-Control', cacheControl],
    etag: isWhole ? etagOf(`${type} ${made.body}`) : null,
  }
}

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

/** @throws GraphQLError */
function readBody(headers: IncomingHttpHeaders, body: Buffer) {
  const read = readerOf(headers['content-type'] ?? '')
  if (read instanceof GraphQLError) throw read
  if (!isUtf8(body)) throw notUtf8
  // Some clients write a byte order mark before the JSON.
  const hasMark = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf
  return read(hasMark ? body.toString('utf8', 3) : body.toString())
}

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
