import type { DocumentNode } from 'graphql'
import { LRUCache } from 'lru-cache'

/** Bytes of memory that each cache may come to: more than a hundred ordinary documents, or six of the largest. */
const KEPT = 12 * 1024 * 1024
/** Bytes that a token may come to: 500 when it is parsed, and 1,300 more when its operation is compiled. */
const TOKEN = 2000
/** Bytes that an error may come to, and how many of a document GraphQL looks for. */
const ERROR = 5000
const MAX_ERRORS = 100

/**
 * Keeps what was made of query texts lately, in bounded memory: a stream of new documents pushes out old ones.
 * @param sizeOf bytes that an entry may come to
 */
export function createDocumentCache<Key extends string | number, Value extends object>(
  sizeOf: (value: Value, key: Key) => number,
): LRUCache<Key, Value> {
  return new LRUCache({ maxSize: KEPT, sizeCalculation: sizeOf })
}

/** Bytes that a document without errors may come to. */
export function sizeOfValid({ tokenCount = 1 }: DocumentNode, text: string): number {
  return TOKEN * tokenCount + 2 * text.length
}

/** Bytes that a document may come to whose errors, if any, are kept with it. */
export function sizeOfAny(document: DocumentNode, text: string): number {
  return sizeOfValid(document, text) + ERROR * Math.min(document.tokenCount ?? 1, MAX_ERRORS)
}

/** Bytes that the error of a text that cannot be parsed may come to. */
export function sizeOfSyntaxError(text: string): number {
  return ERROR + 2 * text.length
}
