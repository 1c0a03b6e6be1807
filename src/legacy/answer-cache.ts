import type { Caller } from '../caller.ts'
import { copyOf, fingerprint } from '../fingerprint.ts'
import type { Answer } from '../gateway/answer.ts'

/** Characters of query strings and bodies that each of the two generations may hold. */
const GENERATION_BYTES = 8 * 1024 * 1024
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
 * Keeps the answers that are asked for again and again, from their second time on, for as long as the store's
 * data does not change.
 *
 * The store's version is read once for all requests that Node reads in one go, when the first of them needs
 * it. A change that is committed after that is seen by the next ones. It is not read for requests that are
 * new: their answers are neither here nor kept.
 *
 * @param version changes whenever the data does (`Store.version`)
 */
export function createAnswerCache(version: () => number): AnswerCache {
  let young = new Map<number, Kept>()
  let old = new Map<number, Kept>()
  let size = 0
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
      young = new Map()
      old = new Map()
      size = 0
    }
    return known
  }

  /** What was asked for lately survives; the rest goes with the older generation. */
  function keep(mark: number, kept: Kept): void {
    young.set(mark, kept)
    size += 2 * kept.query.length + kept.answer.body.length + ENTRY_OVERHEAD_BYTES
    if (size < GENERATION_BYTES) return
    old = young
    young = new Map()
    size = 0
  }

  function find(mark: number, query: string): Answer | undefined {
    const kept = young.get(mark)
    if (kept?.query === query) return kept.answer
    const survivor = old.get(mark)
    if (survivor?.query !== query) return undefined
    keep(mark, survivor)
    return survivor.answer
  }

  /** Remembers that it was asked for. @returns whether it was before */
  function markSeen(mark: number): boolean {
    const slot = mark & (MAX_REMEMBERED - 1)
    if (seen[slot] === mark) return true
    seen[slot] = mark
    return false
  }

  async function makeAndKeep(
    mark: number,
    query: string,
    caller: Caller,
    make: Make,
    state: number,
  ): Promise<Answer> {
    const answer = await make(query, caller)
    // Made of the data of that state, or of newer data.
    if (answer.etag !== null && state === known && answer.body.length <= MAX_ANSWER_BYTES)
      keep(mark, { query: copyOf(query), answer })
    return answer
  }

  return (query, caller, make) => {
    if (query.length > MAX_QUERY_LENGTH) return make(query, caller)
    const mark = fingerprint(query)
    const found = find(mark, query)
    if (found === undefined && !markSeen(mark)) return make(query, caller)
    const before = known
    const state = readVersion()
    return found !== undefined && state === before ? found : makeAndKeep(mark, query, caller, make, state)
  }
}
