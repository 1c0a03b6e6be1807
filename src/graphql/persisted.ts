// Which document a request means: the query that it brings along, or one that it names by an id or a hash.
// Every GraphQL request passes here, whichever way it is answered.

import { hash } from 'node:crypto'
import type { GraphQLError } from 'graphql'
import { LRUCache } from 'lru-cache'
import { LookupError } from '../errors.ts'
import { copyOf } from '../text.ts'
import type { ReadQuery } from './documents.ts'
import { badRequest, refusalError } from './errors.ts'
import type { Parameters } from './parameters.ts'
import { canonicalId, type TrustedDocuments } from './trusted.ts'

/** Returns the text of the document that a request names, or why the document is not run. */
export type FindDocument = (
  parameters: Pick<Parameters, 'query' | 'documentId' | 'extensions'>,
) => string | GraphQLError

interface PersistedOptions {
  readonly readQuery: ReadQuery
  readonly trusted: TrustedDocuments
  /** Whether all others are refused. */
  readonly onlyTrusted: boolean
}

/**
 * Documents that clients have registered by their hash are kept in each process, new ones in the place of
 * those that were asked for least lately. All together take 4 MiB; a client that sends many of the largest
 * pushes the others out with 32 requests, and they are sent once more.
 */
const MAX_REGISTERED = 2000
const MAX_REGISTERED_BYTES = 4 * 1024 * 1024
/** Bytes of an entry besides its text. */
const ENTRY_BYTES = 300

/** Apollo's clients, and urql, look for this answer and then send the query; some of them at 200 only. */
const unknownHash = refusalError(new LookupError('PersistedQueryNotFound'), { status: 200 })
const unknownId = refusalError(new LookupError('PersistedQueryNotFound'))
const notTrusted = refusalError(new LookupError('DocumentNotTrusted'))
const mismatch = refusalError(new LookupError('PersistedQueryMismatch'), { status: 400 })
const malformedHash = badRequest(
  'extensions.persistedQuery must be {"version": 1, "sha256Hash": "…"}, with a string.',
)
const malformedId = badRequest('documentId must be a string.')
const noDocument = badRequest('The request has no query, documentId or hash of a query. Send one of them.')
const twoDocuments = badRequest('A request has a query or a documentId. This one has both.')

export function createFindDocument({ readQuery, trusted, onlyTrusted }: PersistedOptions): FindDocument {
  const registered = new LRUCache<string, string>({
    max: MAX_REGISTERED,
    maxSize: MAX_REGISTERED_BYTES,
    sizeCalculation: (query) => 2 * query.length + ENTRY_BYTES,
  })

  function find(id: string, unknown: GraphQLError): string | GraphQLError {
    const key = canonicalId(id)
    return trusted.find(key) ?? registered.get(key) ?? (onlyTrusted ? notTrusted : unknown)
  }

  /** A query whose hash comes along is kept for those who send the hash alone, where it is valid. */
  function register(id: string, query: string): string | GraphQLError {
    const key = canonicalId(id)
    if (trusted.find(key) === query || registered.get(key) === query) return query
    if (onlyTrusted && !trusted.has(query)) return notTrusted
    // A text that is not well-formed would have the hash of another.
    if (!query.isWellFormed() || hash('sha256', query, 'hex') !== key) return mismatch
    if (!trusted.has(query) && readQuery(query).errors === null) registered.set(key, copyOf(query))
    return query
  }

  return ({ query, documentId, extensions }) => {
    const persisted = extensions?.persistedQuery ?? null
    if (documentId != null) {
      if (typeof documentId !== 'string') return malformedId
      return query === null ? find(documentId, unknownId) : twoDocuments
    }
    if (persisted !== null) {
      const id = hashOf(persisted)
      if (id === null) return malformedHash
      return query === null ? find(id, unknownHash) : register(id, query)
    }
    if (query === null) return noDocument
    return onlyTrusted && !trusted.has(query) ? notTrusted : query
  }
}

function hashOf(persisted: unknown): string | null {
  if (typeof persisted !== 'object' || persisted === null) return null
  if (!('version' in persisted) || persisted.version !== 1) return null
  return 'sha256Hash' in persisted && typeof persisted.sha256Hash === 'string' ? persisted.sha256Hash : null
}
