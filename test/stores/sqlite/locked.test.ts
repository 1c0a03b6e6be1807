// A file in rollback-journal mode, as many old programs keep theirs: a program that writes locks readers out.

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished } from 'vitest'
import { makeTables } from '../../../src/stores/transfer.ts'
import { test } from '../../kit/test.ts'
import { change, openWatched } from './support.ts'

async function open(folder: string, mode: string) {
  const path = join(folder, `${mode}.db`)
  await makeTables({ kind: 'sqlite', path })
  change(path, `PRAGMA journal_mode = ${mode}`)
  return { path, ...(await openWatched(path)) }
}

test('the mode is said at the start, with what to do', async ({ place }) => {
  expect((await open(place.path, 'WAL')).observations).toEqual([])
  const { path, observations } = await open(place.path, 'DELETE')
  const reason = expect.stringMatching(/not in WAL mode.*PRAGMA journal_mode = WAL/)
  expect(observations).toEqual([{ type: 'database-warning', path, reason }])
})

test('one query waits for a lock, and none for the next second; the store is not ready', async ({
  place,
}) => {
  const { path, store, observations, clock } = await open(place.path, 'DELETE')
  const writer = new DatabaseSync(path)
  onTestFinished(() => {
    if (writer.isOpen) writer.close()
  })
  writer.exec('BEGIN EXCLUSIVE')
  const message = expect.stringContaining(
    `The database ${path} is locked by another program that is writing.`,
  )
  const isLocked = { code: 'Unavailable', cause: { message } }
  await expect(async () => store.findApps(['1'])).rejects.toMatchObject(isLocked)
  // The file is free again, but is not tried before the second is over.
  writer.close()
  await clock.advance(999)
  await expect(async () => store.findApps(['1'])).rejects.toMatchObject(isLocked)
  await expect(async () => store.ready()).rejects.toMatchObject(isLocked)
  expect(observations.filter(({ type }) => type === 'store-failed')).toHaveLength(3)
  await clock.advance(1)
  expect(await store.findApps(['1'])).toEqual([null])
  await store.ready()
})
