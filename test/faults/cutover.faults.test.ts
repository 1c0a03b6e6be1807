// A cutover to PostgreSQL under load: no request fails while one side can answer. cutover-php.faults.test.ts
// has the walk of the dial from 0 to 1.

import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readerUrl } from '../kit/engines.ts'
import { figure, note } from '../kit/figures.ts'
import { type Asked, ask, p99Of, startLoad } from '../kit/load.ts'
import { type OldService, startOldService } from '../kit/old-service.ts'
import { postgresEngine } from '../kit/postgres/engine.ts'
import { type Gateway, serveSettings, useCluster } from './cluster.ts'

/** Milliseconds. */
const TIMEOUT = 1_000
const CLIENTS = 200

const clientOf = (turn: number) => ({ 'X-Forwarded-For': `10.1.0.${turn % CLIENTS}` })
const startClients = (gateway: Gateway) =>
  startLoad(gateway.url, { clients: 12, pause: 20, headers: clientOf })

const failed = (asked: readonly Asked[]) =>
  asked.filter(({ status, body }) => status !== 200 || !/^\{"\d":\{"Id":\d,.*\}\}$/.test(body))

describe('an old service, and a new store in PostgreSQL', () => {
  const cluster = useCluster(postgresEngine)

  async function start(settings: Readonly<Record<string, string>>) {
    const old = await startOldService()
    onTestFinished(old.close)
    const gateway = await serveSettings({
      ...{ DATABASE_URL: readerUrl(cluster().primary), CUTOVER_URL: old.url, CUTOVER_SHARE: '0.5' },
      ...{ CUTOVER_TIMEOUT: String(TIMEOUT), TRUSTED_PROXIES: 'loopback', WORKERS: '2' },
      ...settings,
    })
    return { old, gateway }
  }

  const shown = async ({ admin }: Gateway) => JSON.parse((await ask(`${admin}/cutover`)).body)

  type Fault = (old: OldService) => Promise<void>
  const server = () => cluster().primary
  const all: readonly (readonly [name: string, fallen: 'old' | 'new', begin: Fault, end: Fault])[] = [
    ['the old service killed', 'old', (old) => old.kill(), (old) => old.start()],
    ['PostgreSQL frozen', 'new', async () => server().freeze(), async () => server().thaw()],
    ['the old service frozen', 'old', async (old) => old.freeze(), async (old) => old.thaw()],
    ['PostgreSQL killed', 'new', () => server().kill(), () => server().start()],
  ]

  test.for(all.slice(0, figure(2, 4)))(
    '%s: no request fails, and none waits once it is noticed',
    async ([name, fallen, begin, end], context) => {
      const { old, gateway } = await start({ CUTOVER_FALLBACK: 'on', CUTOVER_GUARD: 'off' })
      const load = startClients(gateway)
      await pause(1_000)
      const began = load.now()
      await begin(old)
      await pause(TIMEOUT + 2_500)
      expect((await ask(`${gateway.admin}/ready`)).status).toBe(200)
      const ended = load.now()
      await end(old)
      await pause(2_500)
      const before = await shown(gateway)
      await pause(500)
      const asked = await load.stop()
      const after = await shown(gateway)

      expect(failed(asked)).toEqual([])
      const noticed = asked.filter(({ at }) => at > began + TIMEOUT + 1_500 && at < ended)
      expect(noticed.length).toBeGreaterThan(50)
      const p99 = Math.round(p99Of(noticed))
      const what = `cutover, ${name}: p99, once noticed`
      note(context, { promise: 2, what, bound: '≤ 300 ms', measured: `${p99} ms` })
      expect(p99).toBeLessThan(figure(600, 300))
      // Both sides respond to their clients again.
      for (const side of ['old', 'new']) {
        expect(after[side].answered).toBeGreaterThan(before[side].answered)
        expect(after[side].unanswered).toBe(0)
      }
      expect(after[fallen].fallbacks).toBeGreaterThan(0)
    },
  )

  test('without fallback, a service that is frozen is refused at once, once that is noticed', async () => {
    const { old, gateway } = await start({ CUTOVER_SHARE: '0' })
    const load = startClients(gateway)
    await pause(500)
    old.freeze()
    const began = load.now()
    await pause(TIMEOUT + 2_500)
    old.thaw()
    const thawed = load.now()
    await pause(2_000)
    const asked = await load.stop()
    expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([200, 503]))
    const noticed = asked.filter(({ at }) => at > began + TIMEOUT + 1_000 && at < thawed)
    expect(p99Of(noticed)).toBeLessThan(figure(600, 300))
    expect(failed(asked.filter(({ at }) => at > thawed + 1_000))).toEqual([])
  })
})
