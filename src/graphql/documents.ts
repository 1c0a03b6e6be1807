import { LRUCache } from 'lru-cache'

/** How many documents are kept, and how many characters of query text they may add up to. */
const KEPT = 500
const KEPT_CHARACTERS = 2 * 1024 * 1024

/**
 * Keeps what was made of query texts lately, in bounded memory: a parsed document is some fifty times its text.
 * @param lengthOf how long the text is that an entry was made of
 */
export function createDocumentCache<Key extends string | number, Value extends object>(
  lengthOf: (value: Value, key: Key) => number,
): LRUCache<Key, Value> {
  return new LRUCache({
    max: KEPT,
    maxSize: KEPT_CHARACTERS,
    sizeCalculation: (value, key) => lengthOf(value, key) + 1,
  })
}
