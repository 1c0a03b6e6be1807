// How much one client may ask for, where that is limited at all.

import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import proxyaddr from 'proxy-addr'
import { RateLimiterCluster, RateLimiterClusterMaster, RateLimiterMemory } from 'rate-limiter-flexible'
import { LookupError } from '../errors.ts'

const cluster = process.getBuiltinModule('node:cluster')

/** Seconds after which a client that has used up its values may ask again. */
const MINUTE = 60
/** Milliseconds that the process which counts for all workers has to answer. */
const PATIENCE = 500

export interface RateLimit {
  /**
   * Counts a request in advance, as if it asked for so many values. Rejects with LookupError `TooManyRequests` for a
   * client that has used up what it may ask for.
   */
  readonly enter: (request: IncomingMessage, expected: number) => Promise<Settle>
}

/** Settles what a request has really asked for: each value, and at least one. */
export type Settle = (values: number) => void

/**
 * Limits the values that each client address may ask for in a minute. One that is let in is answered whole, and the next
 * ones have to wait. What a request costs is estimated when it comes, or many at once would all be let in, and settled
 * when it has been answered. Where the counting itself fails, requests are let in: half a second later.
 *
 * @param trusted addresses, or ranges of them, of proxies whose `X-Forwarded-For` is believed
 */
export function createRateLimit(points: number, trusted: readonly string[]): RateLimit {
  const isTrusted = proxyaddr.compile([...trusted])
  const options = { points, duration: MINUTE, keyPrefix: 'values' }
  const limiter = cluster.isWorker
    ? new RateLimiterCluster({ ...options, timeoutMs: PATIENCE })
    : new RateLimiterMemory(options)

  async function enter(request: IncomingMessage, expected: number): Promise<Settle> {
    const client = clientOf(request, isTrusted)
    const used = await limiter.penalty(client, expected).catch(() => null)
    if (used === null || used.consumedPoints - expected < points)
      return (values) => settle(client, Math.max(1, values) - expected)
    limiter.reward(client, expected).catch(() => {})
    const seconds = Math.max(1, Math.ceil(used.msBeforeNext / 1000))
    throw new LookupError('TooManyRequests', [String(seconds), String(points)])
  }

  function settle(client: string, missing: number): void {
    if (missing === 0) return
    const settled = missing > 0 ? limiter.penalty(client, missing) : limiter.reward(client, -missing)
    settled.catch(() => {})
  }

  return { enter }
}

/** In the process that has workers: counts for all of them. */
export function countForWorkers(): void {
  new RateLimiterClusterMaster()
}

/** What stands for a client: its IPv4 address, or the network of 64 bits that a household or a server is given. */
function clientOf(request: IncomingMessage, isTrusted: ReturnType<typeof proxyaddr.compile>): string {
  const named = withoutPort(proxyaddr(request, isTrusted))
  // What a proxy says may be anything; who says it is an address.
  const address = ipaddr.isValid(named) ? named : (request.socket.remoteAddress ?? '')
  if (!ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString()
}

/** Some proxies name the port as well: `192.0.2.1:5123`, `[2001:db8::1]:5123`. */
function withoutPort(address: string): string {
  const [, six, four] = /^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(address) ?? []
  return six ?? four ?? address
}
