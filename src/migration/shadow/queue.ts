// The requests that wait to be compared. Each process makes a few comparisons at a time, at a limited rate.
// Each event has its own queue, and no client can fill it: one that sends many requests would otherwise delay
// the guard.

import { setImmediate as afterResponse } from 'node:timers/promises'
import { MAX_SHADOW_RATE } from '../../config/settings.ts'
import { createPace } from '../pace.ts'

/** Comparisons at a time. */
export const WIDTH = 2
/** Requests of each event that wait: a frequent event must not crowd out a rare one. */
const MAX_WAITING = 50
/** Requests of one client among them. */
const MAX_WAITING_OF_CLIENT = 10

interface QueueJob {
  readonly event: string
  /** Null without a cutover: then all requests count as those of different clients. */
  readonly client: string | null
}

/** @param run compares one request; it must not reject, and waits for `pace` before each call */
export function createQueue<Item extends QueueJob>(run: (job: Item) => Promise<void>) {
  /** By event; the first event is the next one. */
  const waiting = new Map<string, Item[]>()
  let running = 0

  /** @returns false if the queue has no place for the request */
  function add(job: Item): boolean {
    const { event, client } = job
    const queue = waiting.get(event) ?? []
    const ofClient = client === null ? 0 : queue.filter((one) => one.client === client).length
    if (queue.length >= MAX_WAITING || ofClient >= MAX_WAITING_OF_CLIENT) return false
    queue.push(job)
    waiting.set(event, queue)
    if (running < WIDTH) void work()
    return true
  }

  async function work(): Promise<void> {
    running++
    await afterResponse()
    for (let job = takeNext(); job !== undefined; job = takeNext()) await run(job)
    running--
  }

  /** Takes one request of each event, round robin. */
  function takeNext(): Item | undefined {
    for (const [event, queue] of waiting) {
      const job = queue.shift()
      waiting.delete(event)
      if (queue.length > 0) waiting.set(event, queue)
      return job
    }
    return undefined
  }

  return { add, pace: createPace(MAX_SHADOW_RATE), clear: () => waiting.clear() }
}
