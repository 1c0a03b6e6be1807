// Keeps the answers that are asked for again and again, for as long as the data of the store stays the same.

import type { LRUCache } from 'lru-cache'
import type { Caller } from '../caller.ts'
import { fingerprint } from '../fingerprint.ts'
import type { Answer } from '../gateway/answer.ts'
import { copyOf } from '../text.ts'

/** Characters of the query strings and bodies that are kept. */
const MAX_BYTES = 16 * 1024 * 1024
/** What an answer takes beside its characters, counted as so many of them. */
const ENTRY_OVERHEAD_BYTES = 400
/** Longer answers are rarely asked for twice, and would push out hundreds of short ones. */
const MAX_ANSWER_BYTES = 64 * 1024
const MAX_QUERY_LENGTH = 2048
/** How many queries are remembered as asked for once: a power of two. */
const MAX_REMEMBERED = 2 ** 14

interface Kept {
  readonly query: string
  readonly answer: Answer
}

/**
 * The answer to a query string: one that was kept, or one that `make` makes. A refusal, which has no ETag, is
 * not kept.
 * @throws what `version` throws
 */
export type AnswerCache = (query: string, caller: Caller, make: Make) => Answer | Promise<Answer>

type Make = (query: string, caller: Caller) => Promise<Answer>

/**
 * Keeps answers from the second time on that they are asked for.
 *
 * The store's version is read once for all requests that Node reads in one go, when the first of them needs
 * it. A change that is committed after that is seen by the next ones. It is not read for requests that are
 * new: their answers are neither here nor kept.
 *
 * @param version changes whenever the data does (`Store.version`)
 */
export function createAnswerCache(version: () => number): AnswerCache {
  /** Made for the first answer that is kept: a start does not wait for the library. */
  let answers: LRUCache<number, Kept> | null = null
  // Bare numbers: holding on to the query strings would cost the garbage collector more than it saves.
  const seen = new Int32Array(MAX_REMEMBERED)
  let known = Number.NaN
  let checked = false

  function readVersion(): number {
    if (checked) return known
    // Where it cannot be read, no request of this turn may be answered by what was known before.
    const current = version()
    checked = true
    setImmediate(() => {
      checked = false
    })
    if (current !== known) {
      known = current
      answers?.clear()
    }
    return known
  }

  /** Remembers that it was asked for. @returns whether it was before */
  function markSeen(mark: number): boolean {
    const slot = mark & (MAX_REMEMBERED - 1)
    if (seen[slot] === mark) return true
    seen[slot] = mark
    return false
  }

  /** @param state the version that was read before the answer was made, of the same or newer data */
  async function keep(made: Promise<Answer>, mark: number, query: string, state: number): Promise<Answer> {
    const answer = await made
    if (answer.etag === null || answer.body.length > MAX_ANSWER_BYTES) return answer
    answers ??= await createCache()
    if (state === known) answers.set(mark, { query: copyOf(query), answer })
    return answer
  }

  return (query, caller, make) => {
    if (query.length > MAX_QUERY_LENGTH) return make(query, caller)
    const mark = fingerprint(query)
    const kept = answers?.get(mark)
    const found = kept?.query === query ? kept.answer : undefined
    if (found === undefined && !markSeen(mark)) return make(query, caller)
    const before = known
    const state = readVersion()
    return found !== undefined && state === before ? found : keep(make(query, caller), mark, query, state)
  }
}

async function createCache(): Promise<LRUCache<number, Kept>> {
  const { LRUCache } = await import('lru-cache')
  return new LRUCache<number, Kept>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ query, answer }) => 2 * query.length + answer.body.length + ENTRY_OVERHEAD_BYTES,
  })
}
