// A gateway that starts, or opens its database anew, beside a standby that lags: how far is not known yet.

import { describe, expect, onTestFinished, test } from 'vitest'
import type { Observation } from '../../src/observation.ts'
import { openStore } from '../../src/stores/open-store.ts'
import { engines, forumOf, readerUrl } from '../kit/engines.ts'
import { ask } from '../kit/load.ts'
import { portOf, serveCluster, useCluster } from './cluster.ts'

describe.for(engines)('$name', (engine) => {
  const cluster = useCluster(engine)

  /** Makes the standby stand still before a change, until the end of the test. */
  async function changeBeyond(): Promise<void> {
    const { primary, standby } = cluster()
    const { run } = forumOf(engine, primary)
    await standby.apply(false)
    onTestFinished(async () => {
      await run(`UPDATE users SET display_name = 'Ada' WHERE id = 1`)
      await standby.apply(true)
      await standby.untilCaughtUp(primary)
    })
    await run(`UPDATE users SET display_name = 'changed' WHERE id = 1`)
  }

  test('a reload does not forget that a standby lags', async () => {
    const gateway = await serveCluster(cluster(), { DATABASE_MAX_LAG: '3' })
    const out = gateway.log.next('server-out', 8000, portOf(cluster().standby))
    await changeBeyond()
    await out
    const reloaded = gateway.log.next('reloaded', 5000)
    gateway.process.kill('SIGHUP')
    await reloaded
    const until = performance.now() + 1500
    while (performance.now() < until) {
      const { body } = await ask(`${gateway.url}/?Event=ProfileLookup&Users=1`)
      expect(body).toContain('changed')
    }
  })

  test('no old answer is given from the start on; once it certainly lags, that is logged', async () => {
    await changeBeyond()
    const { primary, standby } = cluster()
    const gateway = await serveCluster(cluster(), { DATABASE_MAX_LAG: '2' })
    const out = gateway.log.next('server-out', 5000, portOf(standby))
    const lookup = () => ask(`${gateway.url}/?Event=ProfileLookup&Users=1`)
    for (let time = 0; time < 50; time++) expect((await lookup()).body).toContain('changed')
    expect(gateway.log.of('server-out')).toEqual([])
    expect(await out).toMatchObject({
      reason: expect.stringMatching(/too far behind the primary .* Check whether replication has stopped/),
    })
    // It is better than nothing.
    const gone = gateway.log.next('server-out', 5000, portOf(primary))
    await primary.kill()
    onTestFinished(() => primary.start())
    await gone
    expect(await lookup()).toMatchObject({ status: 200 })
  })

  test('a standby of a busy primary is used soon, and nothing is logged', async () => {
    const { primary, standby } = cluster()
    const writer = await forumOf(engine, primary).connect()
    let isOver = false
    const writing = (async () => {
      while (!isOver) await writer.run('UPDATE users SET join_date = join_date + 1')
      await writer.end()
    })()
    // Probes look for no username.
    const wasAsked = await engine.watchLookups(forumOf(engine, standby), 'users', 'username_key')
    const seen: Observation[] = []
    const location = engine.locate(readerUrl(primary), readerUrl(standby))
    const store = await openStore(location, (one) => seen.push(one))
    const isUsed = async () => {
      await store.findUsers('USERNAME', ['ada'])
      return wasAsked()
    }
    await expect.poll(isUsed, { interval: 20, timeout: 2000 }).toBe(true)
    isOver = true
    await writing
    expect(seen.filter(({ type }) => type !== 'server-known')).toEqual([])
    await store.close()
  })
})
