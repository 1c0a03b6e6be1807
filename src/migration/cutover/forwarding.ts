// The request that the old service gets: the client's, with headers that say where it came from.

import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import proxyaddr from 'proxy-addr'
import { hasHeader, type Service } from '../../config/old-service.ts'
import { withoutOrigin } from '../../http/target.ts'
import type { Outgoing } from '../../stores/old-service/exchange.ts'
import { endToEnd, filterHeaders, headerOf } from './end-to-end.ts'

/** Headers that are written anew, or are about the connection to this gateway only. */
const written: ReadonlySet<string> = new Set([
  ...['host', 'content-length', 'expect', 'via'],
  ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'],
])

/** Methods whose requests have no body unless they say so. */
const bodiless: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE'])

/** @param trusted proxies whose headers about the client are passed on; those of other senders are dropped */
export function createForwarding({ url, headers: own }: Service, trusted: readonly string[]) {
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

  /** Makes the request of a client one for the old service. */
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
    const fromProxy = (name: string) => (believes ? headerOf(rawHeaders, name) : null)
    const before = fromProxy('x-forwarded-for')
    const passedBy = headerOf(rawHeaders, 'via')
    const headers = [
      ...first,
      ...kept,
      ...ownHeaders,
      ...['X-Forwarded-For', before === null ? peer : `${before}, ${peer}`],
      ...['X-Forwarded-Host', fromProxy('x-forwarded-host') ?? headerOf(rawHeaders, 'host') ?? host],
      ...['X-Forwarded-Proto', fromProxy('x-forwarded-proto') ?? 'http'],
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
    /** A request of the gateway's own. */
    probe: (target: string): Outgoing => ({
      method: 'GET',
      target,
      headers: [...first, ...ownHeaders, 'Via', via],
    }),
    /** Whether this gateway, or one like it, has passed the request on already. */
    isLoop: ({ rawHeaders }: IncomingMessage) => headerOf(rawHeaders, 'via')?.includes(via) === true,
  }
}
