// Under load, a new SQLite file replaces the served one by a rename, and then gets an import.
// afterwards.

import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { figure } from '../kit/figures.ts'
import { sample } from '../kit/gateway.ts'
import { serve } from '../kit/serving.ts'
import { startSteadyLoad } from '../kit/steady-load.ts'
import { test } from '../kit/test.ts'
import { csvFile, csvRow, type Workplace } from '../kit/workplace.ts'

const RATE = figure(100, 500)
const ROUNDS = figure(2, 20)
const USERS = figure(500, 2_000)

/** Fills a file with users of one rank, and with what the load looks up. */
async function fillFile(place: Workplace, file: string, rank: number): Promise<void> {
  const username = (id: number) => (id === 1 ? 'Ada' : `user ${id}`)
  const ids = Array.from({ length: USERS }, (_, index) => index + 1)
  place.write(
    'users.csv',
    csvFile(...ids.map((id) => csvRow(id, { username: username(id), rank: `${rank}` }))),
  )
  for (const [relation, source] of [
    ['users', 'users.csv'],
    ['apps', sample.apps],
  ] as const) {
    const env = { DATABASE_URL: `sqlite:${file}` }
    const { stderr, status } = await place.run(['import', relation, source, '--replace'], { env })
    expect({ stderr, status }).toMatchObject({ status: 0 })
  }
}

test.for(figure(['2'], ['1', '2']))(
  '%s processes: no request fails, and none is answered with a mixture',
  { timeout: 300_000 },
  async (workers, { place }) => {
    await fillFile(place, 'lookup.db', 1)
    const { url, log, stop } = await serve({ cwd: place.path, timeout: 300_000 }, '--workers', workers)
    const ids = Array.from({ length: 50 }, (_, index) => index * 10 + 1).join(':')
    const ranks = async () => {
      const text = await (await fetch(`${url}/?Event=ProfileLookup&Users=${ids}`)).text()
      return [...new Set([...text.matchAll(/"Rank":\s*(\d+)/g)].map(([, rank]) => Number(rank)))]
    }
    const processes = workers === '1' ? 1 : Number(workers) + 1
    const load = startSteadyLoad(url, RATE)
    let rank = 1
    for (let round = 0; round < ROUNDS; round++) {
      await fillFile(place, 'new.db', ++rank)
      // Another program has the file open when it is replaced. The WAL is empty.
      const program = new DatabaseSync(join(place.path, 'lookup.db'))
      program.exec('UPDATE users SET rank = 99')
      const checkpoint = program.prepare('PRAGMA wal_checkpoint(TRUNCATE)')
      await expect.poll(() => checkpoint.get()?.busy).toBe(0)
      renameSync(join(place.path, 'new.db'), join(place.path, 'lookup.db'))
      program.close()
      // Each process serves some of these.
      await expect
        .poll(async () => [await ranks(), await ranks(), await ranks(), await ranks()].flat())
        .toEqual([rank, rank, rank, rank])
      await fillFile(place, 'lookup.db', ++rank)
      expect(await ranks()).toEqual([rank])
      // Each process checks the file once a second, and does not see a file that is replaced within a second.
      await expect.poll(() => log.of('database-replaced')).toHaveLength((round + 1) * processes)
    }
    await pause(200)
    const sent = await load.stop()
    expect(sent.filter(({ outcome }) => outcome !== 'ok')).toEqual([])
    expect(sent.length).toBeGreaterThan(RATE)
    expect(log.of('store-failed')).toEqual([])
    expect(await stop()).toMatchObject({ status: 0 })
    const database = new DatabaseSync(join(place.path, 'lookup.db'))
    expect(database.prepare('PRAGMA integrity_check').get()).toMatchObject({ integrity_check: 'ok' })
    database.close()
  },
)
