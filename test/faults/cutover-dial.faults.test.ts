// The dial of several processes, with an old service in PHP: the guard, and the state after a crash.

import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { filledFile, temporaryFolder } from '../kit/gateway.ts'
import { ask, startLoad } from '../kit/load.ts'
import { answering } from '../migration/cutover/support.ts'
import { type Switches, startOldService } from '../old-service/start.ts'
import { type Gateway, serveSettings } from './cluster.ts'

const clientOf = (turn: number) => ({ 'X-Forwarded-For': `10.1.0.${turn % 200}` })

async function startOld(switches: Switches = {}) {
  const old = await startOldService(switches)
  onTestFinished(old.close)
  return old
}

async function start(url: string, settings: Readonly<Record<string, string>> = {}): Promise<Gateway> {
  const folder = temporaryFolder()
  onTestFinished(folder.remove)
  const { path } = await filledFile(join(folder.path, 'lookup.db'))
  return serveSettings({
    ...{ DATABASE_URL: `sqlite:${path}`, CUTOVER_URL: url, TRUSTED_PROXIES: 'loopback' },
    ...{ CUTOVER_SHARE: '1', ...settings },
  })
}
const shown = async ({ admin }: Gateway) => JSON.parse((await ask(`${admin}/cutover`)).body)
const put = ({ admin }: Gateway, share: number) => fetch(`${admin}/cutover?share=${share}`, { method: 'PUT' })
const patience = { timeout: 60_000 }

test('a client with one address does not move the dial, however odd its requests are', async () => {
  const old = await startOld({ unknown: 'null' })
  const gateway = await start(old.url, { CUTOVER_MIRROR: '1', WORKERS: '2' })
  // Every response to the attacker differs.
  const attack = startLoad(gateway.url, {
    ...{ clients: 4, pause: 10, headers: () => ({ 'X-Forwarded-For': '203.0.113.9' }) },
    query: (turn) => `Event=ProfileLookup&Users=${10_000 + turn}`,
  })
  const others = startLoad(gateway.url, { clients: 8, pause: 20, headers: clientOf })
  const guard = async () => (await shown(gateway)).guard
  await expect.poll(async () => (await guard()).bad, patience).toBeGreaterThan(100)
  await expect.poll(async () => (await guard()).clients, patience).toBeGreaterThan(20)
  expect(await guard()).toMatchObject({ state: 'watching', badClients: 1 })
  const sent = await Promise.all([attack.stop(), others.stop()])
  expect(sent.flat().every(({ status }) => status === 200)).toBe(true)
  expect((await shown(gateway)).share).toBe(1)
})

test('a rare event that is always wrong turns the dial back, beside a frequent one that is right', async () => {
  const twin = await startOld()
  const old = await answering(async ({ url = '' }, response) => {
    const text = await (await fetch(new URL(url, twin.url))).text()
    response.end(text.replace(/"Version":"[^"]*"/, '"Version":"0.0.1"'))
  })
  const gateway = await start(old.url, { CUTOVER_GUARD: '0.5', CUTOVER_MIRROR: '1' })
  const frequent = startLoad(gateway.url, { clients: 8, pause: 5, headers: clientOf })
  await expect.poll(async () => (await shown(gateway)).guard.compared, patience).toBeGreaterThan(40)
  const rare = startLoad(gateway.url, {
    ...{ clients: 1, pause: 500, headers: clientOf },
    query: () => 'Event=AppLookup&Apps=1',
  })
  const isBack = async () => (await shown(gateway)).guard.state
  await expect.poll(isBack, patience).toBe('back')
  const asked = await rare.stop()
  await frequent.stop()
  expect((await shown(gateway)).guard).toMatchObject({ event: 'AppLookup' })
  expect(asked.length).toBeLessThan(40)
})

test('three gateways share a dial, and a crash does not undo the guard', async () => {
  const folder = temporaryFolder()
  onTestFinished(folder.remove)
  const old = await startOld({ unknown: 'null' })
  const settings = { CUTOVER_STATE: join(folder.path, 'dial.json'), CUTOVER_SHARE: '0' }
  const [first, second, third] = await Promise.all([
    start(old.url, settings),
    start(old.url, { ...settings, WORKERS: '2' }),
    start(old.url, settings),
  ])
  const shares = () =>
    Promise.all([first, second, third].map(async (gateway) => (await shown(gateway)).share))
  await put(first, 1)
  await expect.poll(shares, patience).toEqual([1, 1, 1])
  // Clients of the second gateway get responses that differ.
  const load = startLoad(second.url, {
    ...{ clients: 4, headers: clientOf },
    query: () => 'Event=ProfileLookup&Users=90',
  })
  await expect.poll(shares, patience).toEqual([0, 0, 0])
  await load.stop()
  for (const gateway of [first, second]) gateway.process.kill('SIGKILL')
  await pause(100)
  const again = await start(old.url, { ...settings, WORKERS: '2' })
  expect(await shown(again)).toMatchObject({
    share: 0,
    set: 1,
    guard: { state: 'back', event: 'ProfileLookup' },
  })
  const { body } = await ask(`${again.url}/?Event=ProfileLookup&Users=90`)
  expect(body).toBe('{"90":null}')
  await put(again, 0.5)
  await expect.poll(async () => (await shown(third)).share, patience).toBe(0.5)
})

test('a gateway that was stopped does not take the old service for slow', async () => {
  const old = await startOld({ delay: 300 })
  const gateway = await start(old.url, { CUTOVER_SHARE: '0', CUTOVER_TIMEOUT: '1000', LOG_LEVEL: 'debug' })
  const load = startLoad(gateway.url, { clients: 4, headers: clientOf })
  await pause(1_000)
  gateway.process.kill('SIGSTOP')
  await pause(2_500)
  gateway.process.kill('SIGCONT')
  await pause(2_000)
  const asked = await load.stop()
  expect(asked.filter(({ status }) => status !== 200)).toEqual([])
  expect((await shown(gateway)).old).toMatchObject({ up: true, failures: 0 })
})
