// Promise 5: a service that is restarted or stopped under load fails no request that it took.

import { Agent, get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Conversation, requestFor, talking } from '../gateway/http/raw.ts'
import { childrenOf } from '../kit/children.ts'
import { figure, note } from '../kit/figures.ts'
import { readLog } from '../kit/log.ts'
import { originOf, serve } from '../kit/serving.ts'
import { type Sent, startSteadyLoad } from '../kit/steady-load.ts'
import { makeWorkplace, type Workplace } from '../kit/workplace.ts'

const RATE = figure(150, 500)

let place: Workplace
beforeEach(() => {
  place = makeWorkplace()
})
afterEach(() => place.remove())

async function start(...flags: string[]) {
  const serving = await serve({ cwd: place.path, timeout: 200_000 }, ...flags)
  const url = originOf(serving.shown['Legacy JSON'])
  return { ...serving, url, log: readLog(serving.process.stderr) }
}

/** Often enough that the number of resets says something. */
const STOPS = 12

const LOOKUP = requestFor('/?Event=ProfileLookup&Users=1')
const BODY = '{"query":"{ __typename }"}'
const HALF = `${requestFor('/graphql', ['Host: a', 'Content-Type: application/json', `Content-Length: ${BODY.length}`], 'POST')}${BODY.slice(0, 9)}`

const failed = (sent: readonly Sent[]) => sent.filter(({ outcome }) => outcome !== 'ok')

test('workers restarted one after the other, again and again, under load: no request fails', {
  timeout: 200_000,
}, async (context) => {
  const { url, process: first, log, stop } = await start('--workers', '2')
  const rounds = figure(2, 10)
  const load = startSteadyLoad(url, RATE)
  await pause(500)
  for (let round = 0; round < rounds; round++) {
    const restarted = log.next('restarted', 30_000)
    first.kill('SIGHUP')
    await restarted
  }
  await pause(500)
  const seconds = load.now() / 1000
  const sent = await load.stop()
  note(context, {
    promise: 5,
    what: `requests failed of ${sent.length} at ${RATE}/s, while 2 workers were restarted ${rounds} times`,
    bound: '0',
    measured: String(failed(sent).length),
  })
  expect(failed(sent)).toEqual([])
  expect(sent.length).toBeGreaterThan((RATE * seconds) / 2)
  // Every worker was another one each time.
  expect(log.of('stopping').filter(({ reason }) => reason === 'replaced')).toHaveLength(2 * rounds)
  expect(log.of('worker-lost')).toEqual([])
  expect(await stop()).toMatchObject({ status: 0 })
})

/** So many connections that have carried a request: the service has taken them. */
function talkToMany<T>(url: string, count: number, talk: (conversation: Conversation) => Promise<T>) {
  const begin = async (conversation: Conversation) => {
    conversation.write(LOOKUP)
    expect((await conversation.answer({ within: 5000 })).status).toBe(200)
    return talk(conversation)
  }
  return Promise.all(Array.from({ length: count }, () => talking(url, begin)))
}

test.for(figure([['2']], [['1'], ['2']]))(
  '%s processes stopped under load: what they took is answered',
  {
    timeout: 60_000,
  },
  async ([workers = ''], context) => {
    const { url, process: first, stop } = await start('--workers', workers)
    const load = startSteadyLoad(url, RATE)
    await pause(1000)

    const asked = Promise.withResolvers<void>()
    const finish = (begun: string, rest: string) =>
      talkToMany(url, 20, async ({ write, answer }) => {
        write(begun)
        await asked.promise
        write(rest)
        const { status, headers } = await answer({ within: 5000 })
        return `${status} ${headers.connection}`
      })
    const leave = (begun: string) =>
      talkToMany(url, 10, async ({ write, ended }) => {
        write(begun)
        return ended(20_000)
      })
    const begun = [finish(HALF, BODY.slice(9)), finish('', LOOKUP)]
    const left = [leave(HALF), leave('GET / HTTP/1.1\r\nHos')]
    const silent = talking(url, ({ ended }) => ended(20_000))
    await pause(1000)

    const started = performance.now()
    const outcome = stop()
    await pause(300)
    asked.resolve()
    const answers = (await Promise.all(begun)).flat()
    const { status } = await outcome
    const took = performance.now() - started
    await Promise.all([...left, silent])
    const failures = failed(await load.stop())

    expect(status).toBe(0)
    expect(first.exitCode).toBe(0)
    expect(took).toBeLessThan(10_000)
    expect(new Set(answers)).toEqual(new Set(['200 close']))
    // A connection that is kept is only closed with an answer. A new one may come too late, and is refused;
    // or it was made by the system at the very end, is not known to the service, and is reset.
    expect(failures.filter(({ reused }) => reused)).toEqual([])
    const late = new Set(failures.map(({ outcome }) => outcome))
    expect([...late].filter((outcome) => !['ECONNREFUSED', 'ECONNRESET'].includes(outcome))).toEqual([])
    const what = `${workers === '1' ? '1 process' : `${workers} workers`} stopped at ${RATE} requests/s`
    note(
      context,
      { promise: 5, what: `${what}: requests taken and not answered`, bound: '0', measured: '0' },
      {
        promise: 5,
        what: `${what} with half-open sockets: time to exit`,
        bound: '≤ 10 s',
        measured: `${(took / 1000).toFixed(1)} s`,
      },
    )
  },
)

test('a frozen worker does not keep the service from ending', { timeout: 30_000 }, async (context) => {
  const { process: first, stop } = await start('--workers', '2')
  const [worker] = childrenOf(first.pid)
  process.kill(worker ?? 0, 'SIGSTOP')
  const started = performance.now()
  expect(await stop()).toMatchObject({ status: 0 })
  const took = performance.now() - started
  expect(took).toBeLessThan(10_000)
  const measured = `${(took / 1000).toFixed(1)} s`
  note(context, { promise: 5, what: 'a frozen worker: time to exit', bound: '≤ 10 s', measured })
})

test('2 processes stopped while clients connect without a pause: what has connected is answered', {
  timeout: 60_000,
}, async () => {
  const reset: string[] = []
  for (let time = 0; time < STOPS; time++) {
    const { url, stop } = await start('--workers', '2')
    const agent = new Agent({ keepAlive: true, maxSockets: 8 })
    let isOver = false
    let answered = 0
    /** Asks once. What is refused had not been taken. */
    const ask = () =>
      new Promise<void>((resolve) => {
        let isConnected = false
        const request = get(`${url}/?Event=ProfileLookup&Users=1`, { agent }, (response) => {
          answered++
          response.resume().on('close', resolve)
        })
        request.on('socket', (socket) => socket.once('connect', () => (isConnected = true)))
        request.on('error', ({ message }) => {
          if (isConnected) reset.push(message)
          resolve()
        })
      })
    const clients = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        await ask()
        await pause(5)
      }
    })
    await pause(500)
    await stop()
    isOver = true
    await Promise.all(clients)
    agent.destroy()
    expect(answered).toBeGreaterThan(100)
  }
  // A client may connect in the 0.1 ms between the last look and the end of listening. At 1,300 connections a
  // second that is one in ten stops or fewer. Without waiting for the clients that have connected it is 3 a
  // stop.
  expect(reset.length).toBeLessThanOrEqual(STOPS / 4)
})
