import { type DocumentNode, GraphQLError, type GraphQLSchema, specifiedRules, validate } from 'graphql'
import { LRUCache } from 'lru-cache'
import type { QueryLimits } from '../config/settings.ts'
import { fingerprint } from '../fingerprint.ts'
import { copyOf } from '../text.ts'
import { compiledFields } from './compiled.ts'
import { requestError } from './errors.ts'
import { limitRules, parseWithin } from './limits.ts'

/**
 * Bytes of memory that the documents kept may come to: more than a hundred ordinary ones, or six of the
 * largest.
 */
const MAX_KEPT_BYTES = 24 * 1024 * 1024
/** Bytes that a token of a parsed document may come to. */
const TOKEN_BYTES = 500
/** Bytes that a field of a compiled operation may come to, fragments spread. */
const FIELD_BYTES = 1500
/** Bytes that an error may come to, besides its message. GraphQL looks for a hundred in a document. */
const ERROR_BYTES = 5000

/** A query text as it was read: a valid document, or why it is none. */
export type ReadDocument =
  | { readonly document: DocumentNode; readonly errors: null }
  | { readonly document: DocumentNode; readonly errors: readonly GraphQLError[] }
  /** It cannot even be parsed. */
  | { readonly document: null; readonly errors: readonly [GraphQLError] }

/** Parses and validates a query text, within the limits. */
export type ReadQuery = (query: string) => ReadDocument

/** Reads query texts, each as if for the first time. */
export function createReader(schema: GraphQLSchema, limits: QueryLimits): ReadQuery {
  const rules = limitRules(limits)
  const hideSuggestions = !limits.introspection
  return (query) => {
    let document: DocumentNode
    try {
      document = parseWithin(limits, query)
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error
      return { document: null, errors: [requestError(error, 'GRAPHQL_PARSE_FAILED')] }
    }
    // GraphQL's own rules may have to compare each field with each: not in a document that is refused anyway.
    const beyond = validate(schema, document, rules)
    const errors =
      beyond.length > 0 ? beyond : validate(schema, document, specifiedRules, { hideSuggestions })
    if (errors.length === 0) return { document, errors: null }
    return { document, errors: errors.map((error) => requestError(error, 'GRAPHQL_VALIDATION_FAILED')) }
  }
}

/**
 * Keeps what lately came of query texts in bounded memory: new documents push out old ones.
 * @param isTrusted which texts are kept apart, so that no client pushes them out
 */
export function createDocuments(read: ReadQuery, isTrusted: (query: string) => boolean): ReadQuery {
  const ofClients = createCache()
  const trusted = createCache()

  return (query) => {
    const kept = isTrusted(query) ? trusted : ofClients
    const mark = fingerprint(query)
    const known = kept.get(mark)
    if (known?.query === query) return known.read
    const own = copyOf(query)
    const fresh = read(own)
    kept.set(mark, { query: own, read: fresh })
    return fresh
  }
}

function createCache() {
  return new LRUCache<number, { readonly query: string; readonly read: ReadDocument }>({
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: ({ query, read }) => 2 * query.length + sizeOf(read),
  })
}

/** Bytes that may be held for a query besides its text. */
function sizeOf({ document, errors }: ReadDocument): number {
  if (errors !== null) {
    const messages = errors.reduce((sum, { message }) => sum + 2 * message.length, 0)
    return ERROR_BYTES * errors.length + messages + TOKEN_BYTES * (document?.tokenCount ?? 0)
  }
  return TOKEN_BYTES * (document.tokenCount ?? 1) + FIELD_BYTES * compiledFields(document)
}
