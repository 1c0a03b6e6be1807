// Guards the admin port against DNS rebinding: an attacker points a host name of theirs at this machine, and
// the scripts of their web page may then read what it serves. Such a request has that name in its Host
// header.

import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { hostnameOf } from './host.ts'

/** Bytes. A DNS name has at most 253. */
const MAX_HOST_LENGTH = 255

type Refusal = readonly [status: number, text: string]

const malformed: Refusal = [400, 'The Host header is missing, repeated, or not a valid host[:port].\n']
// RFC 9110, 15.5.20: the server does not answer for this host.
const foreign: Refusal = [421, 'Host not allowed. Add it to ADMIN_HOSTS.\n']

/**
 * @param names host names that are allowed besides IP addresses and `localhost`, in any case
 * @returns a check that refuses requests for any other host
 */
export function createHostCheck(names: readonly string[]): (request: IncomingMessage) => Refusal | null {
  const allowed = new Set(['localhost', ...names.flatMap((name) => hostnameOf(name) ?? [])])
  return ({ headers: { host }, httpVersionMinor }) => {
    // HTTP/1.0 has no Host header, and no browser speaks it.
    if (host === undefined) return httpVersionMinor === 0 ? null : malformed
    const name = host.length > MAX_HOST_LENGTH ? null : hostnameOf(host)
    // Two Host headers are joined to a value that is no host.
    if (name === null) return host === '' ? foreign : malformed
    // An address is not looked up in the DNS, so it cannot be rebound.
    return isIP(name) !== 0 || allowed.has(name) ? null : foreign
  }
}
