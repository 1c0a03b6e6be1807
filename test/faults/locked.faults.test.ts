// A table is locked, as ALTER TABLE locks it: lookups of the other one go on.

import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { engines, forumOf, lock } from '../kit/engines.ts'
import { percentile, startLoad } from '../kit/load.ts'
import { serveCluster, statusOf, useCluster } from './cluster.ts'

describe.for(engines)('$name', (engine) => {
  const cluster = useCluster(engine)

  test('a lock on users: apps are answered, however many ask for users', async () => {
    const { primary } = cluster()
    const gateway = await serveCluster(cluster(), { DATABASE_REPLICA_URLS: '', LOG_SAMPLE: '0' })
    const someUser = () => `Event=ProfileLookup&Users=${Math.ceil(Math.random() * 1e6)}`
    const apps = startLoad(gateway.url, { query: () => 'Event=AppLookup&Apps=1' })
    // All of them wait while the lock is new. Later they are refused at once, and ask at a pace that one core
    // can answer: what a process does that is asked for more than it can answer is in overload.test.ts.
    const users = startLoad(gateway.url, { query: someUser, clients: 64, pause: 25 })
    await pause(500)
    const out = gateway.log.next('server-out', 5000)
    const unlock = await lock(engine, forumOf(engine, primary), 'users')
    expect(await out).toMatchObject({ reason: expect.stringMatching(/^users: no response .* locked/) })
    // What waited by then has its time.
    const from = apps.now() + 1500
    await pause(4000)
    expect(await statusOf(`${gateway.adminUrl}/ready`)).toBe(200)
    const to = apps.now()
    const back = gateway.log.next('server-back', 5000)
    await unlock()
    await back
    await pause(200)
    const again = users.now()
    await pause(500)
    const asked = (await apps.stop()).filter(({ at }) => at > from && at < to)
    const after = (await users.stop()).filter(({ at }) => at > again)
    expect(asked.length).toBeGreaterThan(100)
    expect(asked.filter(({ status }) => status !== 200)).toEqual([])
    expect(
      percentile(
        asked.map(({ took }) => took),
        0.99,
      ),
    ).toBeLessThan(300)
    expect(after.length).toBeGreaterThan(100)
    expect(after.filter(({ status }) => status !== 200)).toEqual([])
  })
})
