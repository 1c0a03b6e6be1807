// A store that is exchanged for another one while lookups go on: over SQLite files.

import { linkSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import type { Observation } from '../../src/observe/events.ts'
import { openLiveStore } from '../../src/stores/live-store.ts'
import type { Store } from '../../src/stores/store.ts'
import { createClock } from '../kit/clock.ts'
import { filledFile } from '../kit/gateway.ts'
import { rowsOf } from '../kit/rows.ts'
import { test } from '../kit/test.ts'
import { serveHeld } from './old-service/support.ts'
import { change } from './sqlite/support.ts'

const nameIn = async (store: Store) => rowsOf(await store.findUsers('ID', ['1']))[0]?.displayName

async function make(folder: string, name: string) {
  const location = await filledFile(join(folder, `${name}.db`))
  change(location.path, `UPDATE users SET display_name = '${name}' WHERE id = 1`)
  return location
}

async function open(location: Parameters<typeof openLiveStore>[0]) {
  const seen: Observation[] = []
  const clock = createClock()
  const { store, exchange } = await openLiveStore(location, (observation) => seen.push(observation), clock)
  onTestFinished(() => store.close())
  return { store, exchange, clock, types: () => seen.map(({ type }) => type) }
}

test('the version of another database is another one', async ({ place }) => {
  const [one, two] = [await make(place.path, 'one'), await make(place.path, 'two')]
  const { store, exchange, clock } = await open(one)
  const versions = new Set([store.version?.()])
  for (const location of [two, one, two]) {
    await exchange(location)
    versions.add(store.version?.())
  }
  expect(await nameIn(store)).toBe('two')
  expect(versions.size).toBe(4)
  // The version of a file that was replaced counts on by itself.
  renameSync((await make(place.path, 'three')).path, two.path)
  await clock.advance(1_000)
  expect(await nameIn(store)).toBe('three')
  versions.add(store.version?.())
  await exchange(one)
  versions.add(store.version?.())
  expect(versions.size).toBe(6)
})

test('a store that is closed during an exchange has no other one opened', async ({ place }) => {
  const [one, two] = [await make(place.path, 'one'), await make(place.path, 'two')]
  const [seen, clock] = [[] as Observation[], createClock()]
  const { store, exchange } = await openLiveStore(one, (observation) => seen.push(observation), clock)
  const exchanged = exchange(two)
  await store.close()
  await exchanged
  expect([seen, clock.waiting()]).toEqual([[], 0])
})

test('lookups that still fail in the store before are not observed', async () => {
  const old = await serveHeld(
    () => true,
    (_, response) => {
      response.writeHead(503).end()
      return null
    },
  )
  const { database } = readConfig({ flags: { DATABASE_URL: old.url } })
  const { store, exchange, types } = await open(database)
  const failing = [store.findUsers('ID', ['1']), store.findUsers('ID', ['2'])]
  await old.until(2)
  await exchange(database)
  old.open()
  await Promise.allSettled(failing)
  expect(types()).toEqual(['reloaded'])
})

// A process must not open a file while it has the one before at the same path.
test('a file that was replaced is noticed before it is opened once more', async ({ place }) => {
  const [one, two] = [await make(place.path, 'one'), await make(place.path, 'two')]
  const { store, exchange, types } = await open(one)
  expect(await nameIn(store)).toBe('one')
  const before = statSync(`${one.path}-shm`).ino
  // The number of a file that is gone may be given to the next one.
  linkSync(`${one.path}-shm`, `${one.path}-shm.kept`)
  renameSync(two.path, one.path)
  await exchange(one)
  expect(await nameIn(store)).toBe('two')
  expect(types()).toEqual(['database-replaced', 'reloaded'])
  expect(statSync(`${one.path}-shm`).ino).not.toBe(before)
})

test('a database that cannot be opened changes nothing, and nothing is observed of it', async ({ place }) => {
  const { store, exchange, types } = await open(await make(place.path, 'one'))
  await expect(exchange({ kind: 'sqlite', path: 'none.db' })).rejects.toThrow('unable to open database file')
  const { database } = readConfig({ flags: { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x' } })
  await expect(exchange(database)).rejects.toThrow(/another kind .* Restart the gateway/)
  expect([types(), await nameIn(store)]).toEqual([[], 'one'])
})
