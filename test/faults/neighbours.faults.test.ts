// Promise 14: whatever one client does within the limits, the requests of other clients are answered.

import { spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { figure, note } from '../kit/figures.ts'
import { type Asked, ask, percentile, startLoad } from '../kit/load.ts'
import { serve } from '../kit/serving.ts'
import { startFlags } from '../kit/start-flags.ts'
import { test } from '../kit/test.ts'
import { csvFile, csvRow } from '../kit/workplace.ts'

const USERS = 2_000
const SECONDS = figure(5, 30)
const timeout = 120_000

/** Requests on a new connection each, one after the other. */
function startNewcomers(url: string) {
  const asked: Asked[] = []
  let stopped = false
  const run = async () => {
    for (let id = 1; !stopped; id = (id % USERS) + 1) {
      const at = performance.now()
      const reply = await ask(`${url}/?Event=ProfileLookup&Users=${id}`)
      asked.push({ turn: id, at, took: performance.now() - at, ...reply })
      await pause(20)
    }
  }
  const running = run()
  return async () => {
    stopped = true
    await running
    return asked
  }
}

test.for([
  ['clients that read nothing of large responses', 24],
  ['GraphQL, on a kept connection', 100],
  ['GraphQL, on new connections', 100],
  ['lists, on a kept connection', 100],
  ['lists, on new connections', 100],
  ['one user, on new connections', 400],
  ['introspections', 100],
  ['small requests, pipelined', 100],
  ['small requests, pipelined on new connections', 100],
] as const)(
  'others are still answered beside %s (%i)',
  { timeout },
  async ([kind, clients], { place, task }) => {
    place.write('users.csv', csvFile(...Array.from({ length: USERS }, (_, index) => csvRow(index + 1))))
    expect((await place.run(['import', 'users', 'users.csv'])).status).toBe(0)
    const env = { DATABASE_URL: 'sqlite:lookup.db' }
    const { url } = await serve({ cwd: place.path, timeout, nodeFlags: startFlags, env })
    const script = new URL('neighbours-attack.ts', import.meta.url).pathname
    const attack = spawn(process.execPath, [script, url, kind, String(clients)], { stdio: 'inherit' })
    onTestFinished(() => void attack.kill('SIGKILL'))
    await pause(1000)

    const stopNewcomers = startNewcomers(url)
    // Lookups of one user and of 100, in turn.
    const ids = (turn: number) =>
      Array.from({ length: turn % 2 === 0 ? 1 : 100 }, (_, at) => 1 + ((turn + at) % USERS))
    const load = startLoad(url, {
      clients: 2,
      pause: 20,
      query: (turn) => `Event=ProfileLookup&Users=${ids(turn).join(':')}`,
    })
    await pause(SECONDS * 1000)
    const newcomers = await stopNewcomers()
    const kept = await load.stop()
    expect(attack.exitCode).toBe(null)

    for (const [who, asked] of [
      ['a new connection each', newcomers],
      ['kept connections', kept],
    ] as const) {
      const answered = asked.filter(({ status }) => status === 200).length / asked.length
      const took = asked.map((one) => one.took)
      const [p50, p99] = [percentile(took, 0.5), percentile(took, 0.99)]
      note(
        { task },
        {
          promise: 14,
          what: `beside ${clients} × ${kind}: requests on ${who}`,
          bound: '≥ 95 % answered, p50 ≤ 50 ms, p99 ≤ 1 s',
          measured: `${(100 * answered).toFixed(1)} %, ${Math.round(p50)} ms, ${Math.round(p99)} ms`,
        },
      )
      expect(answered).toBeGreaterThanOrEqual(0.95)
      expect(p50).toBeLessThan(figure(150, 50))
      expect(p99).toBeLessThan(1000)
    }
  },
)
