import { isIPv6 } from 'node:net'

/** A name or an IPv4 address, or something in brackets; then perhaps a port (RFC 9110, 7.2, and RFC 3986, 3.2.2). */
const shape = /^(?:[\w.~!$&'()*+,;=%-]+|\[([^\]]*)\])(?::(\d{0,5}))?$/

/**
 * Whether a Host header names a host, so that nobody behind it has to make a URL of something else.
 *
 * Node's server refuses an HTTP/1.1 request without one by itself, and joins several by a comma and a blank, which
 * is no host either. HTTP/1.0 needs none, and an empty one is what stands for none.
 */
export function isHost(host: string | undefined): boolean {
  if (host === undefined || host === '') return true
  const [match, address, port] = shape.exec(host) ?? []
  if (match === undefined || Number(port ?? 0) > 65535) return false
  return address === undefined ? !/%(?![\da-f]{2})/i.test(match) : isIPv6(address)
}
