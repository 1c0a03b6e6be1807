// COMPRESSION: compresses responses by gzip for clients that accept it. BREACH does not apply: the length of
// a compressed response can reveal a secret, but there are no sessions and no tokens, and all data is public.

import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import type { CompressionSetting } from '../config/settings.ts'
import { createHeaderReader } from '../header-reader.ts'
import type { HttpResponse } from '../response.ts'
import { matches } from './respond.ts'

/** A shorter response takes one packet, compressed or not. */
const MIN_BYTES = 1024
/** Longer responses are compressed on other threads. 64 KiB (500 users) take 0.4 ms, and at worst 1.7 ms. */
const MAX_SYNC_BYTES = 64 * 1024
/**
 * Bytes that other threads compress at a time; they take three times as much. Further responses stay plain.
 */
const MAX_PENDING_BYTES = 4 * 1024 * 1024
/** Characters of an Accept-Encoding header. Browsers send 23; a longer header counts as none. */
const MAX_ACCEPT_ENCODING_LENGTH = 200

/** Bytes of a body, reused: a buffer for each would live until the next major garbage collection. */
const space = Buffer.allocUnsafeSlow(MAX_SYNC_BYTES)

export type Compress = (
  request: IncomingMessage,
  response: HttpResponse,
) => HttpResponse | Promise<HttpResponse>

export function createCompression(mode: CompressionSetting): Compress {
  /** Pages and files live as long as the process, so they are compressed once. */
  const pages = new WeakMap<HttpResponse, HttpResponse>()
  let pending = 0

  function isCompressible({ body, isLegacy, headers, passed }: HttpResponse): boolean {
    if (mode === 'off' || body.length < MIN_BYTES || (isLegacy === true && mode !== 'all')) return false
    return passed === undefined && !headers.includes('Content-Encoding')
  }

  function compress(response: HttpResponse): HttpResponse | Promise<HttpResponse> {
    const { body } = response
    if (typeof body === 'string')
      return body.length > MAX_SYNC_BYTES
        ? compressLater(response, body)
        : encoded(response, gzip(space.subarray(0, space.write(body, 'latin1'))))
    const compressed = pages.get(response) ?? encoded(response, gzip(body))
    pages.set(response, compressed)
    return compressed
  }

  async function compressLater(response: HttpResponse, body: string): Promise<HttpResponse> {
    if (pending + body.length > MAX_PENDING_BYTES) return varying(response)
    pending += body.length
    try {
      const bytes = Buffer.from(body, 'latin1')
      return encoded(response, await promisify(zlib().gzip)(bytes, optionsFor(bytes)))
    } finally {
      pending -= body.length
    }
  }

  return ({ headers }, response) => {
    if (!isCompressible(response)) return response
    if (!acceptsGzip(headers['accept-encoding'])) return varying(response)
    // A client that has the response gets a 304, without a body to compress.
    const etag = etagAtClient(headers['if-none-match'], response)
    return etag === null ? compress(response) : { ...varying(response), etag }
  }
}

/** An element of the list: a coding, `identity` or `*`, and its weight from 0 to 1 (RFC 9110, 12.5.3). */
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

/** Whether a client accepts gzip, and does not prefer a plain response. */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  if (acceptEncoding === undefined || acceptEncoding.length > MAX_ACCEPT_ENCODING_LENGTH) return false
  return readAcceptEncoding(acceptEncoding)
}

/** A process that compresses nothing does not load node:zlib. */
const zlib = () => process.getBuiltinModule('node:zlib')
const gzip = (bytes: Buffer) => zlib().gzipSync(bytes, optionsFor(bytes))

/**
 * Options that keep memory small. Node's buffers live until its next major garbage collection, and would
 * bring that nearer: this halves the cost of compressing 10 KB.
 */
function optionsFor({ length }: Buffer) {
  return {
    level: 1,
    // zlib allows 9 to 15.
    windowBits: Math.min(Math.max(Math.ceil(Math.log2(length)), 9), 15),
    // The compressed response is usually a fifth as long.
    chunkSize: Math.max(1024, length >> 2),
  }
}

/** Adds Accept-Encoding to Vary, which caches need even if this response is plain. */
function varying(response: HttpResponse): HttpResponse {
  const { headers } = response
  const at = headers.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === 'vary')
  const names = at === -1 ? 'Accept-Encoding' : `${headers[at + 1]}, Accept-Encoding`
  return { ...response, headers: at === -1 ? [...headers, 'Vary', names] : headers.with(at + 1, names) }
}

/** The response with a compressed body; the plain response if compression does not shorten it. */
function encoded(response: HttpResponse, bytes: Buffer): HttpResponse {
  const { headers, body, etag, ...rest } = varying(response)
  if (bytes.length >= body.length) return { ...rest, headers, body, etag }
  return {
    ...rest,
    headers: [...headers, 'Content-Encoding', 'gzip'],
    body: typeof body === 'string' ? bytes.toString('latin1') : bytes,
    etag: etag === null ? null : gzipEtag(etag),
  }
}

/** Other bytes need another strong ETag (RFC 9110, 8.8.3.3). */
function gzipEtag(etag: string): string {
  return `${etag.slice(0, -1)}-gzip"`
}

/** The ETag that the client has: that of the compressed response or of the plain one; `null` for neither. */
function etagAtClient(ifNoneMatch: string | undefined, { etag }: HttpResponse): string | null {
  if (ifNoneMatch === undefined || etag === null) return null
  return [gzipEtag(etag), etag].find((tag) => matches(ifNoneMatch, tag)) ?? null
}
