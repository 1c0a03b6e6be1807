// Which clients are first. Every process tells them apart alike, today and after a restart.

import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { createClientAddress } from '../../http/client-address.ts'

/**
 * A client's place in the line, from 0 to below 1: it is on the new side while its place is below the share.
 * A larger share therefore moves clients to the new side only.
 */
export type Place = (request: IncomingMessage) => number

/**
 * @param header that tells clients apart; `null` for their addresses, which also tell those apart that do not
 *   send it
 * @param trusted proxies whose `X-Forwarded-For` is believed
 */
export function createPlaces(header: string | null, trusted: readonly string[]): Place {
  const clientOf = createClientAddress(trusted)
  return (request) => {
    const named = header === null ? undefined : request.headers[header]
    return placeOf(named === undefined ? `address ${clientOf(request)}` : `header ${String(named)}`)
  }
}

function placeOf(client: string): number {
  // 48 bits are as many as a number holds exactly, and more than enough.
  return hash('sha1', client, 'buffer').readUIntBE(0, 6) / 2 ** 48
}
