// The servers are restarted one after the other, faster than the gateway's probes come round: one of them is
// always there.

import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { LookupError } from '../../src/errors.ts'
import { openStore } from '../../src/stores/open-store.ts'
import { engines, readerUrl } from '../kit/engines.ts'
import { figure, note } from '../kit/figures.ts'
import { percentile, startLoad } from '../kit/load.ts'
import { faults, serveCluster, useCluster } from './cluster.ts'

/** Milliseconds from one restart to the next: servers that are back have hardly begun to be used again. */
const EVERY = 650
const count = figure(12, 40)

describe.for(engines)('$name', (engine) => {
  const cluster = useCluster(engine)

  test('servers restarted alternately: no request fails', { timeout: 240_000 }, async (context) => {
    const gateway = await serveCluster(cluster())
    const load = startLoad(gateway.url, { clients: 16, pause: 5 })
    await pause(500)
    const { primary, standby } = cluster()
    // MySQL takes seconds to stop and to start.
    const restarts = engine.kind === 'postgres' ? count : count / 4
    for (let time = 0; time < restarts; time++) {
      const next = load.now() + EVERY
      const server = time % 2 === 0 ? primary : standby
      await server.stop()
      await server.start()
      await pause(Math.max(0, next - load.now()))
    }
    const asked = await load.stop()
    const failed = asked.filter(({ status }) => status !== 200)
    const slowest = Math.max(...asked.map(({ took }) => took))
    note(context, {
      promise: 1,
      what: `${engine.name}: both servers restarted in turn, ${restarts} times: failed requests`,
      bound: '0',
      measured: `${failed.length} of ${asked.length}, slowest ${Math.round(slowest)} ms`,
    })
    expect(failed).toEqual([])
    expect(asked.length).toBeGreaterThan(1000)
  })

  describe('when the last server has just gone out', () => {
    const users = () => engine.locate(readerUrl(cluster().primary))

    // MySQL takes longer to start than a query waits.
    const fault = engine.kind === 'postgres' ? 'killed' : 'frozen'

    test('a query waits for its return', { timeout: 60_000 }, async () => {
      const { begin, end } = faults[fault]
      const { primary } = cluster()
      // One that takes longer to return is away, as far as queries are concerned: the machine may be busy.
      const soon = 300
      let returned = Number.POSITIVE_INFINITY
      for (let time = 0; time < 10 && returned > soon; time++) {
        const out = Promise.withResolvers<void>()
        const store = await openStore(users(), ({ type }) => type === 'server-out' && out.resolve())
        await begin(primary)
        await out.promise
        const from = performance.now()
        expect(store.capacity?.()).toBe(4)
        const asked = Promise.resolve(store.findUsers('ID', ['1'])).catch((error: unknown) => error)
        await end(primary)
        returned = performance.now() - from
        const answer = await asked
        if (returned <= soon) expect(answer).toMatchObject([{ id: 1 }])
        await store.close()
      }
      expect(returned).toBeLessThanOrEqual(soon)
    })

    test('and it does not return, queries are refused at once from half a second on', async () => {
      const { primary } = cluster()
      const store = await openStore(users(), () => {})
      await primary.kill()
      const ask = async () => {
        const from = performance.now()
        await expect(store.findUsers('ID', ['1'])).rejects.toThrow(LookupError)
        return performance.now() - from
      }
      expect(await ask()).toBeLessThan(1000)
      await pause(100)
      const took: number[] = []
      for (let time = 0; time < 100; time++) took.push(await ask())
      expect(percentile(took, 0.9)).toBeLessThan(20)
      expect(store.capacity?.()).toBe(0)
      await store.close()
      await primary.start()
    })
  })
})
