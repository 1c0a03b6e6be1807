// During an outage, the page for operators responds in time, and says which figures are missing.

import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { childrenOf } from '../kit/children.ts'
import { engines, makeForum, readerUrl } from '../kit/engines.ts'
import { type Serving, serve } from '../kit/serving.ts'
import { makeWorkplace } from '../kit/workplace.ts'
import { look, plain, sectionOf } from './look.ts'

/** Milliseconds in which the page responds, whatever hangs: it waits two seconds for its figures. */
const PATIENCE = 5_000
const slow = { timeout: 240_000 }

async function startOver(env: Readonly<Record<string, string>>) {
  const place = makeWorkplace()
  onTestFinished(() => place.remove())
  const options = { cwd: place.path, env: { LOG_LEVEL: 'silent', ...env }, timeout: 120_000 }
  return serve(options, '--workers', '2')
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

test('PostgreSQL is frozen: the page says so in time', slow, async () => {
  const postgres = engines.find(({ kind }) => kind === 'postgres')
  if (postgres === undefined) throw new Error('there is no PostgreSQL')
  const [primary, standby] = await postgres.startPair()
  onTestFinished(async () => {
    for (const server of [standby, primary]) {
      server.thaw()
      await server.remove()
    }
  })
  await makeForum(postgres, primary)
  await standby.untilCaughtUp(primary)
  // The servers trust every client; the page must not show a password.
  const [url, replica] = [primary, standby].map((server) => readerUrl(server).replace('@', ':Zq7xJv9kWm@'))
  const urls = { DATABASE_URL: url ?? '', DATABASE_REPLICA_URLS: replica ?? '' }
  const serving = await startOver(urls)
  await lookup(serving)
  const stateOf = async (port: number) =>
    new RegExp(`:${port}/\\S+ (\\w+) since`).exec(
      sectionOf(await lookInTime(serving), 'Database servers'),
    )?.[1]
  for (const { port } of [primary, standby]) expect(await stateOf(port)).toBe('up')
  standby.freeze()
  await expect.poll(() => stateOf(standby.port), { timeout: 30_000 }).toBe('out')
  expect(await stateOf(primary.port)).toBe('up')
  primary.freeze()
  const said = async () => plain(await lookInTime(serving))
  await expect.poll(said, { timeout: 30_000 }).toContain('Not ready')
  const html = await lookInTime(serving)
  expect(totalOf(html)).toBeGreaterThan(0)
  expect(html).not.toContain('Zq7xJv9kWm')
  standby.thaw()
  await expect.poll(said, { timeout: 30_000 }).toContain('Ready. Lookups are answered')
})

test('a worker is frozen, replaced or killed: nothing that was shown is lost', slow, async () => {
  const serving = await startOver({})
  const total = async () => totalOf(await lookInTime(serving))
  for (let time = 0; time < 20; time++) await lookup(serving)
  expect(await total()).toBe(20)
  const before = childrenOf(serving.process.pid)
  process.kill(before[0] ?? 0, 'SIGSTOP')
  // One look is shown for a second.
  await pause(1_100)
  expect(plain(await lookInTime(serving))).toContain('1 worker did not respond in time.')
  expect(await total()).toBe(20)
  process.kill(before[0] ?? 0, 'SIGCONT')
  serving.process.kill('SIGHUP')
  const isReplaced = async () => {
    expect(await total()).toBe(20)
    return childrenOf(serving.process.pid).some((pid) => before.includes(pid))
  }
  await expect.poll(isReplaced, { timeout: 60_000 }).toBe(false)
  process.kill(childrenOf(serving.process.pid)[0] ?? 0, 'SIGKILL')
  await expect
    .poll(async () => sectionOf(await lookInTime(serving), 'Errors'), { timeout: 30_000 })
    .toContain('worker lost 1')
  expect(await total()).toBe(20)
})
