// A file in rollback-journal mode, as many old programs keep theirs: a program that writes locks readers out.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Observation } from '../../../src/observation.ts'
import { openStore } from '../../../src/stores/open-store.ts'
import { type Store, UnusableDatabase } from '../../../src/stores/store.ts'
import { makeTables } from '../../../src/stores/transfer.ts'
import { temporaryFolder } from '../../kit/gateway.ts'
import { change } from './support.ts'

let folder: ReturnType<typeof temporaryFolder>
let path: string
let opened: Store
beforeEach(async () => {
  folder = temporaryFolder()
  path = join(folder.path, 'locked.db')
  await makeTables({ kind: 'sqlite', path })
})
afterEach(async () => {
  await opened.close()
  folder.remove()
})

async function open() {
  const observations: Observation[] = []
  const store = await openStore({ kind: 'sqlite', path }, (observation) => observations.push(observation))
  opened = store
  return { store, observations }
}

function lock(): DatabaseSync {
  const writer = new DatabaseSync(path)
  onTestFinished(() => {
    if (writer.isOpen) writer.close()
  })
  writer.exec('BEGIN EXCLUSIVE')
  return writer
}

test('is told at the start what to do about it; one in WAL mode is told nothing', async () => {
  const { store, observations } = await open()
  expect(observations).toEqual([])
  await store.close()
  change(path, 'PRAGMA journal_mode = DELETE')
  expect((await open()).observations).toMatchObject([
    {
      type: 'database-warning',
      path,
      reason: expect.stringMatching(/not in WAL mode.*PRAGMA journal_mode = WAL/),
    },
  ])
})

test('keeps one query waiting for a moment, and none for the next second', async () => {
  change(path, 'PRAGMA journal_mode = DELETE')
  const { store, observations } = await open()
  const writer = lock()
  const ask = async () => {
    const started = performance.now()
    const code = await Promise.resolve()
      .then(() => store.findApps(['1']))
      .then(
        () => 'answered',
        ({ code }) => code,
      )
    return { code, took: performance.now() - started }
  }
  const started = performance.now()
  const first = await ask()
  expect(first.code).toBe('Unavailable')
  expect(first.took).toBeGreaterThan(45)
  for (let count = 0; count < 100; count++) expect((await ask()).code).toBe('Unavailable')
  // A hundred that each waited 50 ms would take five seconds.
  expect(performance.now() - started).toBeLessThan(2_500)
  expect(observations.filter(({ type }) => type === 'store-failed')).toHaveLength(101)
  // Nothing is asked before the second is over, and then it is.
  writer.close()
  expect((await ask()).code).toBe('Unavailable')
  await expect.poll(async () => (await ask()).code).toBe('answered')
  expect(performance.now() - started).toBeGreaterThan(900)
})

test('is named where it is not ready', async () => {
  change(path, 'PRAGMA journal_mode = DELETE')
  const { store } = await open()
  const writer = lock()
  const causes = () =>
    Promise.resolve()
      .then(() => store.ready())
      .then(
        () => null,
        ({ cause }) => cause,
      )
  const reason = `The database ${path} is locked by another program that is writing.`
  for (const again of [false, true]) {
    const cause = await causes()
    expect({ again, cause }).toMatchObject({ cause: expect.any(UnusableDatabase) })
    expect(String(cause)).toContain(reason)
  }
  writer.close()
  await expect.poll(causes).toBe(null)
})

test('a lock that is short is waited for', async () => {
  change(path, 'PRAGMA journal_mode = DELETE')
  const { store } = await open()
  // Of another process, since a query keeps this one from doing anything else.
  const script = `
    const { DatabaseSync } = require('node:sqlite')
    const writer = new DatabaseSync(${JSON.stringify(path)})
    writer.exec('BEGIN EXCLUSIVE')
    console.log('locked')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    writer.close()
    console.log('open')
    setInterval(() => {}, 1000)`
  const child = execFile(process.execPath, ['-e', script])
  onTestFinished(() => void child.kill())
  await new Promise<void>((resolve) => child.stdout?.once('data', () => resolve()))
  expect(await store.findApps(['1'])).toEqual([null])
})
