// Turns the parameters of a request into calls of operations, or into the errors that say why not: finds the
// document, chooses the operation, and coerces the variables.

import { hash } from 'node:crypto'
import { type ExecutionResult, GraphQLError } from 'graphql'
import { LRUCache } from 'lru-cache'
import { LookupError } from '../errors.ts'
import { copyOf } from '../text.ts'
import type { QueryDocument, ReadQuery } from './documents.ts'
import { asBadInput, badRequest, refusalError, requestError } from './errors.ts'
import type { OperationCall } from './execute.ts'
import { beyondTokens } from './limits.ts'
import type { Parameters } from './parameters.ts'
import { canonicalId, type TrustedDocuments } from './trusted.ts'

/** Prepares the operations of one HTTP request. */
type ReadCalls = (all: readonly Parameters[]) => readonly (OperationCall | ExecutionResult)[]

interface CallReaderOptions {
  readonly readQuery: ReadQuery
  readonly trusted: TrustedDocuments
  /** Whether documents that are not trusted are refused. */
  readonly onlyTrusted: boolean
  /** Shared by all documents of a request, because reading takes up to 20 us for each token. */
  readonly maxTokens: number
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
const noOperation = requestError(
  new GraphQLError('Could not determine what operation to execute.'),
  'OPERATION_RESOLUTION_FAILURE',
)

export function createCallReader({
  readQuery,
  trusted,
  onlyTrusted,
  maxTokens,
}: CallReaderOptions): ReadCalls {
  const registered = new LRUCache<string, string>({
    max: MAX_REGISTERED,
    maxSize: MAX_REGISTERED_BYTES,
    sizeCalculation: (query) => 2 * query.length + ENTRY_BYTES,
  })

  /** Finds the text of the document that an operation names. @throws GraphQLError */
  function find({ query, documentId, extensions }: Parameters, tokensLeft: number): string {
    const persisted = extensions?.persistedQuery ?? null
    if (documentId != null) {
      if (typeof documentId !== 'string') throw malformedId
      if (query !== null) throw twoDocuments
      return findStored(documentId, unknownId)
    }
    if (persisted !== null) {
      const id = readHash(persisted)
      return query === null ? findStored(id, unknownHash) : register(id, query, tokensLeft)
    }
    if (query === null) throw noDocument
    if (onlyTrusted && !trusted.has(query)) throw notTrusted
    return query
  }

  function findStored(id: string, unknown: GraphQLError): string {
    const key = canonicalId(id)
    const text = trusted.find(key) ?? registered.get(key)
    if (text === undefined) throw onlyTrusted ? notTrusted : unknown
    return text
  }

  /** Registers a valid query under its hash, so that later requests can send the hash alone. */
  function register(id: string, query: string, tokensLeft: number): string {
    const key = canonicalId(id)
    if (trusted.find(key) === query || registered.get(key) === query) return query
    if (onlyTrusted && !trusted.has(query)) throw notTrusted
    // In UTF-8, all lone surrogates have the same bytes, so different texts would have one hash.
    if (!query.isWellFormed() || hash('sha256', query, 'hex') !== key) throw mismatch
    if (!trusted.has(query) && readQuery(query, tokensLeft).errors.length === 0)
      registered.set(key, copyOf(query))
    return query
  }

  return (all) => {
    const documents = new Map<string, QueryDocument>()
    let tokensLeft = maxTokens
    return all.map((parameters) => {
      try {
        const text = find(parameters, tokensLeft)
        const known = documents.get(text)
        const document = known ?? readQuery(text, tokensLeft)
        if (known === undefined) tokensLeft -= document.document?.tokenCount ?? 0
        if (tokensLeft < 0) throw beyondTokens(maxTokens)
        documents.set(text, document)
        return callOf(document, parameters)
      } catch (error) {
        if (error instanceof GraphQLError) return { errors: asBadInput([error]) }
        throw error
      }
    })
  }
}

/** @throws GraphQLError if `persistedQuery` is malformed */
function readHash(persisted: unknown): string {
  if (typeof persisted !== 'object' || persisted === null) throw malformedHash
  if (!('version' in persisted) || persisted.version !== 1) throw malformedHash
  if (!('sha256Hash' in persisted) || typeof persisted.sha256Hash !== 'string') throw malformedHash
  return persisted.sha256Hash
}

/** Chooses the operation that `operationName` selects, and coerces its variables. @throws GraphQLError */
function callOf(
  { operations, errors }: QueryDocument,
  { operationName, variables }: Parameters,
): OperationCall | ExecutionResult {
  if (errors.length > 0) return { errors }
  const only = operations.length === 1 ? operations[0] : undefined
  const operation = operationName === null ? only : operations.find(({ name }) => name === operationName)
  if (operation === undefined) throw noOperation
  const coercion = operation.readVariables(variables)
  if (coercion.errors !== undefined) return { errors: asBadInput(coercion.errors) }
  return { operation, variables: coercion.coerced, cost: operation.plan.costOf(coercion.coerced) }
}
