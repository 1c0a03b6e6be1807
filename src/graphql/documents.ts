import { type DocumentNode, GraphQLError, type GraphQLSchema, Kind, specifiedRules, validate } from 'graphql'
import { LRUCache } from 'lru-cache'
import type { QueryLimits } from '../config/settings.ts'
import { fingerprint } from '../fingerprint.ts'
import { copyOf } from '../text.ts'
import { planOf } from './cost.ts'
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
      const errors = [requestError(error, 'GRAPHQL_PARSE_FAILED')] as const
      return { document: null, errors, bytes: bytesOf(errors) }
    }
    // GraphQL's own rules may have to compare each field with each: not in a document that is refused anyway.
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
