// `--workers`: several processes behind one port, and one to look after them.

import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { childrenOf } from '../support/children.ts'
import { makeWorkplace, type Workplace } from './rows.ts'
import { serve } from './serving.ts'

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
