import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'

/**
 * A name or an IPv4 address, or something in brackets; then perhaps a port (RFC 9110, 7.2, and RFC 3986,
 * 3.2.2).
 */
const shape = /^(?:([\w.~!$&'()*+,;=%-]+)|\[([^\]]*)\])(?::(\d{0,5}))?$/

/**
 * Whether a request names a host, so that no later code has to make a URL of something else.
 *
 * Of several Host headers, Node's server makes one with a comma and a blank, which is no host either. An
 * empty one says that there is none to name. HTTP/1.0 knows no such header.
 */
export function hasHost({ headers: { host }, httpVersionMinor }: IncomingMessage): boolean {
  if (host === undefined) return httpVersionMinor === 0
  // Nearly all requests name the same one.
  if (host !== known) {
    if (!isHost(host)) return false
    known = host
  }
  return true
}

let known = ''

function isHost(host: string): boolean {
  return host === '' || hostnameOf(host) !== null
}

/**
 * The name or address in a Host header: in lower case, without brackets, port and trailing dot.
 * @returns `null` for anything but a host[:port]
 */
export function hostnameOf(host: string): string | null {
  const [match, name, address, port] = shape.exec(host) ?? []
  if (match === undefined || Number(port ?? 0) > 65535) return null
  if (address !== undefined) return isIPv6(address) ? address.toLowerCase() : null
  if (name === undefined || /%(?![\da-f]{2})/i.test(name)) return null
  return name.toLowerCase().replace(/\.$/, '')
}
