// A value without a response delays no other client twice. Calls wait for at most 200 ms, so this test may
// fail on a machine that is busy otherwise.

import { expect, test } from 'vitest'
import { ask, openOverOld, serveAnswers, share, summaryOf, usersOf, valuesIn } from './support.ts'

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
