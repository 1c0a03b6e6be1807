// A database that is far away: by default a lookup has a second, and so has a login.

import { describe, expect, onTestFinished, test } from 'vitest'
import type { Observation } from '../../../src/observation.ts'
import { openStore } from '../../../src/stores/open-store.ts'
import { probePatience } from '../../../src/stores/servers/examination.ts'
import { putFarAway } from '../../kit/distance.ts'
import { engines, fillSample, useDatabases } from '../../kit/engines.ts'

/** Milliseconds of a round trip: a login and a query take longer than a probe waits, and less than 1 s. */
const roundTrips = { postgres: 300, mysql: 250 } as const

const noConnection =
  'no connection in time. Check that the server is running and that the address is correct.'
/** Milliseconds that are not enough. A login of MySQL takes longer than what is asked then. */
const tooShort = {
  postgres: [
    [200, noConnection],
    [400, 'no response within 400 ms. Check for a locked table (pg_locks) and for overload.'],
  ],
  mysql: [[200, noConnection]],
} as const

describe.for(engines)('$name', (engine) => {
  const makeDatabase = useDatabases(engine)
  async function makeFarDatabase() {
    const database = await makeDatabase()
    onTestFinished(() => database.remove())
    await fillSample(database)
    const url = new URL(database.url)
    url.port = String(await putFarAway(Number(url.port), roundTrips[engine.kind]))
    return { ...database, url: url.href }
  }

  test('it is used, though a login and a query together take longer than a probe waits', async () => {
    const database = await makeFarDatabase()
    const seen: Observation[] = []
    const store = await openStore(engine.locate(database.url), (one) => seen.push(one))
    // Its prober has asked all there is to ask.
    const isProbed = await engine.watchLookups(database, 'apps', 'id')
    await expect.poll(isProbed).toBe(true)
    await store.ready()
    expect(await store.findUsers('ID', ['1'])).toMatchObject([{ id: 1 }])
    expect(seen.filter(({ type }) => type === 'server-out')).toEqual([])
    await store.close()
  })

  test('one that is too far says what took too long, and which setting gives it more time', async () => {
    const database = await makeFarDatabase()
    for (const [timeout, reason] of tooShort[engine.kind]) {
      const store = openStore({ ...engine.locate(database.url), timeout }, () => {})
      await expect(store).rejects.toThrow(`${reason} If the server is far away, raise DATABASE_TIMEOUT.`)
    }
  })
})

test.for([
  [100, 500],
  [1000, 500],
  [2000, 1000],
  [60_000, 3000],
] as const)('where a lookup has %i ms, a probe waits %i ms', ([timeout, patience]) => {
  expect(probePatience(timeout)).toBe(patience)
})
