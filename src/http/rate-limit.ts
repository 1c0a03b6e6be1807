// RATE_LIMIT: how many values a client address may look up in a minute. A request that finds any values left
// is served whole, and the next requests are refused.

import type { IncomingMessage } from 'node:http'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { LookupError } from '../errors.ts'
import { counted } from '../text.ts'
import { createClientAddress } from './client-address.ts'

const WINDOW_SECONDS = 60

export type RateLimit = (request: IncomingMessage) => ClientQuota

interface ClientQuota {
  /** Rejects with LookupError `TooManyRequests` if the client has used up its values. */
  readonly check: () => Promise<void>
  /**
   * Charges the client for the values of a request, at least one, before they are looked up: otherwise
   * concurrent requests would all find the same values left. Rejects as `check` does.
   */
  readonly charge: (values: number) => Promise<void>
  readonly isCharged: () => boolean
}

/**
 * @param total values a minute. Each worker allows its share, since workers do not wait for each other: a
 * client with one connection has the share of one worker.
 * @param trusted addresses or ranges of proxies whose `X-Forwarded-For` is trusted
 */
export function createRateLimit(total: number, workers: number, trusted: readonly string[]): RateLimit {
  const clientOf = createClientAddress(trusted)
  const points = Math.ceil(total / workers)
  const limiter = new RateLimiterMemory({ points, duration: WINDOW_SECONDS })

  function refuse({ msBeforeNext }: RateLimiterRes): never {
    const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000))
    throw new LookupError('TooManyRequests', [counted(seconds, 'second'), String(total)])
  }

  return (request) => {
    const client = clientOf(request)
    let isCharged = false

    async function check(): Promise<void> {
      const used = await limiter.get(client)
      if (used !== null && used.consumedPoints >= points) refuse(used)
    }

    async function charge(values: number): Promise<void> {
      const cost = Math.max(1, values)
      isCharged = true
      const used = await limiter.penalty(client, cost)
      if (used.consumedPoints - cost >= points) refuse(used)
    }

    return { check, charge, isCharged: () => isCharged }
  }
}
