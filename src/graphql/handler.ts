// The handler of GraphQL requests: its parts, and what caches may do with its responses.

import type { IncomingHttpHeaders } from 'node:http'
import type { GraphQLSchema } from 'graphql'
import { accepted } from '../accept.ts'
import type { QueryLimits, TrustedDocumentsSettings } from '../config/settings.ts'
import { lazily, whenIdle } from '../lazily.ts'
import type { Observe } from '../observe/events.ts'
import { etagOf, type GraphqlResponder, type HttpResponse } from '../response.ts'
import { createCallReader } from './calls.ts'
import { createDocuments, createReader } from './documents.ts'
import type { Execution } from './execute.ts'
import { createResponder } from './http.ts'
import { createFindDocument } from './persisted.ts'
import { noTrustedDocuments, openTrustedDocuments } from './trusted.ts'

export interface GraphqlHandlerOptions {
  readonly schema: GraphQLSchema
  readonly execution: Execution
  readonly queryLimits: QueryLimits
  readonly trustedDocuments: TrustedDocumentsSettings
  /** Seconds for which caches may keep the response to a GET request. */
  readonly maxAge: number
  readonly observe: Observe
}

export interface GraphqlHandler {
  readonly answer: GraphqlResponder
  /** Reads the manifest of trusted documents again. @throws ConfigError, and changes nothing */
  readonly reload: () => Promise<void>
}

/** @throws ConfigError if the manifest of trusted documents cannot be used */
export async function createGraphqlHandler(options: GraphqlHandlerOptions): Promise<GraphqlHandler> {
  const { schema, execution, queryLimits, trustedDocuments, maxAge, observe } = options
  const { manifest, only: onlyTrusted } = trustedDocuments
  const reader = createReader(schema, queryLimits, execution.readOperations)
  const trusted =
    manifest === null ? noTrustedDocuments : await openTrustedDocuments(manifest, reader, observe)
  const readQuery = createDocuments(reader, trusted.has)
  const findDocument = createFindDocument({ readQuery, trusted, onlyTrusted })
  // Yoga takes 0.2 s to load, which no request should wait for.
  const yoga = lazily(async () => {
    const { createYogaHandler } = await import('./yoga.ts')
    return createYogaHandler({ schema, execution, findDocument, readQuery, observe })
  })
  whenIdle(yoga)
  const respond = createResponder({
    execution,
    readCalls: createCallReader(findDocument, readQuery, queryLimits.tokens),
    yoga: async (...request) => (await yoga())(...request),
  })
  return {
    answer: (request, ...sent) => {
      const made = respond(request, ...sent)
      const isReading = request.method === 'GET' || request.method === 'HEAD'
      return isReading ? made.then((response) => withCaching(response, request.headers, maxAge)) : made
    },
    reload: trusted.reload,
  }
}

/**
 * Caches may keep a whole response to a GET request, and ask again by its ETag (RFC 9111), which differs for
 * each media type. A response with an error may differ the next time.
 */
function withCaching(made: HttpResponse, { accept }: IncomingHttpHeaders, maxAge: number): HttpResponse {
  const isWhole = made.status === 200 && made.about.outcome === 'ok'
  const cacheControl = isWhole ? `public, max-age=${maxAge}` : 'no-store'
  return {
    ...made,
    headers: [...made.headers, 'Vary', 'Accept', 'Cache-Control', cacheControl],
    etag: isWhole ? etagOf(`${accepted(accept).graphql} ${made.body}`) : null,
  }
}
