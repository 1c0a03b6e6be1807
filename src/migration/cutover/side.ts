// Decides the side of a request. Every process decides alike, also after a restart.

import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import proxyaddr from 'proxy-addr'
import type { Config } from '../../config/config.ts'
import type { Shares, SidePin } from '../../config/cutover.ts'
import { createClientAddress, createExactAddress } from '../../http/client-address.ts'

export type Side = 'old' | 'new'
export type SideOf = (request: IncomingMessage) => Side

interface SideOptions extends Pick<Config['cutover'], 'by' | 'pins' | 'testHeader'> {
  /** Proxies whose X-Forwarded-For is trusted. */
  readonly trusted: readonly string[]
  /** The shares in force. */
  readonly shares: () => Shares
  readonly eventOf: (request: IncomingMessage) => string
}

const TEST_HEADER = 'x-lookup-side'

/**
 * Each client has a position from 0 to below 1, and is on the new side while its position is below the share.
 * A larger share therefore moves clients to the new side only.
 */
export function createSideOf({ shares, eventOf, by, trusted, testHeader, ...options }: SideOptions): SideOf {
  const clientOf = createClientAddress(trusted)
  const addressOf = createExactAddress(trusted)
  const pins = options.pins.map((pin) => ({ side: pin.side, fits: matcherOf(pin, addressOf) }))

  /** Without the header of CUTOVER_BY, the address identifies the client. */
  function positionOf(request: IncomingMessage): number {
    const value = by.header === null ? undefined : request.headers[by.header]
    const client = value === undefined ? `address ${clientOf(request)}` : `header ${String(value)}`
    // A number holds 48 bits exactly.
    return hash('sha1', client, 'buffer').readUIntBE(0, 6) / 2 ** 48
  }

  return (request) => {
    const wanted = testHeader ? request.headers[TEST_HEADER] : undefined
    if (wanted === 'old' || wanted === 'new') return wanted
    const pin = pins.find(({ fits }) => fits(request))
    if (pin !== undefined) return pin.side
    const { share: general, events } = shares()
    const hasEvents = Object.keys(events).length > 0
    const share = hasEvents ? (events[eventOf(request)] ?? general) : general
    return positionOf(request) < share ? 'new' : 'old'
  }
}

function matcherOf(
  pin: SidePin,
  addressOf: (request: IncomingMessage) => string,
): (request: IncomingMessage) => boolean {
  if ('range' in pin) {
    const isInRange = proxyaddr.compile([pin.range])
    return (request) => {
      const address = addressOf(request)
      return address !== '' && isInRange(address, 0)
    }
  }
  const { header, text } = pin
  if (header === 'user-agent') return ({ headers }) => headers[header]?.includes(text) === true
  return ({ headers }) => headers[header] === text
}
