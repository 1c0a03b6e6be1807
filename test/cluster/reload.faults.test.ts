// SIGHUP: the database is opened anew, with the settings as they are by then, and no request fails.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { startAnswering, userOf } from '../kit/answering.ts'
import { ask, startLoad } from '../kit/load.ts'
import { readLog } from '../kit/log.ts'
import { makeDatabase } from '../kit/postgres/database.ts'
import { originOf, serve } from '../kit/serving.ts'
import { csvFile, csvRow, makeWorkplace, type Workplace } from '../kit/workplace.ts'

let place: Workplace
beforeEach(() => {
  place = makeWorkplace()
})
afterEach(() => place.remove())

/** Makes databases that each have another name for user 1. */
async function makeNamed(...urls: readonly string[]): Promise<void> {
  for (const [index, url] of urls.entries()) {
    place.write('users.csv', csvFile(csvRow(1, { username: `database-${index}` })))
    const made = await place.run(['import', 'users', 'users.csv', '--database', url])
    expect(made).toMatchObject({ status: 0 })
  }
}

async function start(...flags: string[]) {
  const serving = await serve({ cwd: place.path }, ...flags)
  const log = readLog(serving.process.stderr)
  const url = originOf(serving.shown['Legacy JSON'])
  const who = async () =>
    /"Username":"([^"]*)"/.exec((await ask(`${url}/?Event=ProfileLookup&Users=1`)).body)?.[1]
  async function hangUp(expected: 'reloaded' | 'reload-failed' | 'restarted') {
    const logged = log.next(expected, 15_000)
    serving.process.kill('SIGHUP')
    return logged
  }
  const admin = (path: string) => ask(`${originOf(serving.shown.Readiness)}${path}`)
  return { ...serving, url, log, who, hangUp, admin }
}

async function makePostgres(count: number): Promise<readonly string[]> {
  const made = await Promise.all(Array.from({ length: count }, () => makeDatabase()))
  onTestFinished(async () => {
    for (const { remove } of made) await remove()
  })
  return made.map(({ url }) => url)
}

test.for([
  ['SQLite', async () => ['sqlite:one.db', 'sqlite:two.db'] as const],
  ['PostgreSQL', () => makePostgres(2)],
] as const)('%s: another database is asked from then on, and no request fails', async ([, make]) => {
  const urls = await make()
  await makeNamed(...urls)
  place.write('.env', `DATABASE_URL=${urls[0]}\n`)
  const { url, who, hangUp, stop } = await start()
  expect(await who()).toBe('database-0')
  const load = startLoad(url, { query: () => 'Event=ProfileLookup&Users=1' })
  await pause(500)
  for (const turn of [1, 0, 1]) {
    place.write('.env', `DATABASE_URL=${urls[turn]}\n`)
    await hangUp('reloaded')
    // Not even answers that were kept are those of the database before.
    expect(await who()).toBe(`database-${turn}`)
  }
  const asked = await load.stop()
  expect(asked.length).toBeGreaterThan(50)
  expect(asked.filter(({ status }) => status !== 200)).toEqual([])
  expect(await stop()).toMatchObject({ status: 0 })
})

test('an old service at another address is asked from then on, by the same names', async () => {
  const startOld = async (name: string) => {
    const old = await startAnswering((_, response) =>
      response.end(JSON.stringify({ 1: { ...userOf('1'), Username: name } })),
    )
    onTestFinished(old.close)
    return old
  }
  const [one, other] = [await startOld('one'), await startOld('other')]
  place.write('.env', `DATABASE_URL=${one.url}\n`)
  const { who, hangUp } = await start()
  expect(await who()).toBe('one')
  place.write('.env', `DATABASE_URL=${other.url}\nLEGACY_CHAT_METHOD=irc\n`)
  await hangUp('reloaded')
  const before = one.asked.length
  expect(await who()).toBe('other')
  expect(one.asked).toHaveLength(before)
})

test.for([
  ['is not there', 'DATABASE_URL=sqlite:nowhere/missing.db', 'nowhere/missing.db'],
  ['is of another kind', 'DATABASE_URL=http://127.0.0.1:9/', 'another kind'],
  ['cannot be a database', 'DATABASE_URL=oracle://me:secret@db/x', 'DATABASE_URL (.env) cannot be'],
  ['stands in a file that is not there', 'DATABASE_URL_FILE=secret.txt', 'secret.txt'],
] as const)('a database that %s leaves the one before, and the log says why', async ([, setting, reason]) => {
  await makeNamed('sqlite:one.db')
  place.write('.env', 'DATABASE_URL=sqlite:one.db\n')
  const { who, hangUp, log } = await start()
  place.write('.env', `${setting}\n`)
  const line = await hangUp('reload-failed')
  expect(line).toMatchObject({ level: 'error', reason: expect.stringContaining(reason) })
  expect(JSON.stringify(line)).not.toContain('me:secret')
  expect(await who()).toBe('database-0')
  place.write('.env', 'DATABASE_URL=sqlite:one.db\n')
  await hangUp('reloaded')
  expect(log.of('stopping')).toEqual([])
})

test('servers that are not asked any more are not shown as out', async () => {
  const [url = ''] = await makePostgres(1)
  await makeNamed(url)
  const gone = 'postgres://postgres@127.0.0.1:1/gone'
  place.write('.env', `DATABASE_URL=${url}\nDATABASE_REPLICA_URLS=${gone}\n`)
  const { who, hangUp, admin } = await start()
  async function up(): Promise<readonly (string | undefined)[]> {
    const { body } = await admin('/metrics')
    return [...body.matchAll(/^lookup_server_up\{server="[^"]*"\} (.)$/gm)].map(([, value]) => value)
  }
  await expect.poll(up).toEqual(['1', '0'])
  place.write('.env', `DATABASE_URL=${url}\n`)
  await hangUp('reloaded')
  expect(await up()).toEqual(['1'])
  expect(await who()).toBe('database-0')
})

test('with workers, the first process opens it, too, and tells whether it is ready', async () => {
  await makeNamed('sqlite:one.db', 'sqlite:two.db')
  place.write('.env', 'DATABASE_URL=sqlite:one.db\n')
  const { who, hangUp, admin, log } = await start('--workers', '2')
  expect(await who()).toBe('database-0')
  place.write('.env', 'DATABASE_URL=sqlite:two.db\n')
  await hangUp('restarted')
  expect(log.of('reloaded')).toHaveLength(1)
  expect(await who()).toBe('database-1')
  rmSync(join(place.path, 'one.db'))
  expect((await admin('/ready')).status).toBe(200)
})
