// Yoga answers what is unusual: forms, rare media types, streams, other methods. The wording is Yoga's own.
// The HTTP room reads the body and sends the response: Yoga wraps every body in a stream, and builds a URL
// from a Host header that may not parse.

import { randomUUID } from 'node:crypto'
import { GraphQLError, type GraphQLSchema } from 'graphql'
import { createYoga, type Plugin } from 'graphql-yoga'
import { accepted } from '../accept.ts'
import { type AnswerGraphql, openHeaders } from '../answer.ts'
import type { Caller } from '../caller.ts'
import { LookupError } from '../errors.ts'
import { isDeeper, MAX_JSON_LEVELS } from '../json-depth.ts'
import type { Observe } from '../observe/events.ts'
import { copyOf } from '../text.ts'
import type { RequestContext } from './builder.ts'
import { clientNameOf } from './client-name.ts'
import type { ReadQuery } from './documents.ts'
import { badRequest, mask } from './errors.ts'
import type { Execution } from './execute.ts'
import { malformed, parametersOf, tooDeep } from './parameters.ts'
import type { FindDocument } from './persisted.ts'
import { requestOf } from './requests.ts'
import { outcomeOf, refusalTo } from './response.ts'

interface YogaOptions {
  readonly schema: GraphQLSchema
  readonly execution: Execution
  readonly findDocument: FindDocument
  readonly readQuery: ReadQuery
  readonly observe: Observe
}

interface ServerContext {
  readonly caller: Caller
  readonly clientName: string
  /** For metrics and the log. */
  readonly about: { values: number; outcome: string }
}

/** Parameters of a query string or of a form. Yoga takes 8 µs for each broken one. */
const MAX_PARAMETERS = 100
const tooManyParameters = badRequest(`A request can have ${MAX_PARAMETERS} parameters.`)

/** The HTTP room sets these headers. */
const framing = ['cache-control', 'connection', 'content-encoding', 'content-length', 'transfer-encoding']

export function createYogaHandler(options: YogaOptions): AnswerGraphql {
  const { schema, execution, observe } = options
  const yoga = createYoga<ServerContext>({
    schema,
    context: ({ caller, clientName }) => execution.createContext(caller, clientName),
    graphiql: false,
    landingPage: false,
    // Yoga compares this with the end of the URL, and no URL ends in NUL.
    healthCheckEndpoint: '\0',
    logging: false,
    multipart: false,
    cors: false,
    maxRequestBodySize: false,
    parserAndValidationCache: false,
    maskedErrors: { maskError: (error) => maskError(error, observe) },
    plugins: [createPlugin(options)],
  })
  return async (request, query, body, caller) => {
    // Yoga compares media types literally: it knows no weights, and no blank before a semicolon.
    const type = accepted(request.headers.accept).graphql ?? 'application/json'
    const [contentType = ''] = request.headers['content-type']?.toLowerCase().split(';', 1) ?? []
    const headers = { accept: type, ...(contentType !== '' && { 'content-type': contentType.trim() }) }
    // Yoga knows no HEAD; the HTTP room leaves the body out.
    const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET')
    const problem = problemOf(query, contentType, body)
    if (problem !== null) return refusalTo(problem, type)
    const about = { values: 0, outcome: 'InvalidGraphQL' }
    const response = await yoga.fetch(
      `http://gateway/graphql?${query}`,
      { method, headers, ...(method === 'GET' ? {} : { body }) },
      { caller, clientName: clientNameOf(request.headers), about },
    )
    const own = [...response.headers].filter(([name]) => !framing.includes(name.toLowerCase()))
    return {
      status: response.status,
      headers: [...openHeaders, ...own.flat()],
      body: Buffer.from(await response.arrayBuffer()).toString('latin1'),
      etag: null,
      about: { event: 'graphql', format: 'JSON', ...about },
    }
  }
}

/** Reads and runs requests as http.ts does. Yoga chooses the methods and writes the responses. */
function createPlugin({
  execution,
  findDocument,
  readQuery,
}: YogaOptions): Plugin<RequestContext & ServerContext, ServerContext> {
  return {
    onRequestParse: ({ requestParser, setRequestParser }) => {
      if (requestParser === undefined) return
      setRequestParser(async (request) => {
        const parsed = await parse(requestParser, request)
        if (Array.isArray(parsed) || parsed instanceof Response) return parsed
        // Yoga does not read documentId from a query string.
        const documentId = new URL(request.url).searchParams.get('documentId') || null
        const parameters = parametersOf(request.method === 'GET' ? { ...parsed, documentId } : parsed)
        const found = parameters instanceof GraphQLError ? parameters : findDocument(parameters)
        if (parameters instanceof GraphQLError || found instanceof GraphQLError) throw found
        const { operationName, variables } = parameters
        // Yoga keeps the text as long as its document, which is kept.
        return { query: copyOf(found), variables, ...(operationName !== null && { operationName }) }
      })
    },
    onParse: ({ context: { params }, setParsedDocument }) => {
      const { document, errors } = readQuery(params.query ?? '')
      if (document === null) throw errors[0]
      setParsedDocument(document)
    },
    onValidate: ({ context: { params }, setResult }) => setResult([...readQuery(params.query ?? '').errors]),
    onExecute: ({ args: { contextValue }, setExecuteFn }) =>
      setExecuteFn(async () => {
        const { about, params } = contextValue
        const { query = '', operationName = null, variables = {} } = params
        const [result] = await execution.run(
          [requestOf(readQuery(query), { operationName, variables })],
          contextValue,
        )
        about.values = contextValue.values
        return result
      }),
    onResultProcess: ({ result, serverContext: { about } }) => {
      about.outcome = 'errors' in result ? outcomeOf(result.errors) : 'ok'
    },
  }
}

/** Yoga's parsers let JSON.parse throw, which would become a 500. */
async function parse<Parsed>(
  parser: (request: Request) => Parsed,
  request: Request,
): Promise<Awaited<Parsed>> {
  try {
    return await parser(request)
  } catch (error) {
    throw error instanceof SyntaxError ? malformed : error
  }
}

/** Finds what would take too long to parse in a body of JSON, in a form, or in a query string. */
function problemOf(query: string, contentType: string, body: Buffer): GraphQLError | null {
  const text = body.toString()
  const isForm = contentType.includes('form')
  const forms = [query, isForm ? text : '']
  if (forms.some((form) => form.split('&', MAX_PARAMETERS + 1).length > MAX_PARAMETERS))
    return tooManyParameters
  const values = forms.flatMap((form) => [...new URLSearchParams(form).values()])
  return [isForm ? '' : text, ...values].some((json) => isDeeper(json, MAX_JSON_LEVELS)) ? tooDeep : null
}

/** Shows what Yoga and the gateway say of a request. Any other error is logged, and hidden. */
function maskError(error: unknown, observe: Observe): GraphQLError {
  const cause = error instanceof GraphQLError ? (error.originalError ?? error) : error
  const isShown = cause instanceof GraphQLError || cause instanceof LookupError
  if (error instanceof GraphQLError && isShown) return error
  const requestId = randomUUID()
  observe({ type: 'unexpected', requestId, error: cause })
  return mask({ nodes: undefined, path: undefined }, requestId)
}
