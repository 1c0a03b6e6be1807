// `--workers`: several processes behind one port, and one to look after them.

import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { requestFor, talking } from '../gateway/http/raw.ts'
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

const metric = /^lookup_requests_total\{event="ProfileLookup",format="JSON",outcome="ok"\} (\d+)$/m
const memory = /^process_resident_memory_bytes (\d+)$/m

test('two workers answer, count together, are replaced, and end together', async () => {
  const { shown, stop } = await serve({ cwd: place.path }, '--workers', '2')
  const lookup = shown['Legacy JSON'] ?? ''
  const admin = (shown.Readiness ?? '').replace('/ready', '')
  const textOf = async (url: string) => (await fetch(url, { headers: { connection: 'close' } })).text()
  const logOf = async () => (await outcome).stderr.split('\n')

  // A connection each, so that both have something to do.
  for (let count = 0; count < 20; count++) expect(await textOf(lookup)).toMatch(/^\{"1":/)
  const counted = await textOf(`${admin}/metrics`)
  expect(Number(metric.exec(counted)?.[1])).toBe(20)
  // Two processes with a runtime each.
  expect(Number(memory.exec(counted)?.[1])).toBeGreaterThan(100e6)
  expect(await textOf(`${admin}/ready`)).toBe('ready\n')

  await pause(100)
  const outcome = stop()
  expect((await outcome).status).toBe(0)
  const stopped = (await logOf()).filter((line) => line.includes('"stopped"'))
  expect(stopped).toHaveLength(3)
  await expect(textOf(lookup)).rejects.toThrow()
})

test('a worker that dies is replaced, and no request is lost meanwhile', async () => {
  const { shown, process: first, stop } = await serve({ cwd: place.path }, '--workers', '2')
  const lookup = shown['Legacy JSON'] ?? ''
  const children = childrenOf(first.pid)
  process.kill(children[0] ?? 0, 'SIGKILL')
  await pause(200)
  for (let count = 0; count < 10; count++) expect((await fetch(lookup)).status).toBe(200)
  await pause(2000)
  expect(childrenOf(first.pid)).toHaveLength(2)
  const { status, stderr } = await stop()
  expect(status).toBe(0)
  expect(stderr).toContain('"worker-lost"')
})

test('no counter falls when a worker dies, or is slow', async () => {
  const { shown, process: first } = await serve({ cwd: place.path }, '--workers', '2')
  const admin = (shown.Readiness ?? '').replace('/ready', '')
  const counted = async () => {
    const text = await (await fetch(`${admin}/metrics`)).text()
    return [Number(metric.exec(text)?.[1] ?? 0), Number(memory.exec(text)?.[1])] as const
  }
  const headers = { connection: 'close' }
  for (let count = 0; count < 20; count++) await (await fetch(shown['Legacy JSON'] ?? '', { headers })).text()
  const [before] = await counted()
  expect(before).toBe(20)

  const children = childrenOf(first.pid)
  for (const child of children) process.kill(child, 'SIGSTOP')
  const [meanwhile] = await counted()
  for (const child of children) process.kill(child, 'SIGKILL')
  expect(meanwhile).toBe(20)
  await expect.poll(() => childrenOf(first.pid).some((child) => children.includes(child))).toBe(false)
  const [after, resident] = await counted()
  expect(after).toBe(20)
  // What a worker held is not added up for good.
  expect(resident).toBeLessThan(150e6)
})

describe('while no worker is there', () => {
  async function start() {
    const serving = await serve({ cwd: place.path }, '--workers', '2')
    const lookup = (serving.shown['Legacy JSON'] ?? '').replace('localhost', '127.0.0.1')
    const killAll = async () => {
      const children = childrenOf(serving.process.pid)
      for (const child of children) process.kill(child, 'SIGKILL')
      await expect.poll(() => children.filter(isAlive), { interval: 1 }).toEqual([])
    }
    return { ...serving, lookup, killAll, log: readLog(serving.process.stderr) }
  }

  test('clients wait for one, and are answered', async () => {
    const { lookup, killAll, stop } = await start()
    await killAll()
    await pause(20)
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(lookup)))
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
    expect(await stop()).toMatchObject({ status: 0 })
  })

  test('a client that has waited is answered to the end when the service stops', async () => {
    const { shown, killAll, process: first, stop } = await start()
    await killAll()
    await pause(20)
    const body = '{"query":"{ __typename }"}'
    const headers = ['Host: a', 'Content-Type: application/json', `Content-Length: ${body.length}`]
    const status = await talking(originOf(shown.GraphiQL), async ({ write, answer }) => {
      write(requestFor('/graphql', headers, 'POST') + body.slice(0, 9))
      await expect.poll(async () => (await ask(`${originOf(shown.Readiness)}/ready`)).status).toBe(200)
      await pause(500)
      first.kill('SIGTERM')
      await pause(2000)
      write(body.slice(9))
      return (await answer()).status
    })
    expect(status).toBe(200)
    expect(await stop('SIGCONT')).toMatchObject({ status: 0 })
  })

  test('one that cannot start is tried again and again, and clients are told so after a while', async () => {
    const { lookup, killAll, log, stop } = await start()
    place.write('.env', 'LEGACY_MAX_VALUES=none\n')
    await killAll()
    await pause(20)
    const waiting = ask(lookup)
    await pause(4000)
    // Two that were killed; in each place the others after 0, 0.1, 0.2, 0.4, 0.8, 1 and 1 s at the soonest,
    // and what a start takes.
    const lost = log.of('worker-lost').length
    expect(lost).toBeGreaterThanOrEqual(5)
    expect(lost).toBeLessThanOrEqual(16)
    expect((await waiting).status).toBe(0)
    await expect.poll(async () => (await ask(lookup)).body).toContain('ECONNREFUSED')
    // Mended, it is back within a second and what a start takes.
    place.write('.env', '')
    await expect.poll(async () => (await ask(lookup)).status, { timeout: 5000 }).toBe(200)
    expect(await stop()).toMatchObject({ status: 0 })
  })
})
