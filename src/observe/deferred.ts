// What pino and prom-client need is loaded after the start, so that neither the start nor the first responses
// wait for it.

import type { Observation } from './events.ts'
import type { Metrics } from './metrics.ts'

/** Milliseconds after the first item. */
const LOAD_DELAY_MS = 100

interface Deferred<Item> {
  readonly take: (item: Item) => void
  /** Loads the consumer now, and passes it the items that have waited. */
  readonly load: () => Promise<void>
}

/** Keeps items until their consumer has been loaded. */
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

/** Metrics that count from the start, and are loaded a little later or when they are first read. */
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
