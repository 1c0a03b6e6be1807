// GraphQL over HTTP, by Yoga.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { GraphQLError, type GraphQLSchema } from 'graphql'
import { createYoga, type Plugin } from 'graphql-yoga'
import { LookupError } from '../errors.ts'
import type { Observe } from '../observe/observation.ts'
import type { Execution } from './execution.ts'
import { limitQueries, limits } from './limits.ts'

interface GraphQLOptions {
  readonly schema: GraphQLSchema
  readonly execution: Execution
  readonly introspection: boolean
  readonly observe: Observe
}

export type HttpHandler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

export function createGraphQLHandler({
  schema,
  execution,
  introspection,
  observe,
}: GraphQLOptions): HttpHandler {
  const yoga = createYoga({
    schema,
    context: execution.createContext,
    graphiql: false,
    landingPage: false,
    logging: false,
    multipart: false,
    cors: { origin: '*', credentials: false, methods: ['GET', 'POST', 'OPTIONS'] },
    maxRequestBodySize: limits.bytes,
    maskedErrors: { maskError: (error) => maskError(error, observe) },
    plugins: [
      limitQueries(introspection),
      refuseBrokenJson,
      { onExecute: ({ setExecuteFn }) => setExecuteFn(execution.run) } satisfies Plugin,
    ],
  })
  return (request, response) => {
    // Yoga builds a URL from the host and fails on what does not parse; nothing of ours depends on it.
    request.headers.host = 'gateway'
    return yoga(request, response)
  }
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
