// `--workers`: several processes behind one port, and a first one that starts others when they die.

import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { childrenOf, isAlive } from '../kit/children.ts'
import { figure } from '../kit/figures.ts'
import { ask } from '../kit/load.ts'
import { serve } from '../kit/serving.ts'
import { test } from '../kit/test.ts'
import type { Workplace } from '../kit/workplace.ts'

const metric = /^lookup_requests_total\{event="ProfileLookup",format="JSON",outcome="ok"\} (\d+)$/m
const memory = /^process_resident_memory_bytes (\d+)$/m
/** A busy machine takes long to start a process. */
const patiently = { timeout: 40_000 }

async function start({ path }: Workplace) {
  const serving = await serve({ cwd: path, timeout: 120_000 }, '--workers', '2')
  const { process: first, url, admin } = serving
  const workers = () => childrenOf(first.pid)
  const lookup = () => ask(`${url}/?Event=ProfileLookup&Users=1`)
  const ready = async () => (await ask(`${admin}/ready`)).status
  async function killAll(): Promise<void> {
    const victims = workers()
    for (const victim of victims) process.kill(victim, 'SIGKILL')
    await expect.poll(() => victims.filter(isAlive), { interval: 1 }).toEqual([])
  }
  async function counted() {
    const { body } = await ask(`${admin}/metrics`)
    return { requests: Number(metric.exec(body)?.[1]), resident: Number(memory.exec(body)?.[1]) }
  }
  return { ...serving, workers, lookup, ready, killAll, counted }
}

test('count together, when one is slow or dies, too, and end together', async ({ place }) => {
  const { lookup, counted, workers, stop } = await start(place)
  // A connection each, so that both have something to do.
  for (let count = 0; count < 20; count++) expect((await lookup()).status).toBe(200)
  const { requests, resident } = await counted()
  expect(requests).toBe(20)
  // Each process has a runtime.
  expect(resident).toBeGreaterThan(100e6)
  const before = workers()
  for (const worker of before) process.kill(worker, 'SIGSTOP')
  expect((await counted()).requests).toBe(20)
  for (const worker of before) process.kill(worker, 'SIGKILL')
  await expect.poll(() => workers().some((worker) => before.includes(worker))).toBe(false)
  const after = await counted()
  expect(after.requests).toBe(20)
  // The memory of a dead worker is no longer added up.
  expect(after.resident).toBeLessThan(150e6)
  await expect.poll(async () => (await lookup()).status, patiently).toBe(200)
  await expect.poll(async () => workers().length, patiently).toBe(2)
  const { status, stderr } = await stop()
  expect(status).toBe(0)
  expect(stderr).toContain('"worker-lost"')
})

test('one that dies again and again is replaced at once, after 1 s, after 2 s, ...', async ({ place }) => {
  const { workers, lookup, stop } = await start(place)
  const [kept = 0, ...others] = workers()
  let victim = others[0] ?? 0
  const pauses: number[] = []
  for (const deaths = figure(3, 5); pauses.length < deaths; ) {
    process.kill(victim, 'SIGKILL')
    const died = performance.now()
    await expect.poll(workers, { ...patiently, interval: 5 }).not.toContain(victim)
    await expect.poll(() => workers().length, { ...patiently, interval: 5 }).toBe(2)
    pauses.push(performance.now() - died)
    victim = workers().find((pid) => pid !== kept) ?? 0
    // The other worker responds meanwhile.
    expect((await lookup()).status).toBe(200)
  }
  // Only lower bounds: the machine may be busy.
  for (const [death, took] of pauses.slice(1).entries())
    expect(took).toBeGreaterThanOrEqual(1000 * 2 ** death)
  expect(await stop()).toMatchObject({ status: 0 })
})

test('a frozen worker keeps no client waiting: the other one takes their connections', async ({ place }) => {
  const { lookup, workers, stop } = await start(place)
  const [victim = 0] = workers()
  process.kill(victim, 'SIGSTOP')
  const found = await Promise.all(Array.from({ length: 20 }, lookup))
  expect(new Set(found.map(({ status }) => status))).toEqual(new Set([200]))
  process.kill(victim, 'SIGKILL')
  await expect.poll(() => workers().filter((worker) => worker !== victim).length, patiently).toBe(2)
  expect(await stop()).toMatchObject({ status: 0 })
})

describe('while no worker is there', () => {
  test('it is not ready, and soon there are others', async ({ place }) => {
    const { lookup, killAll, ready, workers, stop } = await start(place)
    await killAll()
    await expect.poll(ready, { interval: 5 }).toBe(503)
    await expect.poll(ready, patiently).toBe(200)
    expect((await lookup()).status).toBe(200)
    await expect.poll(() => workers().length, patiently).toBe(2)
    expect(await stop()).toMatchObject({ status: 0 })
  })

  test('it tries again and again to start one, and refuses clients after a while', async ({ place }) => {
    const { lookup, killAll, log, stop } = await start(place)
    place.write('.env', 'LEGACY_MAX_VALUES=none\n')
    await killAll()
    await pause(20)
    const waiting = lookup()
    await pause(4000)
    // Two that were killed, and attempts: two at once, then one every 0.5 s and the time of a start at most.
    const lost = log.of('worker-lost').length
    expect(lost).toBeGreaterThanOrEqual(figure(3, 5))
    expect(lost).toBeLessThanOrEqual(16)
    expect((await waiting).status).toBe(0)
    await expect.poll(async () => (await lookup()).body).toContain('ECONNREFUSED')
    place.write('.env', '')
    await expect.poll(async () => (await lookup()).status, patiently).toBe(200)
    expect(await stop()).toMatchObject({ status: 0 })
  })
})
