// GraphQL over HTTP, by Yoga. The body is read, and the answer is sent, by our own HTTP room: Yoga wraps every body
// in a stream, and builds a URL from a Host header that may not parse.

import { randomUUID } from 'node:crypto'
import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
} from 'graphql'
import { createYoga, type Plugin } from 'graphql-yoga'
import type { Answer, AnswerGraphql } from '../answer.ts'
import type { Caller } from '../caller.ts'
import { LookupError } from '../errors.ts'
import type { Observe } from '../observe/observation.ts'
import { type RequestContext, valuesAsked } from './builder.ts'
import { createDocumentCache, sizeOfAny, sizeOfSyntaxError } from './documents.ts'
import type { Execution } from './execution.ts'
import { answered } from './headers.ts'
import type { Limits } from './limits.ts'

interface GraphQLOptions {
  readonly schema: GraphQLSchema
  readonly execution: Execution
  readonly limits: Limits
  readonly observe: Observe
}

/** What Yoga is given beside a request. */
interface ServerContext {
  readonly caller: Caller
  /** What the request came to, for those who count. */
  readonly noted: { context: RequestContext | null; outcome: string }
}

/** How an answer goes out is settled by our HTTP room. Yoga means to stream some of them. */
const framing: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'transfer-encoding',
])

export function createGraphQLHandler({ schema, execution, limits, observe }: GraphQLOptions): AnswerGraphql {
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
      documentCache: createDocumentCache<string, DocumentNode>(sizeOfAny),
      errorCache: createDocumentCache<string, Error>((_, text) => sizeOfSyntaxError(text)),
    },
    maskedErrors: { maskError: (error) => maskError(error, randomUUID(), observe) },
    plugins: [limitQueries(limits), refuseBrokenJson, executeWith(execution, observe), noteOutcome],
  })
  return async (request, query, body, caller) => {
    if (request.method === 'OPTIONS') return answerPreflight()
    const headers = new Headers()
    for (const name of ['accept', 'content-type'] as const) {
      const value = request.headers[name]
      // Media types are the same in any case (RFC 9110, 8.3.1), but Yoga compares them as they are.
      if (value !== undefined) headers.set(name, value.toLowerCase())
    }
    const method = request.method ?? 'GET'
    const sent = method === 'GET' || method === 'HEAD' ? {} : { body }
    // A request that never becomes a result was none.
    const noted: ServerContext['noted'] = { context: null, outcome: 'InvalidGraphQL' }
    const response = await yoga.fetch(
      `http://gateway/graphql?${query}`,
      { method, headers, ...sent },
      { caller, noted },
    )
    const own = [...response.headers].filter(([name]) => !framing.has(name.toLowerCase()))
    const { context, outcome } = noted
    const values = context === null ? 0 : valuesAsked(context)
    return {
      status: response.status,
      headers: [...answered, ...own.flat()],
      body: Buffer.from(await response.arrayBuffer()),
      etag: null,
      about: { event: 'graphql', format: 'JSON', outcome, values },
    }
  }
}

function answerPreflight(): Answer {
  const headers = [...answered, 'Access-Control-Allow-Methods', 'GET, POST, OPTIONS']
  headers.push('Access-Control-Allow-Headers', 'content-type', 'Access-Control-Max-Age', '86400')
  const about = { event: 'graphql', format: 'JSON', outcome: 'ok', values: 0 } as const
  return { status: 204, headers, body: '', etag: null, about }
}

/** Applies the limits to every document that comes over HTTP. */
function limitQueries({ parse, rules }: Limits): Plugin {
  return {
    onParse: ({ setParseFn }) => setParseFn(parse),
    onValidate: ({ addValidationRule }) => {
      for (const rule of rules) addValidationRule(rule)
    },
  }
}

function executeWith(execution: Execution, observe: Observe): Plugin<RequestContext & ServerContext> {
  return {
    onExecute: ({ args: { contextValue }, setExecuteFn }) =>
      setExecuteFn(async (args: ExecutionArgs) => {
        contextValue.noted.context = contextValue
        const result = markRequestErrors(await execution.run({ ...args, contextValue }))
        const requestId = contextValue.caller?.requestId ?? randomUUID()
        const errors = result.errors?.map((error) => maskError(error, requestId, observe))
        return errors === undefined ? result : { ...result, errors }
      }),
  }
}

const noteOutcome: Plugin<object, ServerContext> = {
  onResultProcess: ({ result, serverContext: { noted } }) => {
    noted.outcome = 'errors' in result ? outcomeOf(result.errors) : 'ok'
  },
}

function outcomeOf(errors: ExecutionResult['errors']): string {
  const [first] = errors ?? []
  if (first === undefined) return 'ok'
  return first.originalError instanceof LookupError ? first.originalError.code : 'InvalidGraphQL'
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
function maskError(error: unknown, requestId: string, observe: Observe): GraphQLError {
  const origin = error instanceof GraphQLError ? (error.originalError ?? error) : error
  if (error instanceof GraphQLError && (origin instanceof GraphQLError || origin instanceof LookupError))
    return error
  observe({ type: 'unexpected', requestId, error: origin })
  const masked = new LookupError('Internal')
  const where = error instanceof GraphQLError ? { nodes: error.nodes ?? null, path: error.path ?? null } : {}
  return new GraphQLError(masked.message, {
    ...where,
    originalError: masked,
    extensions: { code: masked.extensions.code, requestId },
  })
}
