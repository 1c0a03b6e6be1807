// A cutover from a service of PHP in processes of its own, under load: clients get the bytes of one side, or
// a documented 503, whatever happens to the old service. The dial outlives a gateway that is killed.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { filledFile, temporaryFolder } from '../kit/gateway.ts'
import { ask, startLoad } from '../kit/load.ts'
import { hasSmallDisks, makeSmallDisk } from '../kit/small-disk.ts'
import { type Switches, startOldService } from '../old-service/start.ts'
import { type Gateway, serveSettings } from './cluster.ts'

const users = 'Event=ProfileLookup&Users='
const queries = [
  `${users}1`,
  `${users}1:2:3&Format=XML`,
  `${users}2:99`,
  'Event=AppLookup&Apps=1',
  `${users}3`,
]
const queryOf = (turn: number) => queries[turn % queries.length] ?? ''
const headersOf = (turn: number) => ({ 'X-Forwarded-For': `10.1.0.${turn % 200}` })
const shown = async ({ admin }: Gateway) => JSON.parse((await ask(`${admin}/cutover`)).body)
const put = async ({ admin }: Gateway, share: number) =>
  (await fetch(`${admin}/cutover?share=${share}`, { method: 'PUT' })).status
const patience = { timeout: 60_000 }

/** By default, the old service has the same meaning as the gateway in other bytes. */
async function start(settings: Readonly<Record<string, string>>, switches: Switches = { pretty: true }) {
  const old = await startOldService(switches)
  onTestFinished(old.close)
  const folder = temporaryFolder()
  onTestFinished(folder.remove)
  const { path } = await filledFile(join(folder.path, 'lookup.db'))
  const all = {
    ...{ DATABASE_URL: `sqlite:${path}`, CUTOVER_URL: old.url, TRUSTED_PROXIES: 'loopback' },
    ...{ CUTOVER_TIMEOUT: '1000', ...settings },
  }
  return { old, settings: all, gateway: await serveSettings(all) }
}

const bodiesOf = (url: string) =>
  Promise.all(queries.map(async (query) => (await ask(`${url}?${query}`)).body))

test.for([
  ['on', '2'],
  ['off', '1'],
] as const)(
  'from 0 to 1 and back, with CUTOVER_FALLBACK=%s and WORKERS=%s: no client gets wrong bytes',
  async ([fallback, workers]) => {
    const { old, gateway } = await start({
      ...{ CUTOVER_MIRROR: '1', CUTOVER_FALLBACK: fallback, WORKERS: workers, CUTOVER_SHARE: '1' },
    })
    const [byOld, byNew] = [await bodiesOf(old.url), await bodiesOf(`${gateway.url}/`)]
    expect(byOld.some((body) => byNew.includes(body))).toBe(false)
    await put(gateway, 0)
    const load = startLoad(gateway.url, { clients: 16, pause: 5, query: queryOf, headers: headersOf })

    async function untilAnswered(side: 'old' | 'new', count: number): Promise<void> {
      const before = (await shown(gateway))[side].answered
      await expect
        .poll(async () => (await shown(gateway))[side].answered, patience)
        .toBeGreaterThan(before + count)
    }
    /** Until the fault is noticed, and again until the old service answers. */
    async function during(begin: () => unknown, end: () => unknown): Promise<void> {
      await begin()
      await expect.poll(async () => (await shown(gateway)).old.up, patience).toBe(false)
      await end()
      await expect.poll(async () => (await shown(gateway)).old.up, patience).toBe(true)
      await untilAnswered('old', 50)
    }

    await untilAnswered('old', 100)
    await put(gateway, 0.1)
    await untilAnswered('new', 20)
    await during(old.kill, old.start)
    await during(old.freeze, old.thaw)
    await during(
      () => old.switchTo({ pretty: true, delay: 3_000 }),
      () => old.switchTo({ pretty: true }),
    )
    // It sends half of each body.
    const failures = async () => (await shown(gateway)).old.failures
    const whole = await failures()
    old.switchTo({ pretty: true, cutting: true })
    await expect.poll(failures, patience).toBeGreaterThan(whole + 50)
    old.switchTo({ pretty: true })
    await untilAnswered('old', 50)
    await put(gateway, 1)
    await old.kill()
    await untilAnswered('new', 100)
    await old.start()
    await put(gateway, 0)
    await untilAnswered('old', 50)

    const asked = await load.stop()
    const isRight = ({ turn, status, body }: (typeof asked)[number]) =>
      status === 200
        ? [byOld, byNew].some((bodies) => bodies[turn % queries.length] === body)
        : fallback === 'off' && status === 503 && body.includes('Unavailable')
    expect(asked.filter((one) => !isRight(one)).slice(0, 3)).toEqual([])
    expect(asked.some(({ status }) => status === 503)).toBe(fallback === 'off')
    expect((await shown(gateway)).guard).toMatchObject({ state: 'watching', bad: 0 })
    for (const type of ['unexpected', 'worker-lost']) expect(gateway.log.of(type)).toEqual([])
  },
)

