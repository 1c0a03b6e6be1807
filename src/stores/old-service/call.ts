// A call to an old service: a query string, and the decoded response to it.

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import about from '../../../package.json' with { type: 'json' }
import { type Clock, systemClock } from '../../clock.ts'
import { hasHeader, type Service } from '../../config/old-service.ts'
import { createExchange, type ExchangeLimits, MAX_BODY_BYTES, NoReply, type RawReply } from './exchange.ts'

export { NoReply }

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Decoded. */
  readonly body: Buffer
  /** The content coding of the response; left out if it had none. */
  readonly coding?: string
}

/**
 * Whether the service says that it is overloaded, limits requests or is in trouble. Some services do so with
 * status 200 and `Retry-After`.
 */
export function isTemporaryFailure({ status, headers }: Pick<Reply, 'status' | 'headers'>): boolean {
  return status === 429 || status >= 500 || headers['retry-after'] !== undefined
}

export interface CallOptions {
  /** POST sends the query in the body, like the form of a page. */
  readonly method?: 'GET' | 'HEAD' | 'POST'
  /** The default is the path of the service. */
  readonly path?: string
  /** Ends the call. */
  readonly signal?: AbortSignal
}

/** Sends a query string (without its `?`) byte for byte. @throws NoReply */
export type Call = (query: string, options?: CallOptions) => Promise<Reply>

export function createCall(
  { url, headers: own }: Service,
  limits: ExchangeLimits,
  clock: Clock = systemClock,
): Call {
  const { pathname } = new URL(url)
  const { send } = createExchange(url, limits, clock, (head) => refuseRedirection(url, head))
  const agent = hasHeader(own, 'user-agent') ? {} : { 'User-Agent': `lookup-service/${about.version}` }
  const headers = { ...agent, ...own }
  const form = { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' }

  return async (query, { method = 'GET', path = pathname, signal } = {}) => {
    const text = sendable(query)
    const request =
      method === 'POST'
        ? { method, target: path, headers: form, body: text }
        : { method, target: `${path}?${text}`, headers }
    const signals = signal === undefined ? [] : [signal]
    const raw = await send(request, signals).catch((error: unknown) => {
      throw signal?.aborted ? new NoReply('the client closed the connection') : error
    })
    return readReply(raw, limits.most ?? MAX_BODY_BYTES)
  }
}

/** @param most bytes of the decoded body @throws NoReply if the body cannot be decoded */
export async function readReply(raw: RawReply, most: number): Promise<Reply> {
  const { statusCode: status = 0, headers } = raw.head
  return { status, headers, ...(await decode(raw, most)) }
}

/** Spaces and control characters would end the request line. Characters beyond Latin-1 are sent as UTF-8. */
function sendable(query: string): string {
  return query.replace(/[^\x21-\xff]+/g, (text) => encodeURIComponent(text.toWellFormed()))
}

/** Bytes that are decoded at a time. */
const CHUNK_BYTES = 64 * 1024

/**
 * Decodes a body that the service compresses although no request asks for it: in PHP and in proxies, one
 * setting compresses all responses. Stops at `most` bytes: a body of zeros would decode to a thousand times its size.
 * @throws NoReply
 */
async function decode(
  { head, body }: RawReply,
  most: number,
): Promise<{ readonly body: Buffer; readonly coding?: string }> {
  const coding = (head.headers['content-encoding'] ?? '').trim().toLowerCase()
  if (coding === '' || coding === 'identity') return { body }
  const decoder = decoderOf(coding, body)
  if (decoder === null) {
    const isOne = /^[\w.-]{1,40}$/.test(coding)
    const name = isOne ? `the Content-Encoding "${coding}"` : 'several content codings, or an unknown one'
    throw new NoReply(`its response has ${name}, which is not supported`)
  }
  // A response to HEAD also names its coding.
  if (body.length === 0) return { body, coding }
  try {
    return { body: await decoder(body, { maxOutputLength: most, chunkSize: CHUNK_BYTES }), coding }
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    const problem = isTooLarge
      ? `has more than ${most} bytes (${coding})`
      : `is not valid ${coding}, or is truncated`
    throw new NoReply(`its response ${problem}`)
  }
}

function decoderOf(coding: string, [first = 0, second = 0]: Buffer) {
  // Most processes never get a compressed response, and do not load zlib.
  const zlib = process.getBuiltinModule('node:zlib')
  // Some servers leave out the header of zlib that RFC 9110 requires.
  const hasHeader = (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0
  if (coding === 'gzip' || coding === 'x-gzip') return promisify(zlib.gunzip)
  if (coding === 'deflate') return promisify(hasHeader ? zlib.inflate : zlib.inflateRaw)
  return coding === 'br' ? promisify(zlib.brotliDecompress) : null
}

/** Redirections are not followed: another address would be another service. */
function refuseRedirection(
  url: string,
  { statusCode: status = 0, headers }: IncomingMessage,
): NoReply | null {
  const isRedirection = status >= 300 && status < 400 && headers.location !== undefined
  // A redirection with Retry-After leads to a page about the trouble of the service.
  if (!isRedirection || headers['retry-after'] !== undefined) return null
  return new NoReply(describeRedirection(url, headers.location ?? ''), 'redirected')
}

/** An address is shown whole, since it is to be used, or not at all. */
const MAX_ADDRESS_LENGTH = 1_000

/**
 * @param url the address of the call, without its query
 * @param location the header, in Latin-1
 */
export function describeRedirection(url: string, location: string): string {
  const target = addressIn(url, location)
  if (target === null) return 'it redirects to an address that is not http(s):// or is too long'
  return target === addressIn(url, '')
    ? `it redirects to ${target} again: perhaps it wants a login, a cookie or another header`
    : `it redirects to ${target}: use that address`
}

/** An absolute address without a query and a login, as `parseServiceUrl` reads it. */
function addressIn(url: string, location: string): string | null {
  const encode = (byte: string) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`
  const bytes = location.replace(/[^\x21-\x7e]/g, encode)
  if (!URL.canParse(bytes, url)) return null
  const { protocol, host, pathname } = new URL(bytes, url)
  const address = `${protocol}//${host}${pathname.replaceAll('@', '%40')}`
  return /^https?:$/.test(protocol) && address.length <= MAX_ADDRESS_LENGTH ? address : null
}
