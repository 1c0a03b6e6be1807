// Finds the IP address of a client, which a trusted proxy names in X-Forwarded-For.

import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import proxyaddr from 'proxy-addr'

/** Characters of an X-Forwarded-For header that are read, from its end. */
const MAX_FORWARDED_LENGTH = 1000

/**
 * @param trusted addresses or ranges of proxies whose `X-Forwarded-For` is trusted
 * @returns the result of `networkOf` for the client's address; `unknown` if the connection is closed
 */
export function createClientAddress(trusted: readonly string[]): (request: IncomingMessage) => string {
  const addressOf = createExactAddress(trusted)
  return (request) => networkOf(addressOf(request)) ?? 'unknown'
}

/** The client's whole address; empty if the connection is closed. */
export function createExactAddress(trusted: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = proxyaddr.compile([...trusted])
  return (request) => {
    const { headers } = request
    const forwarded = headers['x-forwarded-for']
    // Proxies append to the header. A client may have sent anything at its beginning.
    if (typeof forwarded === 'string') headers['x-forwarded-for'] = forwarded.slice(-MAX_FORWARDED_LENGTH)
    const named = withoutPort(proxyaddr(request, isTrusted))
    // If the proxy names no address, use the address of the connection.
    return ipaddr.isValid(named) ? named : (request.socket.remoteAddress ?? '')
  }
}

/**
 * An IPv4 address, or the /64 network of an IPv6 address: one household has 2^64 addresses. `null` for other
 * text.
 */
export function networkOf(address: string): string | null {
  if (!ipaddr.isValid(address)) return null
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6
    ? `${parsed.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`
    : parsed.toString()
}

/** Some proxies add the port: `192.0.2.1:5123`, `[2001:db8::1]:5123`. */
function withoutPort(address: string): string {
  const [, six, four] = /^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(address) ?? []
  return six ?? four ?? address
}
