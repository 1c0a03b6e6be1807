// Responses compressed by gzip for clients that accept it (Accept-Encoding). The length of a compressed
// response can give a secret away that stands beside what the client sent (BREACH). No response has one:
// there are no sessions and no tokens, and every client may read all that there is to read.

import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import type { Compression } from '../config/settings.ts'
import type { Answer } from '../gateway/answer.ts'
import { createHeaderReader } from '../gateway/header-reader.ts'
import { matches, withVary } from './respond.ts'

/** Shorter responses take one packet either way. */
const MIN_BYTES = 1024
/** Longer responses are compressed on other threads. 64 KiB, 500 users, take 0.4 ms, and at worst 1.7 ms. */
const MAX_SYNC_BYTES = 64 * 1024
/** Bytes that other threads compress at once, which take three times that. Further responses go out plain. */
const MAX_PENDING_BYTES = 4 * 1024 * 1024
/** Bytes of compressed lookups that are kept, beside the cache that keeps them plain. */
const MAX_KEPT_BYTES = 8 * 1024 * 1024
/** Characters of an Accept-Encoding header that is read. Browsers send 23; a longer one asks for nothing. */
const MAX_ACCEPT_ENCODING_LENGTH = 200

/** For the bytes of a text. A new buffer for each would live until the next major garbage collection. */
const space = Buffer.allocUnsafeSlow(MAX_SYNC_BYTES)

/** Makes an answer what it is to the client of a request. */
export type Compress = (request: IncomingMessage, answer: Answer) => Answer | Promise<Answer>

export function createCompression(mode: Compression): Compress {
  const pages = keptAnswers(Number.POSITIVE_INFINITY)
  const lookups = keptAnswers(MAX_KEPT_BYTES)
  const seen = new WeakSet<Answer>()
  let pending = 0

  function isCompressible({ body, isLegacy, headers, passed }: Answer): boolean {
    if (mode === 'off' || body.length < MIN_BYTES || (isLegacy === true && mode !== 'all')) return false
    return passed === undefined && !headers.includes('Content-Encoding')
  }

  /** A lookup that comes here for the second time is kept as an answer (legacy/answer-cache.ts). */
  function isKept(answer: Answer): boolean {
    if (answer.isLegacy !== true) return false
    if (seen.has(answer)) return true
    seen.add(answer)
    return false
  }

  function compress(answer: Answer): Answer | Promise<Answer> {
    const { body } = answer
    if (body.length > MAX_SYNC_BYTES) return compressLater(answer)
    const bytes = typeof body === 'string' ? space.subarray(0, space.write(body, 'latin1')) : body
    return compressed(answer, zlib().gzipSync(bytes, optionsFor(bytes)))
  }

  async function compressLater(answer: Answer): Promise<Answer> {
    const { body } = answer
    if (pending + body.length > MAX_PENDING_BYTES) return varying(answer)
    pending += body.length
    try {
      const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : body
      return compressed(answer, await promisify(zlib().gzip)(bytes, optionsFor(bytes)))
    } finally {
      pending -= body.length
    }
  }

  return ({ headers }, answer) => {
    if (!isCompressible(answer)) return answer
    if (!acceptsGzip(headers['accept-encoding'])) return varying(answer)
    const known = knownTag(headers['if-none-match'], answer)
    // It is sent without a body.
    if (known !== null) return { ...varying(answer), etag: known }
    if (typeof answer.body !== 'string') return pages(answer, compress)
    return isKept(answer) ? lookups(answer, compress) : compress(answer)
  }
}

/** The list's elements: a coding, `identity` or `*`, and its weight from 0 to 1 (RFC 9110, 12.5.3). */
const element = /^[\t ]*([\w!#$%&'*+.^`|~-]+)(?:[\t ]*;[\t ]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?[\t ]*$/

const readAcceptEncoding = createHeaderReader(MAX_ACCEPT_ENCODING_LENGTH, (text) => {
  const weights = new Map<string, number>()
  for (const part of text.toLowerCase().split(',')) {
    const [, name, weight] = element.exec(part) ?? []
    // RFC 9110, 8.4.1.3: gzip has two names.
    if (name !== undefined) weights.set(name === 'x-gzip' ? 'gzip' : name, Number(weight ?? 1))
  }
  const gzip = weights.get('gzip') ?? weights.get('*') ?? 0
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0)
})

/** Whether a client accepts gzip, and likes a plain response no better. */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  if (acceptEncoding === undefined || acceptEncoding.length > MAX_ACCEPT_ENCODING_LENGTH) return false
  return readAcceptEncoding(acceptEncoding)
}

/** A process that compresses nothing does not load node:zlib. */
const zlib = () => process.getBuiltinModule('node:zlib')

/**
 * As little memory as a response of that length needs: what Node allocates for each lives until its next
 * major garbage collection, and would bring that nearer. It halves what compressing 10 KB costs.
 */
function optionsFor({ length }: Buffer) {
  return {
    level: 1,
    // zlib allows 9 to 15.
    windowBits: Math.min(Math.max(Math.ceil(Math.log2(length)), 9), 15),
    // Mostly the compressed response is a fifth as long.
    chunkSize: Math.max(1024, length >> 2),
  }
}

/**
 * Keeps compressed answers for as long as the plain ones are kept.
 * @param maxBytes that they take; beyond that, all are forgotten
 */
function keptAnswers(maxBytes: number) {
  let kept = new WeakMap<Answer, Answer>()
  let bytes = 0
  return (answer: Answer, make: (answer: Answer) => Answer | Promise<Answer>): Answer | Promise<Answer> => {
    const known = kept.get(answer)
    if (known !== undefined) return known
    const made = make(answer)
    // What is made on another thread is longer than what caches keep.
    if (made instanceof Promise) return made
    bytes += made.body.length
    if (bytes > maxBytes) {
      kept = new WeakMap()
      bytes = made.body.length
    }
    kept.set(answer, made)
    return made
  }
}

/** What caches have to know of an answer that could be compressed, whether or not it is. */
function varying(answer: Answer): Answer {
  return { ...answer, headers: withVary(answer.headers, 'Accept-Encoding') }
}

function compressed(answer: Answer, bytes: Buffer): Answer {
  const { headers, body, etag, ...rest } = varying(answer)
  if (bytes.length >= body.length) return { ...rest, headers, body, etag }
  return {
    ...rest,
    headers: [...headers, 'Content-Encoding', 'gzip'],
    body: typeof body === 'string' ? bytes.toString('latin1') : bytes,
    etag: etag === null ? null : tagOf(etag),
  }
}

/** Other bytes need another strong ETag (RFC 9110, 8.8.3.3). */
function tagOf(etag: string): string {
  return `${etag.slice(0, -1)}-gzip"`
}

/** Which ETag the client has: that of the compressed answer or of the plain one; `null` for neither. */
function knownTag(ifNoneMatch: string | undefined, { etag }: Answer): string | null {
  if (ifNoneMatch === undefined || etag === null) return null
  return [tagOf(etag), etag].find((tag) => matches(ifNoneMatch, tag)) ?? null
}
