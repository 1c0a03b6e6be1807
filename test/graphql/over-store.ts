// A gateway over a store that a test makes fail.

import { onTestFinished } from 'vitest'
import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/config/config.ts'
import { listen } from '../../src/http/server.ts'
import type { Observation } from '../../src/observe/events.ts'
import { type CountingStore, openCountingStore } from '../lookups/counting-store.ts'

interface StoreGateway {
  readonly url: string
  readonly store: CountingStore
  readonly observations: Observation[]
}

/** The end of the test closes it. */
export async function startOverStore(settings: Readonly<Record<string, string>> = {}): Promise<StoreGateway> {
  const config = readConfig({ flags: settings })
  const observations: Observation[] = []
  const store = await openCountingStore()
  const app = await createApp(config, store, (observation) => observations.push(observation))
  const listener = await listen(app, { port: 0, host: '127.0.0.1', timeouts: config.timeouts })
  onTestFinished(async () => {
    await listener.close(0)
    await app.close()
    await store.remove()
  })
  return { url: listener.url.replace('localhost', '127.0.0.1'), store, observations }
}
