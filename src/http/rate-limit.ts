// How much one client may ask for, where that is limited at all.

import type { IncomingMessage } from 'node:http'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { LookupError } from '../errors.ts'
import { createClientAddress } from './client-address.ts'

/** Seconds after which a client that has used up its values may ask again. */
const WINDOW_SECONDS = 60
/** Opens the account of the client that sent a request. */
export type RateLimit = (request: IncomingMessage) => Account

/** What a client has asked for within a minute, for one of its requests. */
export interface Account {
  /** Rejects with LookupError `TooManyRequests` where the client has used up what it may ask for. */
  readonly check: () => Promise<void>
  /**
   * Charges the request, once: for each value that it is about to look up, and for one at least. Rejects as
   * `check` does.
   */
  readonly charge: (values: number) => Promise<void>
  readonly isCharged: () => boolean
}

/**
 * Limits the values that each client address may ask for in a minute. A request that finds any left is
 * answered whole, and the next ones have to wait. It is charged before its values are looked up, or many
 * requests at once would all find what is left. Where the counting itself fails, requests are let in: half a
 * second later.
 *
 * @param total values a minute, of which each of so many workers allows its share: they do not wait for each
 * other. A client with one connection has the share of one worker.
 * @param trusted addresses, or ranges of them, of proxies whose `X-Forwarded-For` is believed
 */
export function createRateLimit(total: number, workers: number, trusted: readonly string[]): RateLimit {
  const clientOf = createClientAddress(trusted)
  const points = Math.ceil(total / workers)
  const limiter = new RateLimiterMemory({ points, duration: WINDOW_SECONDS })

  function refuse({ msBeforeNext }: RateLimiterRes): never {
    const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000))
    throw new LookupError('TooManyRequests', [String(seconds), String(total)])
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
