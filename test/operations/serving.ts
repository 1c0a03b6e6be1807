import { join } from 'node:path'
import { filledFile } from '../kit/gateway.ts'
import { type Served, startServe } from '../kit/served.ts'
import { test as base } from '../kit/test.ts'

/** Starts `lookup serve` in this process, in the folder `place`; the end of the test stops it. */
export const test = base.extend('start', async ({ place }, { onCleanup }) => {
  await filledFile(join(place.path, 'lookup.db'))
  const started: Served[] = []
  onCleanup(async () => {
    for (const served of started) await served.stop()
  })
  return async (settings: Readonly<Record<string, string>> = {}): Promise<Served> => {
    const served = await startServe(settings, place.path)
    started.push(served)
    return served
  }
})
