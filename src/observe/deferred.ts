// Loads pino and prom-client after the start, so that neither the start nor the first responses wait for
// them.

import type { Observation } from './events.ts'
import type { Metrics } from './metrics.ts'

/** Milliseconds from the first item. */
const LOAD_DELAY_MS = 100

interface Deferred<Item> {
  readonly take: (item: Item) => void
  /** Loads the consumer now, and passes the waiting items to it. */
  readonly load: () => Promise<void>
}

/** Queues items until their consumer is loaded. */
export function deferred<Item>(loadConsumer: () => Promise<(item: Item) => void>): Deferred<Item> {
  const waiting: Item[] = []
  let loading: Promise<void> | null = null
  let take = (item: Item): void => {
    if (waiting.length === 0) setTimeout(load, LOAD_DELAY_MS).unref()
    waiting.push(item)
  }

  function load(): Promise<void> {
    loading ??= loadConsumer().then((consume) => {
      take = consume
      for (const item of waiting.splice(0)) consume(item)
    })
    return loading
  }

  return { take: (item) => take(item), load }
}

/** Metrics that queue events until prom-client is loaded: soon after the start, or at the first read. */
export function createDeferredMetrics(): Metrics {
  let metrics: Promise<Metrics> | null = null
  const loadMetrics = () => (metrics ??= import('./metrics.ts').then(({ createMetrics }) => createMetrics()))
  const { take, load } = deferred<Observation>(async () => (await loadMetrics()).observe)
  return {
    observe: take,
    read: async (readings) => {
      await load()
      return (await loadMetrics()).read(readings)
    },
  }
}
