// Requests that come while an old service is busy share its next call. What waits for more than 200 ms is
// refused, so that this test may fail on a machine that is busy otherwise.

import { expect } from 'vitest'
import { test } from '../../kit/test.ts'
import { ask, openOverOld, serveAnswers, serveHeld, share, summaryOf, usersOf, valuesIn } from './support.ts'

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

test.for(['1', '4'])(
  'a value without a response fails no other client, over %s connections',
  {
    retry: 3,
  },
  async (connections) => {
    const { url, asked } = await serveAnswers((values) => (values.includes('13') ? null : usersOf(values)))
    const { store } = openOverOld(url, { DATABASE_CONNECTIONS: connections })
    const lists = [['13'], ['2'], ['13', '3'], ['4'], ['13']].map((values) => ask(...values))
    const expected = ['Unavailable', 2, 'Unavailable', 3, 4, 'Unavailable']
    expect(summaryOf((await share(store, lists).found) ?? [])).toEqual(expected)

    // From now on, others do not wait for it either.
    const before = asked.length
    const { early, found } = share(store, lists)
    await expect.poll(() => [...early.keys()].sort()).toEqual([1, 3])
    expect(summaryOf(await found)).toEqual(expected)
    const calls = asked.slice(before).map(valuesIn)
    expect(calls[0]).toEqual(['2', '3', '4'])
    for (const values of calls) if (values.includes('13')) expect(values).toHaveLength(1)
  },
)
