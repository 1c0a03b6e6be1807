// The two messages of a request that is passed to the old service: the request that the old service gets, and
// the response that the client gets. The gateway changes headers as a proxy does (RFC 9110, 7.6), and no byte
// of a target or a body.

import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import proxyaddr from 'proxy-addr'
import { hasHeader, type OldServiceTarget } from '../../config/old-service.ts'
import { withoutOrigin } from '../../http/target.ts'
import { NoResponse, type OldServiceRequest, type RawResponse } from '../../stores/old-service/exchange.ts'

/** A response of the old service that can be sent to a client. */
export interface OldResponse {
  readonly status: number
  readonly reason: string
  /** Alternating names and values, without the headers of the connection to the old service. */
  readonly headers: readonly string[]
  /** The bytes, compressed or not, as characters of Latin-1. */
  readonly body: string
  /** Whether the body has no length and looks unfinished: the service may have died. */
  readonly isMaybeCut: boolean
  readonly raw: RawResponse
}

/** Headers of one connection, whether or not `Connection` names them. */
const hopByHop: ReadonlySet<string> = new Set([
  ...['connection', 'proxy-connection', 'keep-alive', 'te', 'transfer-encoding', 'upgrade'],
  // Names the fields after a chunked body. Bodies are passed on with a length, without such fields.
  'trailer',
])

/** Headers of a request that are written anew, or are about the connection to this gateway only. */
const rewritten: ReadonlySet<string> = new Set([
  ...['host', 'content-length', 'expect', 'via'],
  ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'],
])

/** Methods whose requests have no body unless a header says so. */
const bodiless: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE'])

/** Node accepts more characters from a server than it sends to a client. */
const sendable = /^[\t\x20-\x7e\x80-\xff]*$/

/** @param trusted proxies whose headers about the client are passed on; those of other senders are dropped */
export function createForwarding({ url, headers: own }: OldServiceTarget, trusted: readonly string[]) {
  const { host, pathname } = new URL(url)
  // The same for all gateways that pass requests to this service, so that each detects a loop.
  const via = `1.1 lookup-${hash('sha1', url).slice(0, 8)}`
  const isTrusted = proxyaddr.compile([...trusted])
  const ownHeaders = Object.entries(own).flat()
  const ownNames = new Set(Object.keys(own).map((name) => name.toLowerCase()))
  const first = hasHeader(own, 'host') ? [] : ['Host', host]

  function targetOf(given: string): string {
    const target = withoutOrigin(given)
    const mark = target.indexOf('?')
    if (pathname !== '/') return mark === -1 ? pathname : pathname + target.slice(mark)
    return target.startsWith('/') ? target : `/${target}`
  }

  /** Returns the request for the old service. */
  function forward(
    { method = 'GET', url: target = '/', rawHeaders, socket }: IncomingMessage,
    body: Buffer,
  ): OldServiceRequest {
    const peer = (socket.remoteAddress ?? 'unknown').replace(/^::ffff:(?=[\d.]+$)/, '')
    const isFromProxy = isTrusted(peer, 0)
    const clientHeaders = filterHeaders(
      endToEnd(rawHeaders),
      (name) => !rewritten.has(name) && !ownNames.has(name) && (isFromProxy || name !== 'forwarded'),
    )
    const ofProxy = (name: string) => (isFromProxy ? headerOf(rawHeaders, name) : null)
    const before = ofProxy('x-forwarded-for')
    const passedBy = headerOf(rawHeaders, 'via')
    const headers = [
      ...first,
      ...clientHeaders,
      ...ownHeaders,
      ...['X-Forwarded-For', before === null ? peer : `${before}, ${peer}`],
      ...['X-Forwarded-Host', ofProxy('x-forwarded-host') ?? headerOf(rawHeaders, 'host') ?? host],
      ...['X-Forwarded-Proto', ofProxy('x-forwarded-proto') ?? 'http'],
      ...['Via', passedBy === null ? via : `${passedBy}, ${via}`],
    ]
    // Without a length, Node would send an empty body in chunks, which old services may not read.
    const hasLength =
      body.length > 0 || headerOf(rawHeaders, 'content-length') !== null || !bodiless.has(method)
    if (hasLength) headers.push('Content-Length', String(body.length))
    return { method, target: targetOf(target), headers, body }
  }

  return {
    forward,
    /** Returns a request of the gateway itself. */
    healthCheck: (target: string): OldServiceRequest => ({
      method: 'GET',
      target,
      headers: [...first, ...ownHeaders, 'Via', via],
    }),
    /** Whether this gateway, or one like it, has already passed the request on. */
    isLoop: ({ rawHeaders }: IncomingMessage) => headerOf(rawHeaders, 'via')?.includes(via) === true,
  }
}

/** @throws NoResponse if the response cannot be sent to a client */
export function readResponse(method: string, raw: RawResponse): OldResponse {
  const { statusCode: status = 0, statusMessage: reason = '', rawHeaders } = raw.head
  const coding = headerOf(rawHeaders, 'transfer-encoding')
  // Node decodes chunks and no other transfer coding. It also accepts the status 099.
  const isReadable = coding === null || coding.toLowerCase() === 'chunked'
  if (!isReadable || status < 200 || ![reason, ...rawHeaders].every((text) => sendable.test(text)))
    throw new NoResponse('its response has a status or a header that cannot be passed on')
  const headers = endToEnd(rawHeaders)
  const body = raw.body.toString('latin1')
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304
  if (hasBody && headerOf(headers, 'content-length') === null)
    headers.push('Content-Length', String(body.length))
  const isFramed = headerOf(rawHeaders, 'content-length') !== null || coding !== null
  return { status, reason, headers, body, isMaybeCut: hasBody && !isFramed && isUnfinished(body), raw }
}

/** Whether a body is empty, or begins as JSON or XML and does not end so. */
function isUnfinished(body: string): boolean {
  const text = body.trim()
  return text === '' || (/^[{[<]/.test(text) && !/[}\]>]$/.test(text))
}

/** Returns alternating names and values, without the headers of the connection. */
function endToEnd(headers: readonly string[]): string[] {
  const named = headerOf(headers, 'connection')?.toLowerCase().split(',') ?? []
  const dropped = new Set([...hopByHop, ...named.map((name) => name.trim())])
  return filterHeaders(headers, (name) => !dropped.has(name))
}

/** @param isIncluded gets names in lower case */
export function filterHeaders(headers: readonly string[], isIncluded: (name: string) => boolean): string[] {
  const filtered: string[] = []
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] ?? ''
    if (isIncluded(name.toLowerCase())) filtered.push(name, headers[at + 1] ?? '')
  }
  return filtered
}

/** Returns all values of a header, or null. @param wanted the name in lower case */
export function headerOf(headers: readonly string[], wanted: string): string | null {
  const values = filterHeaders(headers, (name) => name === wanted).filter((_, at) => at % 2 === 1)
  return values.length === 0 ? null : values.join(', ')
}
