// Sends a query string to an old service, and decodes the body of the response.

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import about from '../../../package.json' with { type: 'json' }
import { type Clock, systemClock } from '../../clock.ts'
import { hasHeader, type OldServiceTarget } from '../../config/old-service.ts'
import {
  createExchange,
  type ExchangeLimits,
  MAX_BODY_BYTES,
  NoResponse,
  type RawResponse,
} from './exchange.ts'

export { NoResponse }

export interface OldServiceResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Decoded. */
  readonly body: Buffer
  /** The content coding of the response; left out if it had none. */
  readonly coding?: string
}

/**
 * Whether the service is overloaded, limits requests, or has failed. Some services send status 200 and
 * `Retry-After` then.
 */
export function isTemporaryFailure({
  status,
  headers,
}: Pick<OldServiceResponse, 'status' | 'headers'>): boolean {
  return status === 429 || status >= 500 || headers['retry-after'] !== undefined
}

export interface CallOptions {
  /** POST sends the query in the body, as an HTML form does. */
  readonly method?: 'GET' | 'HEAD' | 'POST'
  /** The default is the path of the service. */
  readonly path?: string
  /** Ends the call. */
  readonly signal?: AbortSignal
}

/** Sends a query string (without its `?`) byte for byte. @throws NoResponse */
export type Call = (query: string, options?: CallOptions) => Promise<OldServiceResponse>

/** How the User-Agent of this program begins: logs of an old service have it, too. */
export const OWN_AGENT = 'lookup-service/'

export function createCall(
  { url, headers: own }: OldServiceTarget,
  limits: ExchangeLimits,
  clock: Clock = systemClock,
): Call {
  const { pathname } = new URL(url)
  const { send } = createExchange(url, limits, clock, (head) => refuseRedirection(url, head))
  const agent = hasHeader(own, 'user-agent') ? {} : { 'User-Agent': OWN_AGENT + about.version }
  const headers = { ...agent, ...own }
  const form = { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' }

  return async (query, { method = 'GET', path = pathname, signal } = {}) => {
    const text = escapeQuery(query)
    const request =
      method === 'POST'
        ? { method, target: path, headers: form, body: text }
        : { method, target: `${path}?${text}`, headers }
    const signals = signal === undefined ? [] : [signal]
    const raw = await send(request, signals).catch((error: unknown) => {
      throw signal?.aborted ? new NoResponse('the client closed the connection') : error
    })
    return readResponse(raw, limits.most ?? MAX_BODY_BYTES)
  }
}

/** @param most bytes of the decoded body @throws NoResponse if the body cannot be decoded */
export async function readResponse(raw: RawResponse, most: number): Promise<OldServiceResponse> {
  const { statusCode: status = 0, headers } = raw.head
  return { status, headers, ...(await decode(raw, most)) }
}

/**
 * Escapes spaces and control characters, which would end the request line, and characters beyond Latin-1,
 * which Node cannot send there.
 */
function escapeQuery(query: string): string {
  return query.replace(/[^\x21-\xff]+/g, (text) => encodeURIComponent(text.toWellFormed()))
}

/** Bytes that are decoded at a time. */
const CHUNK_BYTES = 64 * 1024

/**
 * Decodes a body. No request asks for compression, but PHP and proxies have a setting that compresses every
 * response. Stops at `most` bytes: a body of zeros would decode to a thousand times its size.
 * @throws NoResponse
 */
async function decode(
  { head, body }: RawResponse,
  most: number,
): Promise<{ readonly body: Buffer; readonly coding?: string }> {
  const coding = (head.headers['content-encoding'] ?? '').trim().toLowerCase()
  if (coding === '' || coding === 'identity') return { body }
  const decoder = decoderOf(coding, body)
  if (decoder === null) {
    const isOneName = /^[\w.-]{1,40}$/.test(coding)
    const name = isOneName ? `the Content-Encoding "${coding}"` : 'several content codings, or an unknown one'
    throw new NoResponse(`its response has ${name}, which is not supported`)
  }
  // The response to HEAD has a coding, but no body.
  if (body.length === 0) return { body, coding }
  try {
    return { body: await decoder(body, { maxOutputLength: most, chunkSize: CHUNK_BYTES }), coding }
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    const problem = isTooLarge
      ? `has more than ${most} bytes (${coding})`
      : `is not valid ${coding}, or is truncated`
    throw new NoResponse(`its response ${problem}`)
  }
}

function decoderOf(coding: string, [first = 0, second = 0]: Buffer) {
  // Most processes never get a compressed response, and do not load zlib.
  const zlib = process.getBuiltinModule('node:zlib')
  // RFC 9110 requires a zlib header for deflate. Some servers leave it out.
  const isZlib = (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0
  if (coding === 'gzip' || coding === 'x-gzip') return promisify(zlib.gunzip)
  if (coding === 'deflate') return promisify(isZlib ? zlib.inflate : zlib.inflateRaw)
  return coding === 'br' ? promisify(zlib.brotliDecompress) : null
}

/** Returns an error for a redirection. It is not followed: another address may be another service. */
function refuseRedirection(
  url: string,
  { statusCode: status = 0, headers }: IncomingMessage,
): NoResponse | null {
  const isRedirection = status >= 300 && status < 400 && headers.location !== undefined
  // A redirection with Retry-After leads to a maintenance page: the service fails only for a while.
  if (!isRedirection || headers['retry-after'] !== undefined) return null
  return new NoResponse(describeRedirection(url, headers.location ?? ''), 'redirected')
}

/** A longer address is not shown: the operator could not copy a part of it. */
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

/** Returns an absolute address without query and login, in the form that `parseServiceUrl` reads, or null. */
function addressIn(url: string, location: string): string | null {
  const encode = (byte: string) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`
  const bytes = location.replace(/[^\x21-\x7e]/g, encode)
  if (!URL.canParse(bytes, url)) return null
  const { protocol, host, pathname } = new URL(bytes, url)
  const address = `${protocol}//${host}${pathname.replaceAll('@', '%40')}`
  return /^https?:$/.test(protocol) && address.length <= MAX_ADDRESS_LENGTH ? address : null
}
