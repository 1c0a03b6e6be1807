// The page for operators is what they open when things are bad: it answers in time, and says what is unknown.

import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { childrenOf } from '../kit/children.ts'
import { engines, makeForum, readerUrl } from '../kit/engines.ts'
import { PostgresServer } from '../kit/postgres/server.ts'
import { originOf, type Serving, serve } from '../kit/serving.ts'
import { makeWorkplace } from '../kit/workplace.ts'
import { look, plain, sectionOf } from './look.ts'

/** Milliseconds in which it answers, whatever hangs: its parts have two seconds each, after a look of two. */
const PATIENCE = 5_000

async function startOver(env: Readonly<Record<string, string>>, ...flags: string[]) {
  const place = makeWorkplace()
  onTestFinished(() => place.remove())
  return serve({ cwd: place.path, env: { LOG_LEVEL: 'silent', ...env }, timeout: 120_000 }, ...flags)
}

async function lookInTime(serving: Serving): Promise<string> {
  const start = performance.now()
  const { body } = await look(serving)
  expect(performance.now() - start).toBeLessThan(PATIENCE)
  return body
}

const lookup = async ({ shown }: Serving) =>
  (await fetch((shown['Legacy JSON'] ?? '').replace('localhost', '127.0.0.1'))).arrayBuffer()
const totalOf = (html: string) =>
  Number(/ProfileLookup JSON ok ([\d,]+)/.exec(sectionOf(html, 'Traffic'))?.[1]?.replace(',', '') ?? 0)

const postgres = engines.find(({ kind }) => kind === 'postgres')

test('PostgreSQL is frozen: it says so in time, and since when', async () => {
  if (postgres === undefined) throw new Error('there is no PostgreSQL')
  const [primary, standby] = await postgres.startPair()
  onTestFinished(async () => {
    for (const server of [standby, primary]) {
      server.thaw()
      await server.remove()
    }
  })
  await makeForum(postgres, primary)
  expect(primary).toBeInstanceOf(PostgresServer)
  const serving = await startOver(
    { DATABASE_URL: readerUrl(primary), DATABASE_REPLICA_URLS: readerUrl(standby) },
    ...['--workers', '2'],
  )
  await lookup(serving)
  const whole = sectionOf(await lookInTime(serving), 'Database')
  for (const { port } of [primary, standby])
    expect(whole).toMatch(new RegExp(`:${port}/\\S+ up since [\\d-]+ [\\d:]+ UTC`))
  standby.freeze()
  const database = async () => sectionOf(await lookInTime(serving), 'Database')
  await expect
    .poll(database, { timeout: 30_000 })
    .toMatch(new RegExp(`:${standby.port}/\\S+ out since [\\d-]+ [\\d:]+ UTC`))
  expect(await database()).toMatch(new RegExp(`:${primary.port}/\\S+ up since`))
  primary.freeze()
  await expect.poll(async () => plain(await lookInTime(serving)), { timeout: 30_000 }).toContain('Not ready')
  // Figures are there all the same.
  expect(totalOf(await lookInTime(serving))).toBeGreaterThan(0)
  standby.thaw()
  await expect
    .poll(async () => plain(await lookInTime(serving)), { timeout: 30_000 })
    .toContain('Ready. Lookups are answered')
})

test('a worker is frozen: its last figures stay in the sums, and that is said', async () => {
  const serving = await startOver({}, '--workers', '2')
  for (let time = 0; time < 20; time++) await lookup(serving)
  expect(totalOf(await lookInTime(serving))).toBe(20)
  const [frozen = 0] = childrenOf(serving.process.pid)
  process.kill(frozen, 'SIGSTOP')
  onTestFinished(() => void process.kill(frozen, 'SIGCONT'))
  // Summary out a moment ago is shown for a second.
  await pause(1_100)
  const html = await lookInTime(serving)
  expect(plain(html)).toContain('1 worker did not respond in time.')
  expect(totalOf(html)).toBe(20)
})

test('workers are replaced, and one is killed: nothing that was shown is lost', async () => {
  const serving = await startOver({}, '--workers', '2')
  for (let time = 0; time < 20; time++) await lookup(serving)
  expect(totalOf(await lookInTime(serving))).toBe(20)
  const before = childrenOf(serving.process.pid)
  serving.process.kill('SIGHUP')
  let seen = 0
  await expect
    .poll(
      async () => {
        seen = Math.max(seen, totalOf(await lookInTime(serving)))
        expect(seen).toBe(20)
        return childrenOf(serving.process.pid).some((pid) => before.includes(pid))
      },
      { timeout: 60_000 },
    )
    .toBe(false)
  await pause(1_100)
  expect(totalOf(await lookInTime(serving))).toBe(20)
  process.kill(childrenOf(serving.process.pid)[0] ?? 0, 'SIGKILL')
  await expect
    .poll(async () => plain(await lookInTime(serving)), { timeout: 30_000 })
    .toContain('worker exited unexpectedly (1 ×)')
  expect(totalOf(await lookInTime(serving))).toBe(20)
})

test('the dialect is that of the workers: after SIGHUP, the new one', async () => {
  const place = makeWorkplace()
  onTestFinished(() => place.remove())
  const serving = await serve({ cwd: place.path, env: { LOG_LEVEL: 'silent' } }, '--workers', '2')
  const dialect = async () => sectionOf(await lookInTime(serving), 'Dialect in force')
  expect(await dialect()).toContain('All settings have their defaults.')
  place.write('.env', 'LEGACY_MALFORMED=drop\n')
  serving.process.kill('SIGHUP')
  await expect.poll(dialect, { timeout: 30_000 }).toContain('LEGACY_MALFORMED drop')
})

test('a hundred looks at a time while requests come: all are answered', async () => {
  const serving = await startOver({})
  const url = originOf(serving.shown['Legacy JSON'])
  const statuses = async (count: number, get: () => Promise<number>) =>
    new Set(await Promise.all(Array.from({ length: count }, get)))
  const [looks, lookups] = await Promise.all([
    statuses(100, async () => (await look(serving)).status),
    statuses(200, async () => (await fetch(`${url}/?Event=ProfileLookup&Users=1`)).status),
  ])
  expect([looks, lookups]).toEqual([new Set([200]), new Set([200])])
})
