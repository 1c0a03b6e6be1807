import { type DocumentNode, GraphQLError, type GraphQLSchema, specifiedRules, validate } from 'graphql'
import { LRUCache } from 'lru-cache'
import { fingerprint } from '../fingerprint.ts'
import { compiledFields } from './compiled.ts'
import { requestError } from './errors.ts'
import type { Limits } from './limits.ts'

/** Bytes of memory that the documents kept may come to: more than a hundred ordinary ones, or six of the largest. */
const MAX_KEPT_BYTES = 24 * 1024 * 1024
/** Bytes that a token of a parsed document may come to. */
const TOKEN_BYTES = 500
/** Bytes that a field of a compiled operation may come to, fragments spread. */
const FIELD_BYTES = 1500
/** Bytes that an error may come to. GraphQL looks for a hundred in a document. */
const ERROR_BYTES = 5000

/** A query text as it was read: a valid document, or why it is none. */
export type ReadDocument =
  | { readonly document: DocumentNode; readonly errors: null }
  | { readonly document: DocumentNode; readonly errors: readonly GraphQLError[] }
  /** It cannot even be parsed. */
  | { readonly document: null; readonly errors: readonly [GraphQLError] }

/** Parses and validates a query text, within the limits. */
export type ReadQuery = (query: string) => ReadDocument

/** Reads query texts, and keeps what lately came of them in bounded memory: new documents push out old ones. */
export function createDocuments(schema: GraphQLSchema, { parse, rules }: Limits): ReadQuery {
  const allRules = [...specifiedRules, ...rules]
  const kept = new LRUCache<number, { readonly query: string; readonly read: ReadDocument }>({
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: ({ query, read }) => 2 * query.length + sizeOf(read),
  })

  function read(query: string): ReadDocument {
    let document: DocumentNode
    try {
      document = parse(query)
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error
      return { document: null, errors: [requestError(error, 'GRAPHQL_PARSE_FAILED')] }
    }
    const errors = validate(schema, document, allRules)
    if (errors.length === 0) return { document, errors: null }
    return { document, errors: errors.map((error) => requestError(error, 'GRAPHQL_VALIDATION_FAILED')) }
  }

  return (query) => {
    const mark = fingerprint(query)
    const known = kept.get(mark)
    if (known?.query === query) return known.read
    const fresh = read(query)
    kept.set(mark, { query, read: fresh })
    return fresh
  }
}

/** Bytes that may be held for a query besides its text. */
function sizeOf({ document, errors }: ReadDocument): number {
  if (errors !== null) return ERROR_BYTES * errors.length + TOKEN_BYTES * (document?.tokenCount ?? 0)
  return TOKEN_BYTES * (document.tokenCount ?? 1) + FIELD_BYTES * compiledFields(document)
}
