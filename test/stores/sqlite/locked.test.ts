// A file in rollback-journal mode, as many old programs keep theirs: a program that writes locks readers out.

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished } from 'vitest'
import type { Observation } from '../../../src/observe/events.ts'
import { openStore } from '../../../src/stores/open-store.ts'
import { UnusableDatabase } from '../../../src/stores/store.ts'
import { makeTables } from '../../../src/stores/transfer.ts'
import { createClock } from '../../kit/clock.ts'
import { test as base } from '../../kit/test.ts'
import { change } from './support.ts'

const test = base
  .extend('path', async ({ place }) => {
    const path = join(place.path, 'locked.db')
    await makeTables({ kind: 'sqlite', path })
    return path
  })
  .extend('open', ({ path }) => async () => {
    const observations: Observation[] = []
    const clock = createClock()
    const observe = (observation: Observation) => observations.push(observation)
    const store = await openStore({ kind: 'sqlite', path }, observe, clock)
    onTestFinished(() => store.close())
    return { store, observations, clock }
  })

function lock(path: string): DatabaseSync {
  const writer = new DatabaseSync(path)
  onTestFinished(() => {
    if (writer.isOpen) writer.close()
  })
  writer.exec('BEGIN EXCLUSIVE')
  return writer
}

const failureOf = async (work: () => unknown) => {
  try {
    await work()
    return null
  } catch (error) {
    return error
  }
}

test.for([
  ['WAL', []],
  ['DELETE', [{ type: 'database-warning', reason: /not in WAL mode.*PRAGMA journal_mode = WAL/ }]],
] as const)('in mode %s it is said at the start what to do: %j', async ([mode, said], { path, open }) => {
  change(path, `PRAGMA journal_mode = ${mode}`)
  const expected = said.map(({ type, reason }) => ({ type, path, reason: expect.stringMatching(reason) }))
  expect((await open()).observations).toMatchObject(expected)
})

test('one query waits for a lock, and none for the next second', async ({ path, open }) => {
  change(path, 'PRAGMA journal_mode = DELETE')
  const { store, observations, clock } = await open()
  const writer = lock(path)
  const ask = () => failureOf(() => store.findApps(['1']))
  expect(await ask()).toMatchObject({ code: 'Unavailable' })
  // The file is free again, but is not tried before the second is over.
  writer.close()
  await clock.advance(999)
  expect(await ask()).toMatchObject({ code: 'Unavailable' })
  expect(observations.filter(({ type }) => type === 'store-failed')).toHaveLength(2)
  await clock.advance(1)
  expect(await ask()).toBe(null)
})

test('a store that is not ready names the lock', async ({ path, open }) => {
  change(path, 'PRAGMA journal_mode = DELETE')
  const { store, clock } = await open()
  const writer = lock(path)
  const reason = `The database ${path} is locked by another program that is writing.`
  for (const _again of [false, true]) {
    const failure = await failureOf(() => store.ready())
    expect(failure).toMatchObject({ cause: expect.any(UnusableDatabase) })
    expect(failure).toMatchObject({ cause: { message: expect.stringContaining(reason) } })
  }
  writer.close()
  await clock.advance(1_000)
  expect(await failureOf(() => store.ready())).toBe(null)
})
