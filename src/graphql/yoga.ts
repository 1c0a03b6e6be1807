// GraphQL over HTTP, by Yoga. The body is read, and the answer is sent, by our own HTTP room: Yoga wraps
// every body in a stream, and builds a URL from a Host header that may not parse.

import { randomUUID } from 'node:crypto'
import { type ExecutionArgs, GraphQLError, type GraphQLSchema } from 'graphql'
import { createYoga, type GraphQLParams, type Plugin } from 'graphql-yoga'
import type { Caller } from '../caller.ts'
import { LookupError } from '../errors.ts'
import { accepted } from '../gateway/accept.ts'
import type { AnswerGraphql } from '../gateway/answer.ts'
import { openHeaders } from '../gateway/answer.ts'
import { isDeeper, MAX_JSON_LEVELS } from '../json-depth.ts'
import type { Observe } from '../observe/events.ts'
import { copyOf } from '../text.ts'
import type { RequestContext } from './builder.ts'
import type { ReadQuery } from './documents.ts'
import { badRequest, mask } from './errors.ts'
import type { Execution } from './execute.ts'
import type { FindDocument } from './persisted.ts'
import { outcomeOf, responseTo } from './response.ts'
import { clientNameOf } from './usage.ts'

interface GraphQLOptions {
  readonly schema: GraphQLSchema
  readonly execution: Execution
  readonly findDocument: FindDocument
  readonly readQuery: ReadQuery
  readonly observe: Observe
}

/** What Yoga is given beside a request. */
interface ServerContext {
  readonly caller: Caller
  readonly clientName: string
  /** Why the parameters are not even parsed; `null` where they are. */
  readonly problem: string | null
  /** What the request came to, for metrics and the log. */
  readonly noted: { context: RequestContext | null; outcome: string }
}

/** Parameters of a query string or of a form. GraphQL has five; each broken one takes 8 µs to decode. */
const MAX_PARAMETERS = 100
/** Characters of a header that Yoga is given. */
const MAX_HEADER_LENGTH = 1000

/** How an answer goes out, and is kept, is settled elsewhere. Yoga means to stream some of them. */
const framing: ReadonlySet<string> = new Set([
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'transfer-encoding',
])

export function createYogaHandler({
  schema,
  execution,
  findDocument,
  readQuery,
  observe,
}: GraphQLOptions): AnswerGraphql {
  const yoga = createYoga<ServerContext>({
    schema,
    context: ({ caller, clientName }) => execution.createContext(caller, clientName),
    graphiql: false,
    landingPage: false,
    // Yoga looks for it at the end of the whole URL, so it is one that no URL ends in.
    healthCheckEndpoint: '\0',
    logging: false,
    multipart: false,
    cors: false,
    maxRequestBodySize: false,
    parserAndValidationCache: false,
    maskedErrors: { maskError: (error) => maskError(error, observe) },
    plugins: [readWith(readQuery), parseWith(findDocument), executeWith(execution), noteOutcome],
  })
  return async (request, query, body, caller) => {
    const type = accepted(request.headers.accept).graphql
    if (type === null) return responseTo({ errors: [notAcceptable] }, 'application/json', 0)
    // Yoga compares media types as they are, each with each, and knows no weights.
    const headers = new Headers({ accept: type })
    const contentType = request.headers['content-type']
    if (contentType !== undefined) headers.set('content-type', mediaTypeOf(contentType))
    // Yoga knows no HEAD; the HTTP room leaves the body out.
    const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET')
    const sent = method === 'GET' ? {} : { body }
    // A request that never becomes a result was none.
    const noted: ServerContext['noted'] = { context: null, outcome: 'InvalidGraphQL' }
    const problem = problemOf(query, headers.get('content-type'), body)
    const response = await yoga.fetch(
      `http://gateway/graphql?${query}`,
      { method, headers, ...sent },
      { caller, clientName: clientNameOf(request.headers), problem, noted },
    )
    const own = [...response.headers].filter(([name]) => !framing.has(name.toLowerCase()))
    const { context, outcome } = noted
    const values = context?.values ?? 0
    return {
      status: response.status,
      headers: [...openHeaders, ...own.flat()],
      body: Buffer.from(await response.arrayBuffer()).toString('latin1'),
      etag: null,
      about: { event: 'graphql', format: 'JSON', outcome, values },
    }
  }
}

/** Has documents read where those of the short way are: once, and within the same limits. */
function readWith(readQuery: ReadQuery): Plugin {
  return {
    onParse: ({ params, setParsedDocument }) => {
      const { source } = params
      const { document, errors } = readQuery(typeof source === 'string' ? source : source.body)
      if (document === null) throw errors[0]
      setParsedDocument(document)
    },
    onValidate: ({ context, setResult }) => {
      setResult(readQuery(context.params.query ?? '').errors ?? [])
    },
  }
}

