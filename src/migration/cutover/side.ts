// Which side a request belongs to. Every process decides alike, today and after a restart.

import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import proxyaddr from 'proxy-addr'
import type { Pin, Shares } from '../../config/cutover.ts'

export type Side = 'old' | 'new'
export type SideOf = (request: IncomingMessage) => Side

interface SideOptions {
  /** The shares in force. */
  readonly shares: () => Shares
  readonly eventOf: (request: IncomingMessage) => string
  /** The header that identifies clients; `null` for their addresses, which also identify those without it. */
  readonly header: string | null
  readonly clientOf: (request: IncomingMessage) => string
  readonly pins: readonly Pin[]
  readonly addressOf: (request: IncomingMessage) => string
  /** Whether X-Lookup-Side chooses the side. */
  readonly testHeader: boolean
}

const TEST_HEADER = 'x-lookup-side'

/**
 * Each client has a position from 0 to below 1, and is on the new side while its position is below the share.
 * A larger share therefore moves clients to the new side only.
 */
export function createSideOf(options: SideOptions): SideOf {
  const { shares, eventOf, header, clientOf, addressOf, testHeader } = options
  const pins = options.pins.map((pin) => ({ side: pin.side, fits: matcherOf(pin, addressOf) }))
  const positionOf = (request: IncomingMessage) => {
    const named = header === null ? undefined : request.headers[header]
    return hashOf(named === undefined ? `address ${clientOf(request)}` : `header ${String(named)}`)
  }
  function chosenBy(request: IncomingMessage): Side | undefined {
    const wanted = testHeader ? request.headers[TEST_HEADER] : undefined
    return wanted === 'old' || wanted === 'new' ? wanted : pins.find(({ fits }) => fits(request))?.side
  }

  return (request) => {
    const chosen = chosenBy(request)
    if (chosen !== undefined) return chosen
    const { share: general, events } = shares()
    const hasEvents = Object.keys(events).length > 0
    const share = hasEvents ? (events[eventOf(request)] ?? general) : general
    return positionOf(request) < share ? 'new' : 'old'
  }
}

function matcherOf(pin: Pin, addressOf: SideOptions['addressOf']): (request: IncomingMessage) => boolean {
  if ('range' in pin) {
    const isIn = proxyaddr.compile([pin.range])
    return (request) => {
      const address = addressOf(request)
      return address !== '' && isIn(address, 0)
    }
  }
  const { header, text } = pin
  if (header === 'user-agent') return ({ headers }) => headers[header]?.includes(text) === true
  return ({ headers }) => headers[header] === text
}

function hashOf(client: string): number {
  // A number holds 48 bits exactly.
  return hash('sha1', client, 'buffer').readUIntBE(0, 6) / 2 ** 48
}
