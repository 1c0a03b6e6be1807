import { type DocumentNode, GraphQLError, type GraphQLSchema, Kind, specifiedRules, validate } from 'graphql'
import { LRUCache } from 'lru-cache'
import type { QueryLimits } from '../config/settings.ts'
import { fingerprint } from '../fingerprint.ts'
import { copyOf } from '../text.ts'
import { planOf } from './cost.ts'
import { requestError } from './errors.ts'
import { limitRules, parseWithin } from './limits.ts'

/** Memory of the cache: more than a hundred ordinary documents, or six of the largest. */
const MAX_CACHE_BYTES = 24 * 1024 * 1024
/** Memory of a token of a parsed document, of a field of a compiled operation, and of an error, at most. */
const TOKEN_BYTES = 500
const FIELD_BYTES = 1500
const ERROR_BYTES = 5000

/** A valid document, or what is wrong with the text of a query. */
export type ReadDocument = (
  | { readonly document: DocumentNode; readonly errors: null }
  | { readonly document: DocumentNode; readonly errors: readonly GraphQLError[] }
  /** The text cannot even be parsed. */
  | { readonly document: null; readonly errors: readonly [GraphQLError] }
) & {
  /** Bytes of memory that it may hold, compiled operations included. */
  readonly bytes: number
}

/** Parses and validates a query text, within the limits. */
export type ReadQuery = (query: string) => ReadDocument

/** Reads query texts without a cache. */
export function createReader(schema: GraphQLSchema, limits: QueryLimits): ReadQuery {
  const rules = limitRules(limits)
  const hideSuggestions = !limits.introspection
  return (query) => {
    let document: DocumentNode
    try {
      document = parseWithin(limits, query)
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error
      const errors = [requestError(error, 'GRAPHQL_PARSE_FAILED')] as const
      return { document: null, errors, bytes: bytesOf(errors) }
    }
    // GraphQL's own rules may compare each field with each, so the limits are checked first.
    const beyond = validate(schema, document, rules)
    const errors =
      beyond.length > 0 ? beyond : validate(schema, document, specifiedRules, { hideSuggestions })
    const tokenBytes = TOKEN_BYTES * (document.tokenCount ?? 0)
    if (errors.length === 0)
      return { document, errors: null, bytes: tokenBytes + FIELD_BYTES * compiledFields(schema, document) }
    for (const error of errors) requestError(error, 'GRAPHQL_VALIDATION_FAILED')
    return { document, errors, bytes: tokenBytes + bytesOf(errors) }
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
    sizeCalculation: ({ query, read }) => 2 * query.length + read.bytes,
  })
}

/** Fields of the operations of a document that may be compiled. */
function compiledFields(schema: GraphQLSchema, document: DocumentNode): number {
  let fields = 0
  for (const definition of document.definitions)
    if (definition.kind === Kind.OPERATION_DEFINITION)
      fields += planOf(schema, document, definition).compiledFields
  return fields
}

function bytesOf(errors: readonly GraphQLError[]): number {
  return errors.reduce((sum, { message }) => sum + 2 * message.length + ERROR_BYTES, 0)
}
