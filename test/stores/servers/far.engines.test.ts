// A database that is far away: by default a lookup has a second, and so has a login.

import { describe, expect, test } from 'vitest'
import { putFarAway } from '../../kit/distance.ts'
import { engines, fillSample, openDatabase, watchStore } from '../../kit/engines.ts'

/** Milliseconds of a round trip: a login and a query take longer than a probe waits, and less than 1 s. */
const roundTrips = { postgres: 300, mysql: 200 } as const
describe.for(engines)('$name', (engine) => {
  async function openFar() {
    const database = await openDatabase(engine, fillSample)
    const url = new URL(database.url)
    url.port = String(await putFarAway(Number(url.port), roundTrips[engine.kind]))
    return { database, location: { ...engine.locate(url.href), timeout: 1000 } }
  }

  test('the store uses it, though a login and a query take longer than a probe waits', async () => {
    const { database, location } = await openFar()
    const { store, of } = await watchStore(location)
    // Lookups of apps are the last question of a probe.
    await expect.poll(await engine.watchLookups(database, 'apps', 'id')).toBe(true)
    await store.ready()
    expect(await store.findUsers('ID', ['1'])).toMatchObject([{ id: 1 }])
    expect(of('server-out')).toEqual([])
  })
})
