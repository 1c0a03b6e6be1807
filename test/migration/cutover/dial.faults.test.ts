// One dial for all workers, whatever becomes of them.

import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { startAnswering } from '../../kit/answering.ts'
import { childrenOf } from '../../kit/children.ts'
import { filledFile } from '../../kit/gateway.ts'
import { readLog } from '../../kit/log.ts'
import { originOf, serve } from '../../kit/serving.ts'
import { test } from '../../kit/test.ts'
import type { Workplace } from '../../kit/workplace.ts'
import { addresses, behindProxy, bodyOf, countNew, startOld } from './support.ts'

const CLIENTS = 24
const clients = addresses(CLIENTS).map((headers) => [headers])

async function start(place: Workplace, env: Readonly<Record<string, string>>, workers: number) {
  await filledFile(join(place.path, 'lookup.db'))
  const serving = await serve(
    { cwd: place.path, env: { DATABASE_URL: 'sqlite:lookup.db', ...behindProxy, ...env } },
    ...['--workers', String(workers)],
  )
  const log = readLog(serving.process.stderr)
  const url = originOf(serving.shown['Legacy JSON'])
  const cutover = `${originOf(serving.shown.Readiness)}/cutover`
  const logged = async (type: string, act: () => void) => {
    const line = log.next(type, 30_000)
    act()
    await line
  }
  return {
    log,
    url: cutover,
    /** How many clients the new side responds to, each over a connection of its own. */
    moved: async () => {
      let count = 0
      for (const one of clients) count += await countNew(url, one)
      return count
    },
    state: async () => JSON.parse(await bodyOf(cutover)),
    put: (share: string) => fetch(`${cutover}?share=${share}`, { method: 'PUT' }),
    workers: () => childrenOf(serving.process.pid),
    hangUp: () => logged('restarted', () => serving.process.kill('SIGHUP')),
    killWorker: (pid: number) => logged('worker-lost', () => process.kill(pid, 'SIGKILL')),
  }
}

test('SIGHUP without CUTOVER_URL moves no client back to the old side', async ({ place }) => {
  const old = await startOld()
  place.write('.env', `CUTOVER_URL=${old.url}\nCUTOVER_GUARD=off\nCUTOVER_SHARE=1\n`)
  const { moved, state, hangUp } = await start(place, {}, 2)
  expect(await moved()).toBe(CLIENTS)
  place.write('.env', '')
  let isOver = false
  const restarted = hangUp().finally(() => {
    isOver = true
  })
  while (!isOver) expect(await moved()).toBe(CLIENTS)
  await restarted
  expect(await moved()).toBe(CLIENTS)
  expect((await state()).share).toBe(1)
})

test('SIGHUP is enough to begin', async ({ place }) => {
  const old = await startOld()
  const { moved, url, hangUp, put } = await start(place, {}, 2)
  expect(await bodyOf(url)).toMatch(/^try /)
  place.write('.env', `CUTOVER_URL=${old.url}\nCUTOVER_GUARD=off\n`)
  await hangUp()
  expect(await moved()).toBe(0)
  expect(await put('1')).toMatchObject({ status: 200 })
  expect(await moved()).toBe(CLIENTS)
  // The share that an operator has set stays.
  await hangUp()
  expect(await moved()).toBe(CLIENTS)
})

test('the guard turns it back for all workers, later ones too', async ({ place }) => {
  const old = await startOld()
  const { moved, log, workers, killWorker } = await start(
    place,
    ...([{ CUTOVER_URL: old.url, CUTOVER_SHARE: '1' }, 2] as const),
  )
  await expect.poll(moved).toBe(0)
  expect(log.of('cutover-turned-back')).toMatchObject([{ level: 'error', before: 1 }])
  await killWorker(workers()[0] ?? 0)
  await expect.poll(() => workers().length).toBe(2)
  await expect.poll(() => moved().catch(() => -1)).toBe(0)
})

test('all workers follow at once, and so does a worker that replaces another', async ({ place }) => {
  const old = await startOld()
  const env = { CUTOVER_URL: old.url, CUTOVER_GUARD: 'off', CUTOVER_SHARE: '0' }
  const { put, moved, workers, killWorker, state } = await start(place, env, 3)
  for (const share of ['1', '0', '1']) {
    await put(share)
    expect(await moved()).toBe(share === '1' ? CLIENTS : 0)
  }
  for (const worker of workers()) {
    await killWorker(worker)
    await expect.poll(() => moved().catch(() => -1)).toBe(CLIENTS)
  }
  await expect.poll(async () => (await state()).new.answered).toBeGreaterThanOrEqual(2 * CLIENTS)
})

test('an old service that is down while a worker is replaced is not down for ever', async ({ place }) => {
  const old = await startOld()
  const env = { CUTOVER_URL: old.url, CUTOVER_GUARD: 'off', CUTOVER_FALLBACK: 'on' }
  const { moved, state, hangUp } = await start(place, env, 2)
  expect(await moved()).toBe(0)
  expect((await state()).old.up).toBe(true)
  old.close()
  await moved()
  await expect.poll(async () => (await state()).old.up).toBe(false)
  await hangUp()
  const again = await startAnswering((_, response) => void response.end('old'), Number(new URL(old.url).port))
  onTestFinished(again.close)
  await expect.poll(moved).toBe(0)
  await expect.poll(async () => (await state()).old.up).toBe(true)
})
