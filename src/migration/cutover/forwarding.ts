// What the old service is asked: what the client asked, and whom it came from.

import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import proxyaddr from 'proxy-addr'
import { hasHeader, type Service } from '../../config/old-service.ts'
import { withoutOrigin } from '../../http/target.ts'
import type { Outgoing } from '../../stores/old-service/exchange.ts'
import { endToEnd, filterHeaders, headerOf } from './end-to-end.ts'

interface Forwarding {
  /** What a client's request becomes. */
  readonly forward: (request: IncomingMessage, body: Buffer) => Outgoing
  /** A request of the gateway's own. */
  readonly ask: (target: string) => Outgoing
  /** Whether a request has been passed on by this gateway, or one like it. */
  readonly isLoop: (request: IncomingMessage) => boolean
}

/** Headers that are written anew, or are about the connection to this gateway only. */
const written: ReadonlySet<string> = new Set([
  ...['host', 'content-length', 'expect', 'via'],
  ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'],
])

/** Methods whose requests have no body unless they say so. */
const bodiless: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE'])

/**
 * @param trusted proxies whose account of the client is believed, and passed on; that of any other sender is
 *   left out
 */
export function createForwarding({ url, headers: own }: Service, trusted: readonly string[]): Forwarding {
  const { host, pathname } = new URL(url)
  // The same for all gateways that pass requests to this service.
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

  function forward(
    { method = 'GET', url: target = '/', rawHeaders, socket }: IncomingMessage,
    body: Buffer,
  ): Outgoing {
    const peer = (socket.remoteAddress ?? 'unknown').replace(/^::ffff:(?=[\d.]+$)/, '')
    const believes = isTrusted(peer, 0)
    const kept = filterHeaders(
      endToEnd(rawHeaders),
      (name) => !written.has(name) && !ownNames.has(name) && (believes || name !== 'forwarded'),
    )
    const told = (name: string) => (believes ? headerOf(rawHeaders, name) : null)
    const before = told('x-forwarded-for')
    const passedBy = headerOf(rawHeaders, 'via')
    const headers = [
      ...first,
      ...kept,
      ...ownHeaders,
      ...['X-Forwarded-For', before === null ? peer : `${before}, ${peer}`],
      ...['X-Forwarded-Host', told('x-forwarded-host') ?? headerOf(rawHeaders, 'host') ?? host],
      ...['X-Forwarded-Proto', told('x-forwarded-proto') ?? 'http'],
      ...['Via', passedBy === null ? via : `${passedBy}, ${via}`],
    ]
    // Without one, Node would send an empty body in chunks, which old services may not read.
    const hasLength =
      body.length > 0 || headerOf(rawHeaders, 'content-length') !== null || !bodiless.has(method)
    if (hasLength) headers.push('Content-Length', String(body.length))
    return { method, target: targetOf(target), headers, body }
  }

  return {
    forward,
    ask: (target) => ({
      method: 'GET',
      target,
      headers: [...first, ...ownHeaders, 'Via', via],
    }),
    isLoop: ({ rawHeaders }) => headerOf(rawHeaders, 'via')?.includes(via) === true,
  }
}
