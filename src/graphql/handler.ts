import type { GraphQLSchema } from 'graphql'
import type { QueryLimits, TrustedDocumentsSettings } from '../config/settings.ts'
import { accepted, type GraphqlType } from '../gateway/accept.ts'
import { type Answer, type AnswerGraphql, etagOf } from '../gateway/answer.ts'
import { lazily } from '../lazily.ts'
import type { Observe } from '../observe/events.ts'
import type { ReadQuery } from './documents.ts'
import type { Execution } from './execute.ts'
import type { TrustedDocuments } from './trusted.ts'

interface GraphqlHandlerOptions {
  readonly schema: GraphQLSchema
  readonly execution: Execution
  readonly queryLimits: QueryLimits
  readonly trustedDocuments: TrustedDocumentsSettings
  /** Seconds for which caches may keep the answer to a GET request. */
  readonly maxAge: number
  readonly observe: Observe
}

interface GraphqlHandler {
  readonly answer: AnswerGraphql
  /** Reads the manifest of trusted documents again. @throws ConfigError: then all is as before */
  readonly reload: () => Promise<void>
}

/**
 * Answers GraphQL requests: plain ones on a fast path, all others by Yoga. Yoga takes a tenth of a second to
 * load, and the rules of validation as long: a process that is never asked does not load them, unless it has a
 * manifest of trusted documents to check.
 * @throws ConfigError
 */
export async function createGraphqlHandler({
  schema,
  execution,
  queryLimits,
  trustedDocuments,
  maxAge,
  observe,
}: GraphqlHandlerOptions): Promise<GraphqlHandler> {
  const reader = lazily(async () => {
    const { createReader } = await import('./documents.ts')
    return createReader(schema, queryLimits)
  })
  const trusted = await openTrusted(trustedDocuments.manifest, reader, observe)
  const documents = lazily(async () => {
    const [{ createDocuments }, { createFindDocument }] = await Promise.all([
      import('./documents.ts'),
      import('./persisted.ts'),
    ])
    const readQuery = createDocuments(await reader(), trusted.has)
    const { only: onlyTrusted } = trustedDocuments
    return { readQuery, findDocument: createFindDocument({ readQuery, trusted, onlyTrusted }) }
  })
  const yoga = whenAsked(async () => {
    const { createYogaHandler } = await import('./yoga.ts')
    return createYogaHandler({ schema, execution, ...(await documents()), observe })
  })
  const fastPath = whenAsked(async () => {
    const { createFastPath } = await import('./fast-path.ts')
    return createFastPath({ execution, ...(await documents()), fallback: yoga })
  })
  const answer: AnswerGraphql = async (request, query, body, caller) => {
    const made = await fastPath(request, query, body, caller)
    const { method, headers } = request
    if (method !== 'GET' && method !== 'HEAD') return made
    return withCaching(made, accepted(headers.accept).graphql, maxAge)
  }
  return { answer, reload: trusted.reload }
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

/** A handler that is made when it is first asked. */
function whenAsked(make: () => Promise<AnswerGraphql>): AnswerGraphql {
  let handler: AnswerGraphql | null = null
  const start = lazily(async () => (handler = await make()))
  return (...asked) => (handler === null ? start().then((made) => made(...asked)) : handler(...asked))
}

/**
 * What caches may do with the answer to a GET request (RFC 9111): keep a whole one, for so many seconds, and
 * ask again by its ETag, which is another one for each media type. One with an error may be another the next
 * time.
 */
function withCaching(answer: Answer, type: GraphqlType | null, maxAge: number): Answer {
  const isWhole = answer.status === 200 && answer.about.outcome === 'ok'
  const cacheControl = isWhole ? `public, max-age=${maxAge}` : 'no-store'
  return {
    ...answer,
    headers: [...answer.headers, 'Vary', 'Accept', 'Cache-Control', cacheControl],
    etag: isWhole ? etagOf(`${type} ${answer.body}`) : null,
  }
}
