// Requests that come while an old service is busy share its next call. What waits for more than 200 ms is
// refused, so that this test may fail on a machine that is busy otherwise.

import { expect } from 'vitest'
import { test } from '../../kit/test.ts'
import { serveHeld } from './support.ts'

test('calls are shared between requests that come at the same time', { retry: 3 }, async ({
  withSettings,
}) => {
  const old = await serveHeld()
  const gateway = await withSettings({ DATABASE_URL: old.url, DATABASE_CONNECTIONS: '2' })
  const ask = async (id: number) => (await fetch(`${gateway.url}/?Event=ProfileLookup&Users=${id}`)).status
  // Together, they would share a call.
  const responses = [ask(1)]
  await old.until(1)
  responses.push(ask(2))
  await old.until(2)
  responses.push(...Array.from({ length: 10 }, (_, at) => ask(at + 3)))
  await expect.poll(gateway.inFlight, { interval: 2, timeout: 1_000 }).toBe(12)
  old.open()
  expect(await Promise.all(responses)).toEqual(responses.map(() => 200))
  expect(gateway.observations.filter(({ type }) => type === 'store-query').length).toBeLessThan(6)
})
