// Which client sent a request, by its address.

import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import proxyaddr from 'proxy-addr'

/** Characters of an X-Forwarded-For header that are read, from its end. */
const MAX_FORWARDED_LENGTH = 1000

/**
 * @param trusted addresses, or ranges of them, of proxies whose `X-Forwarded-For` is believed
 * @returns what stands for the client, as `networkOf` has it; `unknown` where the connection is gone
 */
export function createClientAddress(trusted: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = proxyaddr.compile([...trusted])
  return (request) => {
    const { headers } = request
    const forwarded = headers['x-forwarded-for']
    // Proxies append to it: what is at its beginning may be anything.
    if (typeof forwarded === 'string') headers['x-forwarded-for'] = forwarded.slice(-MAX_FORWARDED_LENGTH)
    const named = withoutPort(proxyaddr(request, isTrusted))
    // What a proxy names may be anything; the connection always has an address.
    const address = ipaddr.isValid(named) ? named : (request.socket.remoteAddress ?? '')
    return networkOf(address) ?? 'unknown'
  }
}

/**
 * An IPv4 address, or the network of 64 bits that a household or a server is given; `null` for what is no
 * address.
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

/** Some proxies name the port as well: `192.0.2.1:5123`, `[2001:db8::1]:5123`. */
function withoutPort(address: string): string {
  const [, six, four] = /^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(address) ?? []
  return six ?? four ?? address
}
