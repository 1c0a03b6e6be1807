// GraphQL over HTTP, by Yoga. The body is read, and the answer is sent, by our own HTTP room: Yoga wraps
// every body in a stream, and builds a URL from a Host header that may not parse.

import { randomUUID } from 'node:crypto'
import { type ExecutionArgs, GraphQLError, type GraphQLSchema } from 'graphql'
import { createYoga, type Plugin } from 'graphql-yoga'
import type { Caller } from '../../caller.ts'
import { LookupError } from '../../errors.ts'
import { copyOf } from '../../fingerprint.ts'
import { isDeeper, MAX_JSON_LEVELS } from '../../json-depth.ts'
import type { Observe } from '../../observation.ts'
import type { Answer, AnswerGraphql } from '../answer.ts'
import { graphqlHeaders } from '../answer.ts'
import type { RequestContext } from './builder.ts'
import type { ReadQuery } from './documents.ts'
import { mask } from './errors.ts'
import type { Execution } from './execution.ts'
import { outcomeOf } from './response.ts'

interface GraphQLOptions {
  readonly schema: GraphQLSchema
  readonly execution: Execution
  readonly readQuery: ReadQuery
  readonly observe: Observe
}

/** What Yoga is given beside a request. */
interface ServerContext {
  readonly caller: Caller
  /** Why the parameters are not even parsed; `null` where they are. */
  readonly problem: string | null
  /** What the request came to, for those who count. */
  readonly noted: { context: RequestContext | null; outcome: string }
}

/** Parameters of a query string or of a form. GraphQL has four; each broken one takes 8 µs to decode. */
const MAX_PARAMETERS = 100
/** Characters of a header that Yoga is given. */
const MAX_HEADER_LENGTH = 1000

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
  readQuery,
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
    parserAndValidationCache: false,
    maskedErrors: { maskError: (error) => maskError(error, observe) },
    plugins: [readWith(readQuery), refuseBrokenJson, executeWith(execution), noteOutcome],
  })
  return async (request, query, body, caller) => {
    if (request.method === 'OPTIONS') return answerPreflight()
    const headers = new Headers()
    for (const name of ['accept', 'content-type'] as const) {
      const value = request.headers[name]
      // Media types are the same in any case (RFC 9110, 8.3.1), but Yoga compares them as they are, each with
      // each.
      if (value !== undefined) headers.set(name, value.slice(0, MAX_HEADER_LENGTH).toLowerCase())
    }
    const method = request.method ?? 'GET'
    const sent = method === 'GET' || method === 'HEAD' ? {} : { body }
    // A request that never becomes a result was none.
    const noted: ServerContext['noted'] = { context: null, outcome: 'InvalidGraphQL' }
    const problem = problemOf(query, headers.get('content-type'), body)
    const response = await yoga.fetch(
      `http://gateway/graphql?${query}`,
      { method, headers, ...sent },
      { caller, problem, noted },
    )
    const own = [...response.headers].filter(([name]) => !framing.has(name.toLowerCase()))
    const { context, outcome } = noted
    const values = context?.values ?? 0
    return {
      status: response.status,
      headers: [...graphqlHeaders, ...own.flat()],
      body: Buffer.from(await response.arrayBuffer()).toString('latin1'),
      etag: null,
      about: { event: 'graphql', format: 'JSON', outcome, values },
    }
  }
}

function answerPreflight(): Answer {
  const headers = [...graphqlHeaders, 'Access-Control-Allow-Methods', 'GET, POST, OPTIONS']
  headers.push('Access-Control-Allow-Headers', 'content-type', 'Access-Control-Max-Age', '86400')
  const about = { event: 'graphql', format: 'JSON', outcome: 'ok', values: 0 } as const
  return { status: 204, headers, body: '', etag: null, about }
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

// Yoga's parsers of query strings and forms let JSON.parse throw, which would become a 500.
const refuseBrokenJson: Plugin<object, ServerContext> = {
  onRequestParse: ({ requestParser, setRequestParser, serverContext: { problem } }) => {
    if (requestParser === undefined) return
    setRequestParser(async (request) => {
      if (problem !== null) throw badRequest(problem)
      try {
        const parsed = await requestParser(request)
        // Yoga remembers the text of a document for as long as there is the document, which is kept.
        if (!('query' in parsed) || typeof parsed.query !== 'string') return parsed
        return { ...parsed, query: copyOf(parsed.query) }
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error
        throw badRequest('The variables or extensions are not valid JSON.')
      }
    })
  },
}

function badRequest(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', http: { status: 400 } } })
}

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
