// Promise 9: clients that are slow, silent or broken are cut; other clients do not notice, and the admin port
// responds.

import { readdirSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { requestFor } from '../http/raw.ts'
import { type Crowd, gather } from '../kit/crowd.ts'
import { figure, note } from '../kit/figures.ts'
import { ask, p99Of as p99, startLoad } from '../kit/load.ts'
import type { ProcessOptions } from '../kit/run-lookup.ts'
import { serve } from '../kit/serving.ts'
import { test } from '../kit/test.ts'
import type { Workplace } from '../kit/workplace.ts'

const start = ({ path }: Workplace, options: Partial<ProcessOptions>, ...flags: string[]) =>
  serve({ cwd: path, timeout: 120_000, ...options }, ...flags)

const LOOKUP = '/?Event=ProfileLookup&Users=1'
const HEADERS = 'GET / HTTP/1.1\r\nHost: a\r\n'
const BODY =
  'POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n'
const PAGES = requestFor('/graphql', ['Host: a', 'Accept: text/html']).repeat(10)

/** Polls the admin port. @returns a function that stops, and returns the responses other than 200 */
function watchAdmin(admin: string): () => Promise<readonly string[]> {
  const wrong: string[] = []
  const asked: Promise<void>[] = []
  const look = async (path: string) => {
    const { status, body } = await ask(`${admin}${path}`)
    if (status !== 200) wrong.push(`${path}: ${status} ${body.slice(0, 100)}`)
  }
  const looking = setInterval(() => asked.push(...['/live', '/ready', '/metrics'].map(look)), 250)
  return async () => {
    clearInterval(looking)
    await Promise.all(asked)
    return wrong
  }
}

function leaveAll(crowds: readonly Crowd[]): void {
  for (const { leave } of crowds) leave()
}

const descriptors = (pid: number | undefined) => readdirSync(`/proc/${pid}/fd`).length

test('slow, silent and broken clients are cut within 6 s, and the others do not notice', {
  timeout: 60_000,
}, async ({ place, task }) => {
  const { url, admin, process: first } = await start(place, {})
  const count = figure(200, 1000)
  // A warm-up: the first requests take longer, above all that of the page.
  await fetch(`${url}/graphql`, { headers: { Accept: 'text/html' } }).then((page) => page.arrayBuffer())
  await startLoad(url, { clients: 4 }).stop()
  const before = startLoad(url, { clients: 4 })
  await pause(figure(1500, 5000))
  const usual = await before.stop()
  const usualDescriptors = descriptors(first.pid)

  const adminAnswers = watchAdmin(admin)
  const load = startLoad(url, { clients: 4 })
  const some = Math.ceil(count / 10)
  const patient = [
    gather(url, count),
    gather(url, some, { start: HEADERS, drip: 'X: y\r\n' }),
    gather(url, some, { start: 'GET /?Ev', drip: 'e' }),
  ]
  const crowds = [
    ...patient,
    gather(url, some, { deaf: true }),
    gather(url, some, { start: BODY, drip: ' ' }),
    gather(url, 5, { start: PAGES, deaf: true }),
    gather(url, some, { start: '\x16\x03\x01 no HTTP\r\n\r\n' }),
  ]
  onTestFinished(() => leaveAll(crowds))
  await Promise.all(crowds.map(({ gathered }) => gathered))
  await pause(6500)
  // Those that drip a body have 10 s, those that do not read 65 s, and the load and the admin's client some
  // connections.
  const held = descriptors(first.pid) - usualDescriptors - some - 5
  const asked = await load.stop()
  const wrong = await adminAnswers()

  const cuts = patient.flatMap((crowd) => crowd.cuts)
  const worst = Math.max(...cuts)
  note(
    { task },
    {
      promise: 9,
      what: `${cuts.length} silent and dripping clients cut`,
      bound: '≤ 6 s',
      measured: `${(worst / 1000).toFixed(2)} s`,
    },
    {
      promise: 9,
      what: 'p99 of the others meanwhile, and before',
      bound: '≤ 3 × + 20 ms',
      measured: `${p99(asked).toFixed(1)} ms, ${p99(usual).toFixed(1)} ms`,
    },
  )
  expect(cuts).toHaveLength(count + 2 * some)
  expect(worst).toBeLessThan(figure(7000, 6000))
  expect(held).toBeLessThan(10)
  expect(asked.filter(({ status }) => status !== 200)).toEqual([])
  expect(p99(asked)).toBeLessThan(3 * p99(usual) + figure(300, 20))
  expect(wrong).toEqual([])
})

test.for(figure(['2'], ['1', '2']))(
  '%s processes with all connections taken: more are closed at once, and that passes',
  async (workers, { place }) => {
    const { url, admin, log } = await start(place, { env: { MAX_CONNECTIONS: '20' } }, '--workers', workers)
    const most = 20 * Number(workers)
    const adminAnswers = watchAdmin(admin)
    const crowd = gather(url, 300)
    onTestFinished(crowd.leave)
    await expect.poll(() => crowd.cuts.length, { timeout: 15_000 }).toBeGreaterThanOrEqual(300 - most)
    await pause(1200)
    // Connections come to the workers in turn, but one may have all of its own before another has.
    const closed = crowd.cuts.length
    expect(closed).toBeLessThanOrEqual(300 - 20)
    const refusals = log.of('connections-refused').map(({ count }) => Number(count))
    expect(refusals.reduce((sum, count) => sum + count, 0)).toBe(closed)
    // A line a second from each process, and not one for each connection.
    expect(refusals.length).toBeLessThan(closed / 5)
    expect(await adminAnswers()).toEqual([])
    crowd.leave()
    await expect.poll(async () => (await ask(url + LOOKUP)).status, { timeout: 15_000 }).toBe(200)
  },
)
