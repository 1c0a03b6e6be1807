// SIGHUP with `--workers`: others take over, with what the code and `.env` say by then.

import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSocket } from '../gateway/http/raw.ts'
import { childrenOf, isAlive } from '../kit/children.ts'
import { ask } from '../kit/load.ts'
import { readLog } from '../kit/log.ts'
import { originOf, serve } from '../kit/serving.ts'
import { makeWorkplace, type Workplace } from '../kit/workplace.ts'

let place: Workplace
beforeEach(() => {
  place = makeWorkplace()
})
afterEach(() => place.remove())

async function start(...flags: string[]) {
  const serving = await serve({ cwd: place.path }, ...flags)
  const log = readLog(serving.process.stderr)
  const lookup = (serving.shown['Legacy JSON'] ?? '').replace('localhost', '127.0.0.1')
  const hangUp = () => serving.process.kill('SIGHUP')
  return { ...serving, log, lookup, hangUp, workers: () => childrenOf(serving.process.pid) }
}

test('the new workers read .env, and keep the port', async () => {
  place.write('.env', 'LEGACY_MAX_VALUES=2\n')
  const { lookup, log, workers, hangUp, stop } = await start('--workers', '2')
  expect((await ask(lookup)).body).toContain('TooManyValues')
  const before = workers()
  place.write('.env', 'LEGACY_MAX_VALUES=3\nPORT=1\nHOST=0.0.0.0\nWORKERS=1\n')
  const restarted = log.next('restarted', 15_000)
  hangUp()
  await restarted
  expect(log.of('restarting')).toHaveLength(1)
  // One connection after the other, so that each worker answers.
  for (let turn = 0; turn < 4; turn++) expect((await ask(lookup)).status).toBe(200)
  expect(workers().filter((worker) => before.includes(worker))).toEqual([])
  expect(workers()).toHaveLength(2)
  expect(await stop()).toMatchObject({ status: 0 })
})

test('a worker that cannot start ends the restart, and the others stay', async () => {
  const { lookup, log, workers, hangUp } = await start('--workers', '2')
  const before = workers()
  place.write('.env', 'LEGACY_MAX_VALUES=none\n')
  const failed = log.next('restart-failed', 15_000)
  hangUp()
  expect(await failed).toMatchObject({ level: 'error', reason: 'exit 2' })
  await pause(1500)
  expect(workers()).toEqual(before)
  expect(log.of('worker-lost')).toEqual([])
  expect(log.of('restarting')).toHaveLength(1)
  expect((await ask(lookup)).status).toBe(200)
})

test('however often it is asked for during a restart, one more follows', { timeout: 40_000 }, async () => {
  const { log, hangUp } = await start('--workers', '2')
  const first = log.next('restarting', 5000)
  hangUp()
  await first
  for (let turn = 0; turn < 5; turn++) {
    hangUp()
    await pause(10)
  }
  await log.next('restarted', 15_000)
  await log.next('restarted', 15_000)
  await pause(1000)
  expect(log.of('restarting')).toHaveLength(2)
})

test('it does not keep the service from stopping', async () => {
  const { log, hangUp, stop } = await start('--workers', '2')
  const begun = log.next('restarting', 5000)
  hangUp()
  await begun
  const outcome = stop()
  hangUp()
  expect(await outcome).toMatchObject({ status: 0 })
  expect(log.of('restarted')).toEqual([])
  expect(log.of('restarting')).toHaveLength(1)
})

test('a service that is stopped while an old worker ends leaves no process behind', async () => {
  const { process: first, log, workers, hangUp, stop } = await start('--workers', '2')
  const retiring = log.next('stopping', 10_000)
  hangUp()
  await retiring
  const all = workers()
  expect(await stop()).toMatchObject({ status: 0 })
  expect(all.filter(isAlive)).toEqual([])
  // Nor was any process started after that.
  const known = new Set([first.pid, ...all])
  expect(log.of('started').filter(({ pid }) => !known.has(Number(pid)))).toEqual([])
})

test('the new workers may have limits that those before had not', async () => {
  const { lookup, log, hangUp } = await start('--workers', '2')
  place.write('.env', 'RATE_LIMIT=10\n')
  const restarted = log.next('restarted', 15_000)
  hangUp()
  await restarted
  const statuses: number[] = []
  for (let turn = 0; turn < 6; turn++) statuses.push((await ask(lookup)).status)
  // Three values each.
  expect(statuses).toEqual([200, 200, 200, 200, 429, 429])
})

test('the store is ready while old workers end', { timeout: 40_000 }, async () => {
  const { shown, lookup, log, hangUp } = await start('--workers', '2')
  // One that is not answered yet keeps its worker.
  const half = await openSocket(originOf(lookup))
  half.write('GET / HTTP/1.1\r\n')
  const restarted = log.next('restarted', 15_000)
  hangUp()
  const seen = new Set<string | undefined>()
  for (
    let isOver = false;
    !isOver;
    isOver = await Promise.race([restarted.then(() => true), pause(50, false)])
  ) {
    const { body } = await ask(`${originOf(shown.Readiness)}/metrics`)
    seen.add(/^lookup_store_ready (\d)/m.exec(body)?.[1])
  }
  half.destroy()
  expect([...seen]).toEqual(['1'])
})

test('what the old workers have counted is not forgotten', async () => {
  const { shown, lookup, log, hangUp } = await start('--workers', '2')
  for (let turn = 0; turn < 20; turn++) expect((await ask(lookup)).status).toBe(200)
  const restarted = log.next('restarted', 15_000)
  hangUp()
  await restarted
  const { body } = await ask(`${originOf(shown.Readiness)}/metrics`)
  expect(body).toMatch(/^lookup_requests_total\{event="ProfileLookup",format="JSON",outcome="ok"\} 20$/m)
})
