// GraphQL over HTTP, by Yoga. The body is read, and the answer is sent, by our own HTTP room: Yoga wraps every body
// in a stream, and builds a URL from a Host header that may not parse.

import { randomUUID } from 'node:crypto'
import { type ExecutionArgs, type ExecutionResult, GraphQLError, type GraphQLSchema } from 'graphql'
import { createYoga, type Plugin } from 'graphql-yoga'
import type { Answer, AnswerGraphql } from '../answer.ts'
import type { Caller } from '../caller.ts'
import { LookupError } from '../errors.ts'
import type { Observe } from '../observe/observation.ts'
import type { RequestContext } from './builder.ts'
import { createDocumentCache } from './documents.ts'
import type { Execution } from './execution.ts'
import { limitRules, parseLimited } from './limits.ts'

interface GraphQLOptions {
  readonly schema: GraphQLSchema
  readonly execution: Execution
  readonly introspection: boolean
  readonly observe: Observe
}

/** What Yoga is given beside a request. */
interface ServerContext {
  readonly caller: Caller
}

/** Any site may read, and none may send its user's credentials. */
const cors = ['Access-Control-Allow-Origin', '*']

/** How an answer goes out is settled by our HTTP room. Yoga means to stream some of them. */
const framing: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'transfer-encoding',
])

export function createGraphQLHandler({
  schema,
  execution,
  introspection,
  observe,
}: GraphQLOptions): AnswerGraphql {
  const yoga = createYoga<ServerContext>({
    schema,
    context: ({ caller }) => execution.createContext(caller),
    graphiql: false,
    landingPage: false,
    // Yoga looks for it at the end of the whole URL, so it is one that no URL ends in.
    healthCheckEndpoint: '\0',
    logging: false,
    multipart: false,
    cors: false,
    maxRequestBodySize: false,
    parserAndValidationCache: {
      documentCache: createDocumentCache((_, text: string) => text.length),
      errorCache: createDocumentCache((_, text: string) => text.length),
    },
    maskedErrors: { maskError: (error) => maskError(error, observe) },
    plugins: [limitQueries(introspection), refuseBrokenJson, executeWith(execution)],
  })
  return async (request, query, body) => {
    if (request.method === 'OPTIONS') return answerPreflight()
    const headers = new Headers()
    for (const name of ['accept', 'content-type'] as const) {
      const value = request.headers[name]
      // Media types are the same in any case (RFC 9110, 8.3.1), but Yoga compares them as they are.
      if (value !== undefined) headers.set(name, value.toLowerCase())
    }
    const method = request.method ?? 'GET'
    const sent = method === 'GET' || method === 'HEAD' ? {} : { body }
    const response = await yoga.fetch(
      `http://gateway/graphql?${query}`,
      { method, headers, ...sent },
      { caller: request },
    )
    const answered = [...response.headers].filter(([name]) => !framing.has(name.toLowerCase())).flat()
    return {
      status: response.status,
      headers: [...cors, ...answered],
      body: Buffer.from(await response.arrayBuffer()),
      etag: null,
    }
  }
}

function answerPreflight(): Answer {
  const headers = [...cors, 'Access-Control-Allow-Methods', 'GET, POST, OPTIONS']
  headers.push('Access-Control-Allow-Headers', 'content-type', 'Access-Control-Max-Age', '86400')
  return { status: 204, headers, body: '', etag: null }
}

/** Applies the limits to every document that comes over HTTP. */
function limitQueries(introspection: boolean): Plugin {
  const rules = limitRules(introspection)
  return {
    onParse: ({ setParseFn }) => setParseFn(parseLimited),
    onValidate: ({ addValidationRule }) => {
      for (const rule of rules) addValidationRule(rule)
    },
  }
}

function executeWith(execution: Execution): Plugin<RequestContext> {
  return {
    onExecute: ({ args: { contextValue }, setExecuteFn }) =>
      setExecuteFn(async (args: ExecutionArgs) =>
        markRequestErrors(await execution.run({ ...args, contextValue })),
      ),
  }
}

// GraphQL over HTTP: a request that never got as far as having data is 400, except as plain application/json.
function markRequestErrors(result: ExecutionResult): ExecutionResult {
  if (result.data !== undefined || result.errors === undefined) return result
  const http = { spec: true, status: 400 }
  const errors = result.errors.map(
    ({ message, nodes, source, positions, path, originalError, extensions }) =>
      new GraphQLError(message, {
        nodes: nodes ?? null,
        source: source ?? null,
        positions: positions ?? null,
        path: path ?? null,
        originalError: originalError ?? null,
        extensions: { ...extensions, http },
      }),
  )
  return { errors }
}

// Yoga's parsers of query strings and forms let JSON.parse throw, which would become a 500.
const refuseBrokenJson: Plugin = {
  onRequestParse: ({ requestParser, setRequestParser }) => {
    if (requestParser === undefined) return
    setRequestParser(async (request) => {
      try {
        return await requestParser(request)
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error
        throw new GraphQLError('The variables or extensions are not valid JSON.', {
          extensions: { code: 'BAD_REQUEST', http: { status: 400 } },
        })
      }
    })
  },
}

// What the table of failures foresees reaches the client; so do GraphQL's own errors about the query. Anything
// else is one fixed text here and one line in the log.
function maskError(error: unknown, observe: Observe): Error {
  const origin = error instanceof GraphQLError ? (error.originalError ?? error) : error
  if (error instanceof GraphQLError && (origin instanceof GraphQLError || origin instanceof LookupError))
    return error
  const requestId = randomUUID()
  observe({ type: 'unexpected', requestId, error: origin })
  const masked = new LookupError('Internal')
  const where = error instanceof GraphQLError ? { nodes: error.nodes ?? null, path: error.path ?? null } : {}
  return new GraphQLError(masked.message, {
    ...where,
    extensions: { code: masked.extensions.code, requestId },
  })
}
