// `--workers`: several processes behind one port, and a first one that starts others when they die.

import { once } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished } from 'vitest'
import { requestFor, talking } from '../gateway/http/raw.ts'
import { childrenOf, isAlive } from '../kit/children.ts'
import { figure } from '../kit/figures.ts'
import { ask } from '../kit/load.ts'
import { readLog } from '../kit/log.ts'
import { originOf, serve } from '../kit/serving.ts'
import { startSteadyLoad } from '../kit/steady-load.ts'
import { test } from '../kit/test.ts'
import type { Workplace } from '../kit/workplace.ts'

const metric = /^lookup_requests_total\{event="ProfileLookup",format="JSON",outcome="ok"\} (\d+)$/m
const memory = /^process_resident_memory_bytes (\d+)$/m
/** A machine that is busy takes as long to start a process. */
const patiently = { timeout: 40_000 }

async function start({ path }: Workplace) {
  const serving = await serve({ cwd: path, timeout: 120_000 }, '--workers', '2')
  const { process: first, shown } = serving
  const [url, admin] = [originOf(shown['Legacy JSON']), originOf(shown.Readiness)]
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
  return { ...serving, first, url, workers, lookup, ready, killAll, counted, log: readLog(first.stderr) }
}

test('count together, when one is slow or dies, too, and end together', async ({ place }) => {
  const { lookup, counted, workers, stop } = await start(place)
  // A connection each, so that both have something to do.
  for (let count = 0; count < 20; count++) expect((await lookup()).status).toBe(200)
  const { requests, resident } = await counted()
  expect(requests).toBe(20)
  // Each has a runtime of its own.
  expect(resident).toBeGreaterThan(100e6)
  const before = workers()
  for (const worker of before) process.kill(worker, 'SIGSTOP')
  expect((await counted()).requests).toBe(20)
  for (const worker of before) process.kill(worker, 'SIGKILL')
  await expect.poll(() => workers().some((worker) => before.includes(worker))).toBe(false)
  const after = await counted()
  expect(after.requests).toBe(20)
  // What a worker held is not added up for good.
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
    // The other one answers all the while.
    expect((await lookup()).status).toBe(200)
  }
  // The least that each took; how much longer is up to the machine.
  for (const [death, took] of pauses.slice(1).entries())
    expect(took).toBeGreaterThanOrEqual(1000 * 2 ** death)
  expect(await stop()).toMatchObject({ status: 0 })
})

test('one killed after the other: only what it was answering is lost', async ({ place }) => {
  const { url, workers, log, stop } = await start(place)
  const load = startSteadyLoad(url, 100)
  for (let killed = 0; killed < figure(3, 10); killed++) {
    await pause(500)
    const replaced = log.next('started', 60_000)
    const [eldest = 0] = workers()
    process.kill(eldest, 'SIGKILL')
    await replaced
  }
  const sent = await load.stop()
  // The others that failed were being answered by a victim.
  expect(sent.filter(({ outcome }) => outcome === 'ECONNREFUSED')).toEqual([])
  expect(sent.filter(({ outcome }) => outcome === 'ok').length).toBeGreaterThan(100)
  expect(await stop()).toMatchObject({ status: 0 })
})

test('a connection that a worker had not taken when it died is closed, and forgotten', async ({ place }) => {
  const { first, url, workers } = await start(place)
  const { hostname, port } = new URL(url)
  const [victim = 0] = workers()
  process.kill(victim, 'SIGSTOP')
  const before = socketsOf(first.pid)
  // Each worker has one at a time that it has not taken; the others go to those that take theirs.
  const clients = Array.from({ length: 4 }, () => {
    const socket = connect(Number(port), hostname)
    onTestFinished(() => void socket.destroy())
    const client = { response: '', isOver: false }
    socket.on('error', () => {}).on('close', () => Object.assign(client, { isOver: true }))
    socket.on('data', (data) => {
      client.response += data
    })
    socket.write(requestFor('/?Event=ProfileLookup&Users=1', ['Host: a', 'Connection: close']))
    return client
  })
  const answered = () => clients.filter(({ response }) => response.startsWith('HTTP/1.1 200')).length
  await expect.poll(answered).toBe(3)
  // A response is there before its connection is closed.
  await expect.poll(() => clients.filter(({ isOver }) => !isOver)).toHaveLength(1)
  const died = once(first, 'exit')
  process.kill(victim, 'SIGKILL')
  await expect.poll(() => clients.filter(({ isOver }) => !isOver)).toEqual([])
  expect(answered()).toBe(3)
  await expect.poll(() => socketsOf(first.pid)).toBeLessThanOrEqual(before)
  first.kill('SIGTERM')
  expect(await died).toEqual([0, null])
})

describe('while no worker is there', () => {
  test('clients wait for one, and it is not ready until then', async ({ place }) => {
    const { lookup, killAll, ready, workers, stop } = await start(place)
    await killAll()
    await expect.poll(ready, { interval: 5 }).toBe(503)
    const found = await Promise.all(Array.from({ length: 50 }, lookup))
    expect(new Set(found.map(({ status }) => status))).toEqual(new Set([200]))
    await expect.poll(ready, patiently).toBe(200)
    await expect.poll(() => workers().length, patiently).toBe(2)
    expect(await stop()).toMatchObject({ status: 0 })
  })

  test('a client that has waited is answered to the end when the service stops', async ({ place }) => {
    const { url, killAll, ready, first, stop } = await start(place)
    await killAll()
    await pause(20)
    const body = '{"query":"{ __typename }"}'
    const headers = ['Host: a', 'Content-Type: application/json', `Content-Length: ${body.length}`]
    const status = await talking(url, async ({ write, answer }) => {
      write(requestFor('/graphql', headers, 'POST') + body.slice(0, 9))
      await expect.poll(ready, patiently).toBe(200)
      await pause(500)
      first.kill('SIGTERM')
      await pause(2000)
      write(body.slice(9))
      return (await answer()).status
    })
    expect(status).toBe(200)
    expect(await stop('SIGCONT')).toMatchObject({ status: 0 })
  })

  test('it tries again and again to start one, and refuses clients after a while', async ({ place }) => {
    const { lookup, killAll, log, stop } = await start(place)
    place.write('.env', 'LEGACY_MAX_VALUES=none\n')
    await killAll()
    await pause(20)
    const waiting = lookup()
    await pause(4000)
    // Two that were killed; in each place the others after 0, 0.1, 0.2, 0.4, 0.8, 1 and 1 s at the soonest,
    // and what a start takes.
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

function socketsOf(pid: number | undefined): number {
  const folder = `/proc/${pid}/fd`
  return readdirSync(folder).filter((name) => {
    try {
      return readlinkSync(`${folder}/${name}`).startsWith('socket:')
    } catch {
      return false
    }
  }).length
}
