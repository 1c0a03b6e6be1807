// Answers in the coding that a client asks for (Accept-Encoding). The length of a compressed answer can give
// a secret away that stands beside what the client sent (BREACH). No answer has one: there are no sessions
// and no tokens, and every client may read all that there is to read.

import type { IncomingMessage } from 'node:http'
import type { Compression } from '../../settings.ts'
import type { Answer } from '../answer.ts'
import { createCodedAnswers } from './coded-answers.ts'
import { coderFor } from './coders.ts'
import { type Coding, codingFor } from './codings.ts'
import { matches, withVary } from './respond.ts'

/** Shorter answers take one packet either way. */
const MIN_BYTES = 1024
/**
 * Longer answers are compressed on other threads. For so many bytes, 500 users, the slowest coding, gzip,
 * takes 0.4 ms, and 1.7 ms for the worst text.
 */
const MAX_SYNC_BYTES = 64 * 1024
/** Bytes of answers that other threads work on, which take three times that. What is more goes out as it is. */
const MAX_PENDING_BYTES = 4 * 1024 * 1024
/** Bytes of lookups that are kept in a coding, beside the cache that keeps them as they are. */
const MAX_KEPT_BYTES = 8 * 1024 * 1024

/** For the bytes of a text. In a buffer of their own, they would live as long as what coders.ts says. */
const space = Buffer.allocUnsafeSlow(MAX_SYNC_BYTES)

/** Makes an answer what it is to the client of a request. */
export type Compress = (request: IncomingMessage, answer: Answer) => Answer | Promise<Answer>

export function createCompression(mode: Compression): Compress {
  const pages = createCodedAnswers(Number.POSITIVE_INFINITY)
  const lookups = createCodedAnswers(MAX_KEPT_BYTES)
  const seen = new WeakSet<Answer>()
  let pending = 0

  function isCompressible({ body, isLegacy, headers, passed }: Answer): boolean {
    if (mode === 'off' || body.length < MIN_BYTES || (isLegacy === true && mode !== 'all')) return false
    if (passed !== undefined) return false
    return !headers.includes('Content-Encoding')
  }

  /** A lookup that comes here for the second time is kept as an answer (legacy/answer-cache.ts). */
  function isKept(answer: Answer): boolean {
    if (answer.isLegacy !== true) return false
    if (seen.has(answer)) return true
    seen.add(answer)
    return false
  }

  function compress(answer: Answer, coding: Coding): Answer | Promise<Answer> {
    const { body } = answer
    if (body.length > MAX_SYNC_BYTES) return compressLater(answer, coding)
    const bytes = typeof body === 'string' ? space.subarray(0, space.write(body, 'latin1')) : body
    return coded(answer, coding, coderFor(coding).now(bytes))
  }

  async function compressLater(answer: Answer, coding: Coding): Promise<Answer> {
    const { body } = answer
    if (pending + body.length > MAX_PENDING_BYTES) return varying(answer)
    pending += body.length
    try {
      const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : body
      return coded(answer, coding, await coderFor(coding).later(bytes))
    } finally {
      pending -= body.length
    }
  }

  return ({ headers }, answer) => {
    if (!isCompressible(answer)) return answer
    const coding = codingFor(headers['accept-encoding'])
    if (coding === null) return varying(answer)
    const known = knownTag(headers['if-none-match'], answer, coding)
    // It is sent without a body.
    if (known !== null) return { ...varying(answer), etag: known }
    const make = () => compress(answer, coding)
    if (typeof answer.body !== 'string') return pages(answer, coding, make)
    return isKept(answer) ? lookups(answer, coding, make) : make()
  }
}

/** What caches have to know of an answer that could be compressed, whether or not it is. */
function varying(answer: Answer): Answer {
  return { ...answer, headers: withVary(answer.headers, 'Accept-Encoding') }
}

function coded(answer: Answer, coding: Coding, bytes: Buffer): Answer {
  const { headers, body, etag, ...rest } = varying(answer)
  if (bytes.length >= body.length) return { ...rest, headers, body, etag }
  return {
    ...rest,
    headers: [...headers, 'Content-Encoding', coding],
    body: typeof body === 'string' ? bytes.toString('latin1') : bytes,
    etag: etag === null ? null : tagOf(etag, coding),
  }
}

/** Other bytes need another strong ETag (RFC 9110, 8.8.3.3). */
function tagOf(etag: string, coding: Coding): string {
  return `${etag.slice(0, -1)}-${coding}"`
}

/**
 * Which ETag of an answer the client has: that of the coding it asks for, or that of the answer as it is,
 * which it can read as well; `null` for neither.
 */
function knownTag(ifNoneMatch: string | undefined, { etag }: Answer, coding: Coding): string | null {
  if (ifNoneMatch === undefined || etag === null) return null
  return [tagOf(etag, coding), etag].find((tag) => matches(ifNoneMatch, tag)) ?? null
}
