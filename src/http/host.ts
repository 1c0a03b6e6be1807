// The Host header: whether it names a host at all, and whether the admin port responds to that host.

import type { IncomingMessage } from 'node:http'
import { isIP, isIPv6 } from 'node:net'

/** A name, an IPv4 address or something in brackets, and perhaps a port (RFC 9110, 7.2; RFC 3986, 3.2.2). */
const shape = /^(?:([\w.~!$&'()*+,;=%-]+)|\[([^\]]*)\])(?::(\d{0,5}))?$/

/** The last valid header: nearly all requests name the same host. */
let lastValid = ''

/**
 * Whether a request names a host. Node joins several Host headers with a comma and a space, and the result is
 * no host. An empty header is valid: the client has no host to name. HTTP/1.0 has no Host header.
 */
export function hasHost({ headers: { host }, httpVersionMinor }: IncomingMessage): boolean {
  if (host === undefined) return httpVersionMinor === 0
  if (host === lastValid) return true
  if (host !== '' && hostnameOf(host) === null) return false
  lastValid = host
  return true
}

/**
 * The name or address in a Host header: in lower case, without brackets, port and trailing dot.
 * @returns `null` for anything but a host[:port]
 */
function hostnameOf(host: string): string | null {
  const [match, name, address, port] = shape.exec(host) ?? []
  if (match === undefined || Number(port ?? 0) > 65535) return null
  if (address !== undefined) return isIPv6(address) ? address.toLowerCase() : null
  if (name === undefined || /%(?![\da-f]{2})/i.test(name)) return null
  return name.toLowerCase().replace(/\.$/, '')
}

/** Bytes. A DNS name has at most 253. */
const MAX_HOST_LENGTH = 255

type HostRefusal = readonly [status: number, text: string]

const malformed: HostRefusal = [400, 'The Host header is missing, repeated, or not a valid host[:port].\n']
// RFC 9110, 15.5.20: the server does not respond for this host.
const foreign: HostRefusal = [421, 'Host not allowed. Add it to ADMIN_HOSTS.\n']

/**
 * Guards the admin port against DNS rebinding: an attacker points a host name at this machine, and the
 * scripts of the attacker's page read what the admin port serves. Such a request has the attacker's name in
 * its Host header.
 * @param names host names that are allowed besides IP addresses and `localhost`, in any case
 * @returns a check that refuses requests for any other host
 */
export function createHostCheck(names: readonly string[]): (request: IncomingMessage) => HostRefusal | null {
  const allowed = new Set(['localhost', ...names.flatMap((name) => hostnameOf(name) ?? [])])
  return ({ headers: { host }, httpVersionMinor }) => {
    // No browser speaks HTTP/1.0.
    if (host === undefined) return httpVersionMinor === 0 ? null : malformed
    const name = host.length > MAX_HOST_LENGTH ? null : hostnameOf(host)
    if (name === null) return host === '' ? foreign : malformed
    // Nobody looks up an address in the DNS, so an address cannot be rebound.
    return isIP(name) !== 0 || allowed.has(name) ? null : foreign
  }
}
