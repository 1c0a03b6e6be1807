// Sends a query string to an old service, and decodes the body of the response.

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import about from '../../../package.json' with { type: 'json' }
import { type Clock, systemClock } from '../../clock.ts'
import { hasHeader, type OldServiceTarget } from '../../config/old-service.ts'
import { shorten } from '../../text.ts'
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

interface CallOptions {
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
  const { send } = createExchange(url, limits, clock)
  const agent = hasHeader(own, 'user-agent') ? {} : { 'User-Agent': OWN_AGENT + about.version }
  const headers = { ...agent, ...own }

  return async (query, { path = pathname, signal } = {}) => {
    const request = { method: 'GET', target: `${path}?${escapeQuery(query)}`, headers }
    const signals = signal === undefined ? [] : [signal]
    const raw = await send(request, signals).catch((error: unknown) => {
      throw signal?.aborted ? new NoResponse('the client closed the connection') : error
    })
    refuseRedirection(url, raw.head)
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
  // Most processes never get a compressed response, and do not load zlib.
  const zlib = process.getBuiltinModule('node:zlib')
  const decoders = new Map([
    ['gzip', zlib.gunzip],
    ['deflate', zlib.inflate],
    ['br', zlib.brotliDecompress],
  ])
  const decoder = decoders.get(coding)
  if (decoder === undefined) throw new NoResponse('its response has a Content-Encoding that is not supported')
  // The response to HEAD has a coding, but no body.
  if (body.length === 0) return { body, coding }
  try {
    const decoded = await promisify(decoder)(body, { maxOutputLength: most, chunkSize: CHUNK_BYTES })
    return { body: decoded, coding }
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    const problem = isTooLarge
      ? `has more than ${most} bytes (${coding})`
      : `is not valid ${coding}, or is truncated`
    throw new NoResponse(`its response ${problem}`)
  }
}

/** A redirection is not followed: another address may be another service. @throws NoResponse */
function refuseRedirection(
  url: string,
  { statusCode: status = 0, headers: { location, 'retry-after': retryAfter } }: IncomingMessage,
): void {
  // A redirection with Retry-After leads to a maintenance page: the service fails only for a while.
  if (status < 300 || status >= 400 || location === undefined || retryAfter !== undefined) return
  throw new NoResponse(describeRedirection(url, location), 'redirected')
}

/**
 * Names the address without its query and login, which may be secrets, as `parseServiceUrl` reads it.
 * @param url the address of the call, without its query
 */
export function describeRedirection(url: string, location: string): string {
  const { protocol, host, pathname } = URL.canParse(location, url) ? new URL(location, url) : new URL(url)
  const address = `${protocol}//${host}${pathname.replaceAll('@', '%40')}`
  return address === url || !/^https?:$/.test(protocol)
    ? 'it redirects to itself, or to an address that is not http(s)://: perhaps it wants a login'
    : `it redirects to ${shorten(address, MAX_ADDRESS_LENGTH)}: use that address`
}

/** Characters of an address in a message. */
const MAX_ADDRESS_LENGTH = 1_000
