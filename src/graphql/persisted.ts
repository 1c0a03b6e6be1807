// Finds the document of a request: its query, or a stored document by an id or a hash.

import { hash } from 'node:crypto'
import type { GraphQLError } from 'graphql'
import { LRUCache } from 'lru-cache'
import { LookupError } from '../errors.ts'
import { copyOf } from '../text.ts'
import type { ReadQuery } from './documents.ts'
import { badRequest, refusalError } from './errors.ts'
import { canonicalId } from './manifest.ts'
import type { Parameters } from './parameters.ts'
import type { TrustedDocuments } from './trusted.ts'

/**
 * Returns the text of the document that a request names, or why the document is not run.
 * @param maxTokens of a document that a client registers
 */
export type FindDocument = (
  parameters: Pick<Parameters, 'query' | 'documentId' | 'extensions'>,
  maxTokens?: number,
) => string | GraphQLError

interface PersistedOptions {
  readonly readQuery: ReadQuery
  readonly trusted: TrustedDocuments
  /** Whether documents that are not trusted are refused. */
  readonly onlyTrusted: boolean
}

/**
 * Each process caches the documents that clients register by their hash. After an eviction, a client sends
 * the query again.
 */
const MAX_REGISTERED = 2000
const MAX_REGISTERED_BYTES = 4 * 1024 * 1024
/** Bytes of an entry besides its text. */
const ENTRY_BYTES = 300

/** Apollo's clients and urql send the query after this error; some of them only if the status is 200. */
const unknownHash = refusalError(new LookupError('PersistedQueryNotFound'), { status: 200 })
const unknownId = refusalError(new LookupError('PersistedQueryNotFound'))
const notTrusted = refusalError(new LookupError('DocumentNotTrusted'))
const mismatch = refusalError(new LookupError('PersistedQueryMismatch'), { status: 400 })
const malformedHash = badRequest(
  'extensions.persistedQuery must be {"version": 1, "sha256Hash": "<the hash as a string>"}.',
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

  /** Registers a valid query under its hash, so that later requests can send the hash alone. */
  function register(id: string, query: string, maxTokens?: number): string | GraphQLError {
    const key = canonicalId(id)
    if (trusted.find(key) === query || registered.get(key) === query) return query
    if (onlyTrusted && !trusted.has(query)) return notTrusted
    // In UTF-8, all lone surrogates have the same bytes, so different texts would have one hash.
    if (!query.isWellFormed() || hash('sha256', query, 'hex') !== key) return mismatch
    if (!trusted.has(query) && readQuery(query, maxTokens).errors.length === 0)
      registered.set(key, copyOf(query))
    return query
  }

  return ({ query, documentId, extensions }, maxTokens) => {
    const persisted = extensions?.persistedQuery ?? null
    if (documentId != null) {
      if (typeof documentId !== 'string') return malformedId
      return query === null ? find(documentId, unknownId) : twoDocuments
    }
    if (persisted !== null) {
      const id = readHash(persisted)
      if (id === null) return malformedHash
      return query === null ? find(id, unknownHash) : register(id, query, maxTokens)
    }
    if (query === null) return noDocument
    return onlyTrusted && !trusted.has(query) ? notTrusted : query
  }
}

function readHash(persisted: unknown): string | null {
  if (typeof persisted !== 'object' || persisted === null) return null
  if (!('version' in persisted) || persisted.version !== 1) return null
  return 'sha256Hash' in persisted && typeof persisted.sha256Hash === 'string' ? persisted.sha256Hash : null
}
