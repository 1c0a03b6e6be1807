// Decides the side of a request. Every process decides alike, also after a restart.

import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import proxyaddr from 'proxy-addr'
import type { Config } from '../../config/config.ts'
import type { Shares, SidePin } from '../../config/cutover.ts'
import { createClientAddress, createExactAddress } from '../../http/client-address.ts'
import { parseTarget } from '../../http/target.ts'
import type { DifferenceLabels } from '../shadow/reports.ts'

export type Side = 'old' | 'new'
export type SideOf = (request: IncomingMessage) => Side

const TEST_HEADER = 'x-lookup-side'

/**
 * Each client has a position from 0 to below 1, and is on the new side while its position is below the share.
 * A larger share therefore moves clients to the new side only.
 */
export function createSideOf(
  cutover: Config['cutover'],
  trusted: readonly string[],
  shares: () => Shares,
  labels: DifferenceLabels,
): SideOf {
  const { by, testHeader } = cutover
  const clientOf = createClientAddress(trusted)
  const addressOf = createExactAddress(trusted)
  const pins = cutover.pins.map((pin) => ({ side: pin.side, fits: matcherOf(pin, addressOf) }))
  const eventOf = ({ url = '/' }: IncomingMessage) => labels(parseTarget(url).query).event

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