test('a client with one address does not move the dial, however odd its requests are', async () => {
  const settings = { CUTOVER_SHARE: '1', CUTOVER_MIRROR: '1', WORKERS: '2' }
  const { gateway } = await start(settings, { unknown: 'null' })
  // Every response to the attacker differs.
  const attack = startLoad(gateway.url, {
    ...{ clients: 4, pause: 10, headers: () => ({ 'X-Forwarded-For': '203.0.113.9' }) },
    query: (turn) => `${users}${10_000 + turn}`,
  })
  const others = startLoad(gateway.url, { clients: 8, pause: 20, headers: headersOf })
  const guard = async () => (await shown(gateway)).guard
  await expect.poll(async () => (await guard()).bad, patience).toBeGreaterThan(100)
  await expect.poll(async () => (await guard()).clients, patience).toBeGreaterThan(20)
  expect(await guard()).toMatchObject({ state: 'watching', badClients: 1 })
  const sent = await Promise.all([attack.stop(), others.stop()])
  expect(sent.flat().every(({ status }) => status === 200)).toBe(true)
  expect((await shown(gateway)).share).toBe(1)
})

test('a gateway that was stopped does not take the old service for slow', async () => {
  const { gateway } = await start({ CUTOVER_SHARE: '0' }, { delay: 300 })
  const load = startLoad(gateway.url, { clients: 4, headers: headersOf })
  await pause(1_000)
  gateway.process.kill('SIGSTOP')
  await pause(2_500)
  gateway.process.kill('SIGCONT')
  await pause(2_000)
  const asked = await load.stop()
  expect(asked.filter(({ status }) => status !== 200)).toEqual([])
  expect((await shown(gateway)).old).toMatchObject({ up: true, failures: 0 })
})

/** Gateways that share a dial in a folder. */
async function share(path: string) {
  const file = join(path, 'dial.json')
  const { settings, gateway } = await start({ CUTOVER_STATE: file, CUTOVER_GUARD: 'off', WORKERS: '2' })
  const other = await serveSettings(settings)
  const shares = () => Promise.all([gateway, other].map(async (one) => (await shown(one)).share))
  const saved = () => JSON.parse(readFileSync(file, 'utf8')).share
  return { settings, gateway, shares, saved }
}

test('a gateway that is killed while it writes the dial leaves a complete file', async () => {
  const folder = temporaryFolder()
  onTestFinished(folder.remove)
  const { settings, shares, saved } = await share(folder.path)
  for (let round = 1; round <= 4; round++) {
    const killed = await serveSettings(settings)
    expect((await shown(killed)).share).toBe(saved())
    let last = 0
    const flood = async (first: number) => {
      for (let at = first; ; at += 2) {
        const status = await put(killed, (at % 1_000) / 1_000).catch(() => null)
        if (status === null) return
        last++
      }
    }
    const floods = [flood(1), flood(2)]
    await expect.poll(() => last).toBeGreaterThan(20 * round)
    killed.process.kill('SIGKILL')
    await Promise.all(floods)
    await expect.poll(shares, patience).toEqual([saved(), saved()])
  }
  expect(readdirSync(folder.path).filter((name) => name.endsWith('.json'))).toEqual(['dial.json'])
})

test.skipIf(!hasSmallDisks())(
  'on a full disk the dial works on, and is saved once there is room',
  async () => {
    const disk = makeSmallDisk('256k')
    onTestFinished(disk.remove)
    const folder = join(disk.path, 'state')
    mkdirSync(folder)
    const { gateway, shares, saved, settings } = await share(folder)
    const filler = join(disk.path, 'filler')
    writeFileSync(filler, Buffer.alloc(disk.free()))
    expect(await put(gateway, 0.75)).toBe(200)
    expect(await shares()).toEqual([0.75, 0])
    expect(saved()).toBe(0)
    const { body } = await ask(`${gateway.admin}/ready`)
    expect(body).toContain('cutover: CUTOVER_STATE cannot be used: ENOSPC')
    rmSync(filler)
    await expect.poll(shares, patience).toEqual([0.75, 0.75])
    gateway.process.kill('SIGKILL')
    expect(await shown(await serveSettings(settings))).toMatchObject({ share: 0.75 })
    expect(readdirSync(folder)).toEqual(['dial.json'])
  },
)
