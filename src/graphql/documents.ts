// Reads query texts: parses and validates them within the limits, and caches what was read.

import { type DocumentNode, GraphQLError, type GraphQLSchema, specifiedRules, validate } from 'graphql'
import { LRUCache } from 'lru-cache'
import type { QueryLimits } from '../config/settings.ts'
import { fingerprint } from '../fingerprint.ts'
import { copyOf } from '../text.ts'
import { requestError } from './errors.ts'
import { limitRules, parseWithin } from './limits.ts'
import type { Operation, ReadOperations } from './operation.ts'

/** Memory of the cache: more than a hundred ordinary documents, or six of the largest. */
const MAX_CACHE_BYTES = 24 * 1024 * 1024
/** Memory of a token of a parsed document, of a field of a compiled operation, and of an error, at most. */
const TOKEN_BYTES = 500
const FIELD_BYTES = 1500
const ERROR_BYTES = 5000

/** What a query text says, or what is wrong with it. */
export interface ReadDocument {
  /** `null` if the text cannot even be parsed. */
  readonly document: DocumentNode | null
  readonly operations: readonly Operation[]
  /** Empty if the document is valid. */
  readonly errors: readonly GraphQLError[]
}

export type ReadQuery = (query: string) => ReadDocument

/** Reads query texts without a cache. */
export function createReader(
  schema: GraphQLSchema,
  limits: QueryLimits,
  readOperations: ReadOperations,
): ReadQuery {
  const rules = limitRules(limits)
  const hideSuggestions = !limits.introspection
  return (query) => {
    let document: DocumentNode | null = null
    try {
      document = parseWithin(limits, query)
      // GraphQL's own rules may compare each field with each, so the limits are checked first.
      const beyond = validate(schema, document, rules)
      const errors =
        beyond.length > 0 ? beyond : validate(schema, document, specifiedRules, { hideSuggestions })
      if (errors.length === 0) return { document, operations: readOperations(document), errors }
      for (const error of errors) requestError(error, 'GRAPHQL_VALIDATION_FAILED')
      return { document, operations: [], errors }
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error
      return { document, operations: [], errors: [requestError(error, 'GRAPHQL_PARSE_FAILED')] }
    }
  }
}

/**
 * Caches documents in bounded memory.
 * @param isTrusted trusted documents have a cache of their own, so that no client evicts them
 */
export function createDocuments(read: ReadQuery, isTrusted: (query: string) => boolean): ReadQuery {
  const ofClients = createCache()
  const trusted = createCache()

  return (query) => {
    const cache = isTrusted(query) ? trusted : ofClients
    const key = fingerprint(query)
    const known = cache.get(key)
    if (known?.query === query) return known.read
    const own = copyOf(query)
    const fresh = read(own)
    cache.set(key, { query: own, read: fresh })
    return fresh
  }
}

function createCache() {
  return new LRUCache<number, { readonly query: string; readonly read: ReadDocument }>({
    maxSize: MAX_CACHE_BYTES,
    sizeCalculation: ({ query, read }) => 2 * query.length + bytesOf(read),
  })
}

/** Bytes of memory that a document may hold, compiled operations included. */
function bytesOf({ document, operations, errors }: ReadDocument): number {
  let bytes = TOKEN_BYTES * (document?.tokenCount ?? 0)
  for (const { plan } of operations) bytes += FIELD_BYTES * plan.compiledFields
  for (const { message } of errors) bytes += ERROR_BYTES + 2 * message.length
  return bytes
}
