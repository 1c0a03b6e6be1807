// Reads query texts: parses and validates them within the limits, and caches what was read.

import { type DocumentNode, GraphQLError, type GraphQLSchema, parse, specifiedRules, validate } from 'graphql'
import { LRUCache } from 'lru-cache'
import type { QueryLimits } from '../config/settings.ts'
import { fingerprint } from '../fingerprint.ts'
import { copyOf } from '../text.ts'
import { requestError } from './errors.ts'
import { beyondTokens, limitRules } from './limits.ts'
import type { Operation, ReadOperations } from './operation.ts'

/** Memory of the cache: more than a hundred ordinary documents, or six of the largest. */
const MAX_CACHE_BYTES = 24 * 1024 * 1024
/** Documents that were used once, each a number. */
const MAX_USED_ONCE = 10_000
/** Memory of a token of a parsed document, of a field of a compiled operation, and of an error, at most. */
const TOKEN_BYTES = 500
const FIELD_BYTES = 1500
const ERROR_BYTES = 5000
/**
 * To locate an error, graphql-js reads all lines before it: 14 ms for 64,000. Errors of a longer text have no
 * location.
 */
const MAX_LINES = 1000

/** The operations of a query text, or its errors. */
export interface QueryDocument {
  /** `null` if the text cannot even be parsed. */
  readonly document: DocumentNode | null
  readonly operations: readonly Operation[]
  /** Empty if the document is valid. */
  readonly errors: readonly GraphQLError[]
}

/** @param maxTokens that the other documents of the request have left */
export type ReadQuery = (query: string, maxTokens?: number) => QueryDocument

/** Reads query texts without a cache. */
export function createReader(
  schema: GraphQLSchema,
  limits: QueryLimits,
  readOperations: ReadOperations,
): ReadQuery {
  const rules = limitRules(limits)
  const hideSuggestions = !limits.introspection

  function errorsOf(document: DocumentNode): readonly GraphQLError[] {
    // GraphQL's own rules may compare each field with each, so the limits are checked first.
    const beyond = validate(schema, document, rules)
    return beyond.length > 0 ? beyond : validate(schema, document, specifiedRules, { hideSuggestions })
  }

  return (query, maxTokens = limits.tokens) => {
    let document: DocumentNode | null = null
    try {
      const noLocation = query.split(/\r\n|[\n\r]/, MAX_LINES + 1).length > MAX_LINES
      document = parse(query, { noLocation, maxTokens })
      const errors = errorsOf(document)
      for (const error of errors) requestError(error, 'GRAPHQL_VALIDATION_FAILED')
      return { document, operations: errors.length === 0 ? readOperations(document) : [], errors }
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error
      const isTooLong = tooManyTokens.test(error.message)
      const shown = isTooLong ? beyondTokens(limits.tokens) : requestError(error, 'GRAPHQL_PARSE_FAILED')
      return { document, operations: [], errors: [shown] }
    }
  }
}

/** graphql-js has no code for this error. */
const tooManyTokens = /^Syntax Error: Document contains more tha[nt] \d+ tokens/

/**
 * Caches documents in bounded memory, from their second use on: a client that writes values into its queries
 * sends each one once, and to cache them costs a fifth of such a request.
 * @param isTrusted trusted documents have a cache of their own, so that no client evicts them
 */
export function createDocuments(read: ReadQuery, isTrusted: (query: string) => boolean): ReadQuery {
  const ofClients = createCache()
  const trusted = createCache()
  const usedOnce = new LRUCache<number, true>({ max: MAX_USED_ONCE })

  return (query, maxTokens) => {
    const cache = isTrusted(query) ? trusted : ofClients
    const key = fingerprint(query)
    const known = cache.get(key)
    if (known?.query === query) return known.read
    const isCached = cache === trusted || usedOnce.has(key)
    const own = isCached ? copyOf(query) : query
    const fresh = read(own, maxTokens)
    // The text may have had fewer tokens left than the next time.
    if (fresh.document === null) return fresh
    if (isCached) cache.set(key, { query: own, read: fresh })
    else usedOnce.set(key, true)
    return fresh
  }
}

function createCache() {
  return new LRUCache<number, { readonly query: string; readonly read: QueryDocument }>({
    maxSize: MAX_CACHE_BYTES,
    sizeCalculation: ({ query, read }) => 2 * query.length + bytesOf(read),
  })
}

/** Bytes of memory that a document may hold, compiled operations included. An error has its message twice. */
function bytesOf({ document, operations, errors }: QueryDocument): number {
  let bytes = TOKEN_BYTES * (document?.tokenCount ?? 0)
  for (const { plan } of operations) bytes += FIELD_BYTES * plan.compiledFields
  for (const { message } of errors) bytes += ERROR_BYTES + 4 * message.length
  return bytes
}
