// Which side a request belongs to. Every process decides alike, today and after a restart.

import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Shares } from '../../config/cutover.ts'

export type Side = 'old' | 'new'
export type SideOf = (request: IncomingMessage) => Side

interface SideOptions {
  /** The shares in force. */
  readonly shares: () => Shares
  readonly eventOf: (request: IncomingMessage) => string
  /** The header that identifies clients; `null` for their addresses, which also identify those without it. */
  readonly header: string | null
  readonly clientOf: (request: IncomingMessage) => string
}

/**
 * Each client has a position from 0 to below 1, and is on the new side while its position is below the share.
 * A larger share therefore moves clients to the new side only.
 */
export function createSideOf({ shares, eventOf, header, clientOf }: SideOptions): SideOf {
  const positionOf = (request: IncomingMessage) => {
    const named = header === null ? undefined : request.headers[header]
    return hashOf(named === undefined ? `address ${clientOf(request)}` : `header ${String(named)}`)
  }
  return (request) => {
    const { share: general, events } = shares()
    const hasEvents = Object.keys(events).length > 0
    const share = hasEvents ? (events[eventOf(request)] ?? general) : general
    return positionOf(request) < share ? 'new' : 'old'
  }
}

function hashOf(client: string): number {
  // A number holds 48 bits exactly.
  return hash('sha1', client, 'buffer').readUIntBE(0, 6) / 2 ** 48
}