function executeWith(execution: Execution): Plugin<RequestContext & ServerContext> {
  return {
    onExecute: ({ args: { contextValue }, setExecuteFn }) =>
      setExecuteFn((args: ExecutionArgs) => {
        contextValue.noted.context = contextValue
        return execution.run(args, contextValue)
      }),
  }
}

const noteOutcome: Plugin<object, ServerContext> = {
  onResultProcess: ({ result, serverContext: { noted } }) => {
    noted.outcome = 'errors' in result ? outcomeOf(result.errors) : 'ok'
  },
}

/** Without parameters: Yoga takes a blank before the semicolon (RFC 9110, 5.6.6) for a part of the type. */
function mediaTypeOf(contentType: string): string {
  const [type = ''] = contentType.slice(0, MAX_HEADER_LENGTH).split(';', 1)
  return type.trim().toLowerCase()
}

/** Finds out what would take too long to parse, in a body of JSON, in a form, or in a query string. */
function problemOf(query: string, contentType: string | null, body: Buffer): string | null {
  const text = body.toString()
  const isForm = contentType?.startsWith('application/x-www-form-urlencoded') === true
  const forms = [query, isForm ? text : ''].filter((form) => form !== '')
  if (forms.some((form) => form.split('&', MAX_PARAMETERS + 1).length > MAX_PARAMETERS))
    return `A request may have ${MAX_PARAMETERS} parameters. This one has more.`
  const parameters = forms.flatMap((form) => [...new URLSearchParams(form).values()])
  const isDeep = [isForm ? '' : text, ...parameters].some((json) => isDeeper(json, MAX_JSON_LEVELS))
  return isDeep
    ? `The JSON of a request may be nested ${MAX_JSON_LEVELS} levels deep. This one is deeper.`
    : null
}

/** Has requests say which document they mean where those of the fast path do. */
function parseWith(findDocument: FindDocument): Plugin<object, ServerContext> {
  return {
    onRequestParse: ({
      request: { method },
      requestParser,
      setRequestParser,
      serverContext: { problem },
    }) => {
      if (requestParser === undefined) {
        // Yoga has no body for a media type that it does not know. Of another method, it says so.
        if (method === 'POST') throw unsupported
        return
      }
      setRequestParser(async (request) => {
        if (problem !== null) throw badRequest(problem)
        try {
          const parsed = await requestParser(request)
          if (Array.isArray(parsed) || parsed instanceof Response) return parsed
          return withQuery(parsed, documentIdOf(request, parsed), findDocument)
        } catch (error) {
          // Yoga's parsers of query strings and forms let JSON.parse throw, which would become a 500.
          if (!(error instanceof SyntaxError)) throw error
          throw badRequest('The variables or extensions are not valid JSON.')
        }
      })
    },
  }
}

/** Yoga reads it from no query string. */
function documentIdOf({ method, url }: Request, parsed: object): unknown {
  if (method !== 'GET') return 'documentId' in parsed ? parsed.documentId : null
  return new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('documentId') || null
}

/** @throws GraphQLError where the document is not answered */
function withQuery(parsed: GraphQLParams, documentId: unknown, findDocument: FindDocument): GraphQLParams {
  const { query = null, extensions = null, operationName = null } = parsed
  // Yoga refuses each other parameter of a wrong type.
  if (operationName !== null && typeof operationName !== 'string') throw malformedName
  if (query !== null && typeof query !== 'string') return parsed
  const isObject = typeof extensions === 'object' && !Array.isArray(extensions)
  const found = findDocument({ query, documentId, extensions: isObject ? extensions : null })
  if (found === null) throw noDocument
  if (found instanceof GraphQLError) throw found
  // Yoga remembers the text of a document for as long as there is the document, which is kept.
  return { ...parsed, ...('documentId' in parsed && { documentId: null }), query: copyOf(found) }
}

const malformedName = badRequest('operationName must be a string.')
const noDocument = badRequest('The request has no query, documentId or hash of a query. Send one of them.')
const notAcceptable = badRequest(
  'The Accept header allows no media type of a GraphQL response. Accept application/graphql-response+json.',
  'NOT_ACCEPTABLE',
  406,
)
const unsupported = badRequest(
  'The Content-Type is none of a GraphQL request. Send application/json.',
  'UNSUPPORTED_MEDIA_TYPE',
  415,
)

/**
 * What Yoga itself has to say reaches the client; anything else is one fixed text here and one line in the
 * log.
 */
function maskError(error: unknown, observe: Observe): GraphQLError {
  const origin = error instanceof GraphQLError ? (error.originalError ?? error) : error
  if (error instanceof GraphQLError && (origin instanceof GraphQLError || origin instanceof LookupError))
    return error
  const requestId = randomUUID()
  observe({ type: 'unexpected', requestId, error: origin })
  return mask(error instanceof GraphQLError ? error : {}, requestId)
}
