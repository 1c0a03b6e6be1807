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
  /** Rejects with LookupError `TooManyRequests` for a client that has used up what it may ask for. */
  readonly check: (request: IncomingMessage) => Promise<void>
  /** Counts what a request has asked for: each value, and at least one. */
  readonly charge: (request: IncomingMessage, values: number) => void
}

/**
 * Limits the values that each client address may ask for in a minute. What a request costs is known when it has been
 * answered: one that is let in is answered whole, and the next ones have to wait. Where the counting itself fails,
 * requests are let in.
 *
 * @param trusted addresses, or ranges of them, of proxies whose `X-Forwarded-For` is believed
 */
export function createRateLimit(points: number, trusted: readonly string[]): RateLimit {
  const isTrusted = proxyaddr.compile([...trusted])
  const options = { points, duration: MINUTE, keyPrefix: 'values' }
  const limiter = cluster.isWorker
    ? new RateLimiterCluster({ ...options, timeoutMs: PATIENCE })
    : new RateLimiterMemory(options)

  async function check(request: IncomingMessage): Promise<void> {
    const used = await limiter.get(clientOf(request, isTrusted)).catch(() => null)
    if (used === null || used.consumedPoints < points) return
    const seconds = Math.max(1, Math.ceil(used.msBeforeNext / 1000))
    throw new LookupError('TooManyRequests', [String(seconds), String(points)])
  }

  function charge(request: IncomingMessage, values: number): void {
    limiter.penalty(clientOf(request, isTrusted), Math.max(1, values)).catch(() => {})
  }

  return { check, charge }
}

/** In the process that has workers: counts for all of them. */
export function countForWorkers(): void {
  new RateLimiterClusterMaster()
}

/** What stands for a client: its IPv4 address, or the network of 64 bits that a household or a server is given. */
function clientOf(request: IncomingMessage, isTrusted: ReturnType<typeof proxyaddr.compile>): string {
  const address = proxyaddr(request, isTrusted)
  if (!ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString()
}
