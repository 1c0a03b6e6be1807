import { deferred } from './deferred.ts'
import type { Observation } from './events.ts'
import type { Metrics } from './metrics.ts'

/** Metrics that are loaded a little later than the rest, or when they are first read. */
export function createCounting(): Metrics {
  let making: Promise<Metrics> | null = null
  const make = () => (making ??= import('./metrics.ts').then(({ createMetrics }) => createMetrics()))
  const { take, load } = deferred<Observation>(async () => (await make()).observe)
  const read: Metrics['read'] = async (readings) => {
    await load()
    return (await make()).read(readings)
  }
  return { observe: take, read }
}
