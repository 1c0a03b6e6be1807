import { LRUCache } from 'lru-cache'

/** How many documents are kept, and how many characters of query text they may add up to. */
const KEPT = 500
const KEPT_CHARACTERS = 2 * 1024 * 1024

/** Keeps what was made of query texts lately, in bounded memory: a parsed document is some fifty times its text. */
export function createDocumentCache<Value extends object>(): LRUCache<string, Value> {
  return new LRUCache({
    max: KEPT,
    maxSize: KEPT_CHARACTERS,
    sizeCalculation: (_value, text) => text.length + 1,
  })
}
