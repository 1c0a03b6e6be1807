import type { Answer } from '../answer.ts'

/** Characters of query strings and bodies that each of the two generations may hold. */
const GENERATION = 8 * 1024 * 1024
/** Longer answers are rarely asked for twice, and would push out hundreds of short ones. */
const LONGEST = 64 * 1024
const LONGEST_QUERY = 2048
/** How many query strings are remembered as asked for once: a power of two, as a number of bits. */
const REMEMBERED_BITS = 14

export interface AnswerCache {
  /** The answer to a query string, if it was kept and the data is still the same. */
  readonly get: (query: string) => Answer | undefined
  /** Names the state of the data that an answer is about to be made of. */
  readonly state: () => number
  /** Offers an answer that was made of that state. It is kept from the second time on. */
  readonly offer: (query: string, answer: Answer, state: number) => void
}

/**
 * Keeps the answers that are asked for again and again, for as long as the store's data does not change.
 *
 * The store's version is read once for all requests that Node has read in one go. They were all sent before it is
 * read, so a change that is committed later cannot have been known to any of them; the next ones see it.
 *
 * @param version changes whenever the data does (`Store.version`)
 */
export function createAnswerCache(version: () => number): AnswerCache {
  let young = new Map<string, Answer>()
  let old = new Map<string, Answer>()
  let size = 0
  const seen = new Uint32Array(2 ** REMEMBERED_BITS)
  let known = Number.NaN
  let checked = false

  function check(): void {
    if (checked) return
    checked = true
    setImmediate(() => {
      checked = false
    })
    const current = version()
    if (current === known) return
    known = current
    young = new Map()
    old = new Map()
    size = 0
  }

  /** What was asked for lately survives; the rest goes with the older generation. */
  function keep(query: string, answer: Answer): void {
    young.set(query, answer)
    size += query.length + answer.body.length
    if (size < GENERATION) return
    old = young
    young = new Map()
    size = 0
  }

  function get(query: string): Answer | undefined {
    check()
    const found = young.get(query)
    if (found !== undefined) return found
    const survivor = old.get(query)
    if (survivor !== undefined) keep(query, survivor)
    return survivor
  }

  function offer(query: string, answer: Answer, state: number): void {
    if (state !== known || query.length > LONGEST_QUERY || answer.body.length > LONGEST) return
    // Remembered as bare numbers: holding on to the strings would cost the garbage collector more than it saves.
    const mark = fingerprint(query)
    const slot = mark >>> (32 - REMEMBERED_BITS)
    if (seen[slot] === mark) keep(query, answer)
    else seen[slot] = mark
  }

  return { get, state: () => known, offer }
}

/** FNV-1a over the characters, mixed so that the upper bits are as good as the lower ones. */
function fingerprint(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0
}
