// Promise 5: a service that is restarted or stopped under load responds to every request that it has
// accepted.

import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { type Conversation, requestFor, talking } from '../http/raw.ts'
import { childrenOf } from '../kit/children.ts'
import { figure, note } from '../kit/figures.ts'
import { serve } from '../kit/serving.ts'
import { type Sent, startSteadyLoad } from '../kit/steady-load.ts'
import { test } from '../kit/test.ts'
import type { Workplace } from '../kit/workplace.ts'

const RATE = figure(50, 500)
/** Milliseconds for a busy machine. */
const timeout = 200_000

const start = ({ path }: Workplace, workers: string) => serve({ cwd: path, timeout }, '--workers', workers)

const LOOKUP = requestFor('/?Event=ProfileLookup&Users=1')
const BODY = '{"query":"{ __typename }"}'
const HEADERS = ['Host: a', 'Content-Type: application/json', `Content-Length: ${BODY.length}`]
const HALF = `${requestFor('/graphql', HEADERS, 'POST')}${BODY.slice(0, 9)}`

const failed = (sent: readonly Sent[]) => sent.filter(({ outcome }) => outcome !== 'ok')

test('workers restarted again and again: no request fails', {
  timeout,
}, async ({ place, task }) => {
  const { url, process: first, log, stop } = await start(place, '2')
  const rounds = figure(2, 10)
  const load = startSteadyLoad(url, RATE)
  await pause(500)
  const restarts: { readonly from: number; readonly to: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const restarted = log.next('restarted', 60_000)
    const from = performance.now()
    first.kill('SIGHUP')
    await restarted
    restarts.push({ from, to: performance.now() })
  }
  await pause(500)
  const sent = await load.stop()
  note(
    { task },
    {
      promise: 5,
      what: `requests failed of ${sent.length} at ${RATE}/s, while 2 workers were restarted ${rounds} times`,
      bound: '0',
      measured: String(failed(sent).length),
    },
  )
  expect(failed(sent)).toEqual([])
  const sentDuring = restarts.map(({ from, to }) => sent.filter(({ at }) => at > from && at < to).length)
  expect(Math.min(...sentDuring)).toBeGreaterThan(0)
  // Each restart replaced every worker.
  expect(log.of('stopping').filter(({ reason }) => reason === 'replaced')).toHaveLength(2 * rounds)
  expect(log.of('worker-lost')).toEqual([])
  expect(await stop()).toMatchObject({ status: 0 })
})

/** So many connections that have carried a request: the service has accepted them. */
function talkToMany<T>(url: string, count: number, talk: (conversation: Conversation) => Promise<T>) {
  const begin = async (conversation: Conversation) => {
    conversation.write(LOOKUP)
    expect((await conversation.answer()).status).toBe(200)
    return talk(conversation)
  }
  return Promise.all(Array.from({ length: count }, () => talking(url, begin)))
}

test.for(figure([['2']], [['1'], ['2']]))(
  '%s processes stopped under load: what they have accepted is answered',
  { timeout },
  async ([workers = ''], { place, task }) => {
    const { url, stop } = await start(place, workers)
    const load = startSteadyLoad(url, RATE)
    await pause(1000)

    const stopped = Promise.withResolvers<void>()
    const finish = (begun: string, rest: string) =>
      talkToMany(url, 20, async ({ write, answer }) => {
        write(begun)
        await stopped.promise
        write(rest)
        const { status, headers } = await answer({ within: 20_000 })
        return `${status} ${headers.connection}`
      })
    const leave = (begun: string) =>
      talkToMany(url, 10, async ({ write, ended }) => {
        write(begun)
        return ended(60_000)
      })
    const begun = [finish(HALF, BODY.slice(9)), finish('', LOOKUP)]
    const left = [leave(HALF), leave('GET / HTTP/1.1\r\nHos')]
    const silent = talking(url, ({ ended }) => ended(60_000))
    await pause(1000)

    const started = performance.now()
    const outcome = stop()
    await pause(300)
    stopped.resolve()
    const answers = (await Promise.all(begun)).flat()
    const { status } = await outcome
    const took = performance.now() - started
    await Promise.all([...left, silent])
    const failures = failed(await load.stop())

    expect(status).toBe(0)
    expect(took).toBeLessThan(figure(20_000, 10_000))
    expect(new Set(answers)).toEqual(new Set(['200 close']))
    // Kept connections are closed only with a response. New ones may come too late.
    expect(failures.filter(({ reused }) => reused)).toEqual([])
    const what = `${workers === '1' ? '1 process' : `${workers} workers`} stopped at ${RATE} requests/s`
    const seconds = `${(took / 1000).toFixed(1)} s`
    note(
      { task },
      { promise: 5, what: `${what}: requests accepted and not answered`, bound: '0', measured: '0' },
      {
        promise: 5,
        what: `${what} with half-open sockets: time to exit`,
        bound: '≤ 10 s',
        measured: seconds,
      },
    )
  },
)

test.for(['1', '2'])(
  '%s processes stopped while connections wait to be accepted: each is answered',
  async (workers, { place }) => {
    for (let time = 0; time < figure(2, 10); time++) {
      const { url, process: first, stop } = await start(place, workers)
      first.kill('SIGSTOP')
      // The system accepts connections for a frozen process.
      const answers = Array.from({ length: 20 }, () =>
        talking(url, async ({ write, answer }) => {
          write(LOOKUP)
          return (await answer({ within: 20_000 })).status
        }),
      )
      await pause(100)
      first.kill('SIGTERM')
      const outcome = stop('SIGCONT')
      expect(new Set(await Promise.all(answers))).toEqual(new Set([200]))
      expect(await outcome).toMatchObject({ status: 0 })
    }
  },
)

test('a frozen worker does not keep the service from ending', async ({ place, task }) => {
  const { process: first, stop } = await start(place, '2')
  const [worker = 0] = childrenOf(first.pid)
  process.kill(worker, 'SIGSTOP')
  const started = performance.now()
  expect(await stop()).toMatchObject({ status: 0 })
  const took = performance.now() - started
  expect(took).toBeLessThan(figure(20_000, 10_000))
  const measured = `${(took / 1000).toFixed(1)} s`
  note({ task }, { promise: 5, what: 'a frozen worker: time to exit', bound: '≤ 10 s', measured })
})
