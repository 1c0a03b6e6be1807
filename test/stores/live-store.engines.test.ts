// A store that is exchanged for another one while lookups go on: over real servers.

import { describe, expect, onTestFinished, test } from 'vitest'
import { openLiveStore } from '../../src/stores/live-store.ts'
import type { Store } from '../../src/stores/store.ts'
import { engines, fillSample } from '../kit/engines.ts'
import { rowsOf } from '../kit/rows.ts'

const nameIn = async (store: Store) => rowsOf(await store.findUsers('ID', ['1']))[0]?.displayName

describe.for(engines)('$name', (engine) => {
  const makeDatabase = async () => (await engine.shared()).makeDatabase()
  async function make(displayName: string) {
    const database = await makeDatabase()
    onTestFinished(database.remove)
    await fillSample(database)
    await database.run(`UPDATE users SET display_name = '${displayName}' WHERE id = 1`)
    return database
  }

  test('a lookup in flight is answered by the database that it asked, which is closed then', async () => {
    const [one, two] = [await make('one'), await make('two')]
    await one.run(engine.words.slowUsers(0.8).begin)
    const { store, exchange } = await openLiveStore(one.location, () => {})
    const asked = nameIn(store)
    await exchange(two.location)
    expect(await nameIn(store)).toBe('two')
    expect(await one.run(engine.words.sessions)).not.toEqual([])
    expect(await asked).toBe('one')
    await expect.poll(() => one.run(engine.words.sessions)).toEqual([])
    expect(store.capacity?.()).toBe(4)
    await store.close()
  })

  test('closing does not wait for lookups in flight', async () => {
    const one = await make('one')
    await one.run(engine.words.slowUsers(30).begin)
    const patient = { ...one.location, timeout: 60_000 }
    const { store, exchange } = await openLiveStore(patient, () => {})
    const [first] = [nameIn(store), await exchange(patient)]
    const failing = [first, nameIn(store)].map((asked) => expect(asked).rejects.toThrow())
    await store.close()
    await Promise.all(failing)
  }, 20_000)
})
