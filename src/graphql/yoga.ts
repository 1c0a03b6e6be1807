// Yoga writes streams, and refuses other methods and mutations by GET, in its own words. The code that reads
// all other requests has read the parameters.

import { randomUUID } from 'node:crypto'
import { GraphQLError, type GraphQLSchema } from 'graphql'
import { createYoga, type Plugin } from 'graphql-yoga'
import type { GraphqlType } from '../accept.ts'
import { LookupError } from '../errors.ts'
import type { Observe } from '../observe/events.ts'
import { type HttpResponse, openHeaders } from '../response.ts'
import type { ResolverContext } from './builder.ts'
import { callOf } from './calls.ts'
import type { QueryDocument, ReadQuery } from './documents.ts'
import { mask } from './errors.ts'
import type { Execution } from './execute.ts'
import type { Parameters } from './parameters.ts'
import type { FindDocument } from './persisted.ts'
import { outcomeOf } from './response.ts'

/** @param type of the response, which the client accepts */
export type RespondByYoga = (
  method: string,
  type: GraphqlType,
  parameters: Parameters,
  context: ResolverContext,
) => Promise<HttpResponse>

interface YogaOptions {
  readonly schema: GraphQLSchema
  readonly execution: Execution
  readonly findDocument: FindDocument
  readonly readQuery: ReadQuery
  readonly observe: Observe
}

interface ServerContext {
  readonly context: ResolverContext
  readonly parameters: Parameters
  readonly document: QueryDocument | GraphQLError
  /** Notes the outcome for metrics and the log. Yoga copies the context, so a field would not be seen. */
  readonly note: (outcome: string) => void
}

/** The HTTP server sets these headers. */
const serverHeaders = [
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'transfer-encoding',
]

export function createYogaHandler({
  schema,
  execution,
  findDocument,
  readQuery,
  observe,
}: YogaOptions): RespondByYoga {
  const yoga = createYoga<ServerContext>({
    schema,
    graphiql: false,
    landingPage: false,
    // Yoga compares this with the end of the URL, and no URL ends in NUL.
    healthCheckEndpoint: '\0',
    logging: false,
    multipart: false,
    cors: false,
    parserAndValidationCache: false,
    maskedErrors: { maskError: (error) => maskError(error, observe) },
    plugins: [createPlugin(execution)],
  })
  return async (method, type, parameters, context) => {
    const found = findDocument(parameters)
    const document = found instanceof GraphQLError ? found : readQuery(found)
    let outcome = document instanceof GraphQLError ? outcomeOf([document]) : 'InvalidGraphQL'
    const note = (known: string) => {
      outcome = known
    }
    const response = await yoga.fetch(
      'http://gateway/graphql?query=',
      // Yoga does not support HEAD. The HTTP server drops the body.
      { method: method === 'HEAD' ? 'GET' : method, headers: { accept: type } },
      { context, parameters, document, note },
    )
    const own = [...response.headers].filter(([name]) => !serverHeaders.includes(name.toLowerCase()))
    return {
      status: response.status,
      headers: [...openHeaders, ...own.flat()],
      body: Buffer.from(await response.arrayBuffer()).toString('latin1'),
      etag: null,
      about: { event: 'graphql', format: 'JSON', values: context.values, outcome },
    }
  }
}

function createPlugin(execution: Execution): Plugin<ServerContext, ServerContext> {
  return {
    onRequestParse: ({ serverContext: { document, parameters }, setRequestParser }) =>
      setRequestParser(() => {
        if (document instanceof GraphQLError) throw document
        const { operationName } = parameters
        return { query: '{ __typename }', ...(operationName !== null && { operationName }) }
      }),
    onParse: ({ context: { document }, setParsedDocument }) => {
      if (document instanceof GraphQLError) throw document
      if (document.document === null) throw document.errors[0]
      setParsedDocument(document.document)
    },
    onValidate: ({ context: { document }, setResult }) => {
      if (!(document instanceof GraphQLError)) setResult([...document.errors])
    },
    onExecute: ({ args, setExecuteFn }) =>
      setExecuteFn(async () => {
        const { document, parameters, context, note }: ServerContext = args.contextValue
        if (document instanceof GraphQLError) throw document
        const [result] = await execution.run([callOf(document, parameters)], context)
        note(outcomeOf(result?.errors))
        return result
      }),
  }
}

/** Shows errors of Yoga and of the gateway. Logs and masks all others. */
function maskError(error: unknown, observe: Observe): GraphQLError {
  const cause = error instanceof GraphQLError ? (error.originalError ?? error) : error
  const isForClients = cause instanceof GraphQLError || cause instanceof LookupError
  if (error instanceof GraphQLError && isForClients) return error
  const requestId = randomUUID()
  observe({ type: 'unexpected', requestId, error: cause })
  return mask({ nodes: undefined, path: undefined }, requestId)
}
