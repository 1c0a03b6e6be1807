// The handler of GraphQL requests: its parts, when they are loaded, and what caches may do with responses.

import type { IncomingHttpHeaders } from 'node:http'
import type { GraphQLSchema } from 'graphql'
import { accepted } from '../accept.ts'
import { type Answer, type AnswerGraphql, etagOf } from '../answer.ts'
import type { QueryLimits, TrustedDocumentsSettings } from '../config/settings.ts'
import { lazily, whenIdle } from '../lazily.ts'
import type { Observe } from '../observe/events.ts'
import type { ReadQuery } from './documents.ts'
import type { Execution } from './execute.ts'
import { createAnswer } from './http.ts'
import type { TrustedDocuments } from './trusted.ts'

interface GraphqlHandlerOptions {
  readonly schema: GraphQLSchema
  readonly execution: Execution
  readonly queryLimits: QueryLimits
  readonly trustedDocuments: TrustedDocumentsSettings
  /** Seconds for which caches may keep the response to a GET request. */
  readonly maxAge: number
  readonly observe: Observe
}

interface GraphqlHandler {
  readonly answer: AnswerGraphql
  /** Reads the manifest of trusted documents again. @throws ConfigError, and changes nothing */
  readonly reload: () => Promise<void>
}

/**
 * Yoga, and the rules of validation, take a second to load: not before the gateway is ready, unless a
 * manifest has to be checked.
 * @throws ConfigError
 */
export async function createGraphqlHandler(options: GraphqlHandlerOptions): Promise<GraphqlHandler> {
  const { schema, execution, queryLimits, trustedDocuments, maxAge, observe } = options
  const reader = lazily(async () => {
    const { createReader } = await import('./documents.ts')
    return createReader(schema, queryLimits, execution.readOperations)
  })
  const trusted = await openTrusted(trustedDocuments.manifest, reader, observe)
  const documents = lazily(async () => {
    const { createDocuments } = await import('./documents.ts')
    const { createFindDocument } = await import('./persisted.ts')
    const readQuery = createDocuments(await reader(), trusted.has)
    return {
      readQuery,
      findDocument: createFindDocument({ readQuery, trusted, onlyTrusted: trustedDocuments.only }),
    }
  })
  const yoga = lazily(async () => {
    const { createYogaHandler } = await import('./yoga.ts')
    return createYogaHandler({ schema, execution, ...(await documents()), observe })
  })
  const open = lazily(async () => {
    const { createRequestReader } = await import('./requests.ts')
    const { findDocument, readQuery } = await documents()
    const readRequests = createRequestReader(findDocument, readQuery, queryLimits.tokens)
    return createAnswer({ execution, readRequests, yoga: async (...request) => (await yoga())(...request) })
  })
  whenIdle(yoga)

  let opened: AnswerGraphql | null = null
  return {
    answer: async (request, query, body, caller) => {
      opened ??= await open()
      const made = await opened(request, query, body, caller)
      const { method, headers } = request
      return method === 'GET' || method === 'HEAD' ? withCaching(made, headers, maxAge) : made
    },
    reload: trusted.reload,
  }
}

/**
 * Caches may keep a whole response to a GET request, and ask again by its ETag (RFC 9111), which differs for
 * each media type. A response with an error may differ the next time.
 */
function withCaching(made: Answer, { accept }: IncomingHttpHeaders, maxAge: number): Answer {
  const isWhole = made.status === 200 && made.about.outcome === 'ok'
  const cacheControl = isWhole ? `public, max-age=${maxAge}` : 'no-store'
  return {
    ...made,
    headers: [...made.headers, 'Vary', 'Accept', 'Cache-Control', cacheControl],
    etag: isWhole ? etagOf(`${accepted(accept).graphql} ${made.body}`) : null,
  }
}

/** Without a manifest, there are no trusted documents. */
const nothingTrusted: TrustedDocuments = { find: () => undefined, has: () => false, reload: async () => {} }

async function openTrusted(
  path: string | null,
  reader: () => Promise<ReadQuery>,
  observe: Observe,
): Promise<TrustedDocuments> {
  if (path === null) return nothingTrusted
  const { openTrustedDocuments } = await import('./trusted.ts')
  return openTrustedDocuments(path, await reader(), observe)
}
