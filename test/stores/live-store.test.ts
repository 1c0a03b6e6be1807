import { renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Observation } from '../../src/observation.ts'
import { rowsOf } from '../../src/stores/items.ts'
import { openLiveStore } from '../../src/stores/live-store.ts'
import type { Store } from '../../src/stores/store.ts'
import { makeTables } from '../../src/stores/transfer.ts'
import { fill, sample, temporaryFolder } from '../kit/gateway.ts'
import { makeDatabase, showUsernamesBy, type TestDatabase } from '../kit/postgres/database.ts'
import { change } from './sqlite/support.ts'

const name = async (store: Store) => rowsOf(await store.findUsers('ID', ['1']))[0]?.displayName

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

async function makeSqlite(displayName: string) {
  const location = { kind: 'sqlite', path: join(folder.path, `${displayName}.db`) } as const
  await makeTables(location)
  await fill(location, 'users', sample.users)
  change(location.path, `UPDATE users SET display_name = '${displayName}' WHERE id = 1`)
  return location
}

async function makePostgres(displayName: string): Promise<TestDatabase> {
  const database = await makeDatabase()
  onTestFinished(database.remove)
  await makeTables(database.location)
  await fill(database.location, 'users', sample.users)
  await database.run(`UPDATE users SET display_name = '${displayName}' WHERE id = 1`)
  return database
}

test('the version of another database is another one', async () => {
  const [one, two] = [await makeSqlite('one'), await makeSqlite('two')]
  const { store, exchange } = await openLiveStore(one, () => {})
  const versions = new Set([store.version?.()])
  for (const location of [two, one, two]) {
    await exchange(location)
    versions.add(store.version?.())
  }
  expect(await name(store)).toBe('two')
  expect(versions.size).toBe(4)
  // A file that was replaced has counted on by itself.
  renameSync((await makeSqlite('three')).path, two.path)
  await expect.poll(() => name(store), { timeout: 5_000 }).toBe('three')
  versions.add(store.version?.())
  await exchange(one)
  versions.add(store.version?.())
  expect(versions.size).toBe(6)
  expect([store.capacity, store.foldsUsernames]).toEqual([undefined, undefined])
  await store.close()
  await expect(name(store)).rejects.toThrow()
})

test('a file that was replaced is noticed before it is opened once more', async () => {
  const [one, two] = [await makeSqlite('one'), await makeSqlite('two')]
  const types: string[] = []
  const { store, exchange } = await openLiveStore(one, ({ type }) => types.push(type))
  expect(await name(store)).toBe('one')
  const before = statSync(`${one.path}-shm`).ino
  renameSync(two.path, one.path)
  await exchange(one)
  expect(await name(store)).toBe('two')
  expect(types).toEqual(['database-replaced', 'reloaded'])
  expect(statSync(`${one.path}-shm`).ino).not.toBe(before)
  await store.close()
})

test('what is under way is answered by the database that was asked, which is closed then', async () => {
  const [one, two] = [await makePostgres('one'), await makePostgres('two')]
  const slow = showUsernamesBy('PERFORM pg_sleep(0.8); RETURN $1;')
  await one.run(slow.begin)
  const sessions = () =>
    one.run(
      `SELECT pid FROM pg_stat_activity
       WHERE application_name = 'lookup-service' AND datname = current_database()`,
    )
  const { store, exchange } = await openLiveStore(one.location, () => {})
  const asked = name(store)
  await exchange(two.location)
  expect(await name(store)).toBe('two')
  expect(await sessions()).not.toEqual([])
  expect(await asked).toBe('one')
  await expect.poll(sessions, { timeout: 5000 }).toEqual([])
  expect(store.capacity?.()).toBe(4)
  await store.close()
})

test('one that cannot be opened is not heard of, and changes nothing', async () => {
  const one = await makePostgres('one')
  const seen: Observation[] = []
  const { store, exchange } = await openLiveStore(one.location, (observation) => seen.push(observation))
  const before = seen.length
  await expect(exchange({ ...one.location, url: 'postgres://nobody@127.0.0.1:1/x' })).rejects.toThrow(
    /DATABASE_URL .* cannot be used/,
  )
  await expect(exchange({ kind: 'sqlite', path: 'x.db' })).rejects.toThrow(
    /another kind .* Restart the gateway/,
  )
  expect(seen).toHaveLength(before)
  expect(await name(store)).toBe('one')
  await exchange(one.location)
  expect(seen.slice(before).map(({ type }) => type)).toEqual(['reloaded', 'server-known'])
  await store.close()
})

test('closing does not wait for queries that are under way', async () => {
  const one = await makePostgres('one')
  await one.run(showUsernamesBy('PERFORM pg_sleep(30); RETURN $1;').begin)
  const patient = { ...one.location, timeout: 60_000 }
  const { store, exchange } = await openLiveStore(patient, () => {})
  const [first] = [name(store), await exchange(patient)]
  const second = name(store)
  const failing = [first, second].map((asked) => expect(asked).rejects.toThrow())
  const started = performance.now()
  await store.close()
  expect(performance.now() - started).toBeLessThan(5000)
  await Promise.all(failing)
})
