// Workers that are killed again and again: others take their place, ever more slowly, and the service goes
// on.

import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { childrenOf } from '../kit/children.ts'
import { figure } from '../kit/figures.ts'
import { ask } from '../kit/load.ts'
import { originOf, serve } from '../kit/serving.ts'
import { startSteadyLoad } from '../kit/steady-load.ts'
import { makeWorkplace } from '../kit/workplace.ts'

const DEATHS = figure(4, 5)

test('a worker that dies again and again is replaced at once, after 1 s, after 2 s, …', {
  timeout: 60_000,
}, async () => {
  const place = makeWorkplace()
  const { process: first, shown, stop } = await serve({ cwd: place.path }, '--workers', '2')
  const lookup = (shown['Legacy JSON'] ?? '').replace('localhost', '127.0.0.1')
  const [kept = 0, ...others] = childrenOf(first.pid)
  let victim = others[0] ?? 0
  const pauses: number[] = []
  for (let death = 0; death < DEATHS; death++) {
    process.kill(victim, 'SIGKILL')
    const died = performance.now()
    await expect.poll(() => childrenOf(first.pid), { timeout: 15_000, interval: 5 }).not.toContain(victim)
    await expect.poll(() => childrenOf(first.pid).length, { timeout: 15_000, interval: 5 }).toBe(2)
    pauses.push(performance.now() - died)
    victim = childrenOf(first.pid).find((pid) => pid !== kept) ?? 0
    // The other one answers all the while.
    expect((await ask(lookup)).status).toBe(200)
  }
  // The least that each took; how much longer is up to the machine.
  expect(pauses[0]).toBeLessThan(900)
  for (let death = 1; death < DEATHS; death++)
    expect(pauses[death]).toBeGreaterThanOrEqual(1000 * 2 ** (death - 1))
  if (figure(false, true)) {
    // It has lived for long enough to be trusted again.
    await pause(10_500)
    process.kill(victim, 'SIGKILL')
    await pause(900)
    expect(childrenOf(first.pid)).toHaveLength(2)
  }
  expect(await stop()).toMatchObject({ status: 0 })
  await place.remove()
})

test('all workers killed at once: the service is back, on its port', async () => {
  const place = makeWorkplace()
  const { process: first, shown, stop } = await serve({ cwd: place.path }, '--workers', '2')
  const lookup = (shown['Legacy JSON'] ?? '').replace('localhost', '127.0.0.1')
  for (const worker of childrenOf(first.pid)) process.kill(worker, 'SIGKILL')
  // A connection that was handed to a worker which died is never answered.
  const status = () => fetch(lookup, { signal: AbortSignal.timeout(1000) }).then((answer) => answer.status)
  await expect.poll(() => status().catch(String), { timeout: 10_000 }).toBe(200)
  // The next ones take their time to start, in which no worker is there.
  await expect.poll(() => childrenOf(first.pid).length).toBe(2)
  const ready = () => ask(`${originOf(shown.Readiness)}/ready`)
  expect((await ready()).status).toBe(200)
  for (const worker of childrenOf(first.pid)) process.kill(worker, 'SIGKILL')
  await expect.poll(async () => (await ready()).status, { interval: 20 }).toBe(503)
  await expect.poll(async () => (await ready()).status, { timeout: 10_000 }).toBe(200)
  expect(await stop()).toMatchObject({ status: 0 })
  await place.remove()
})

test('one worker after the other killed each second: only what it was answering is lost', {
  timeout: 120_000,
}, async () => {
  const place = makeWorkplace()
  const { process: first, shown, stop } = await serve({ cwd: place.path, timeout: 120_000 }, '--workers', '2')
  const load = startSteadyLoad(originOf(shown['Legacy JSON']), 150)
  let killed = 0
  for (const seconds = figure(8, 20); killed < seconds; killed++) {
    await pause(1000)
    // The eldest.
    const [victim] = childrenOf(first.pid)
    if (victim !== undefined) process.kill(victim, 'SIGKILL')
  }
  await pause(2000)
  const sent = await load.stop()
  const refused = sent.filter(({ outcome }) => outcome === 'ECONNREFUSED').length
  const failed = sent.filter(({ outcome }) => outcome !== 'ok').length
  const shares = `${refused} refused, ${failed - refused} others failed, of ${sent.length}`
  // Those that come in the very moment; the others that failed were being answered by a victim, or about to
  // be.
  expect(refused / sent.length, shares).toBeLessThanOrEqual(0.02)
  expect(await stop()).toMatchObject({ status: 0 })
  await place.remove()
})
