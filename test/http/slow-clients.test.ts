// Clients that send too slowly, or do not read their responses, are disconnected; no other client notices.

import { once } from 'node:events'
import { connect, Socket } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/config/config.ts'
import { createMemory, type Holder } from '../../src/http/memory.ts'
import { listen } from '../../src/http/server.ts'
import { openStore } from '../../src/stores/open-store.ts'
import { createClock } from '../kit/clock.ts'
import { test as base } from '../kit/test.ts'
import { exchange, manySpellings, requestFor, talking } from './raw.ts'

/** Starts a gateway with short timeouts. */
const test = base.extend('start', async ({ shared }) => async (idle: number) => {
  const timeouts = { request: 2_000, idle }
  const flags = { DATABASE_URL: `sqlite:${shared.path}`, HEALTH_PATH: '/healthz' }
  const config = { ...readConfig({ flags }), timeouts }
  const store = await openStore(config.database, () => {})
  const app = await createApp(config, store, () => {})
  const listener = await listen(app, { port: 0, host: '127.0.0.1', timeouts })
  onTestFinished(async () => {
    await listener.close(0)
    await app.close()
    await store.close()
  })
  return { url: listener.url.replace('localhost', '127.0.0.1'), memory: app.memory }
})

const LOOKUP = requestFor('/?Event=ProfileLookup&Users=1')
const body = ['Host: a', 'Content-Type: application/json', 'Content-Length: 1000']

test('a client that sends too slowly gets a 408, and is disconnected', async ({ start }) => {
  const { url } = await start(60_000)
  const cut = async ([start, drip, answered]: readonly [start: string, drip: string, answered: number]) =>
    talking(url, async ({ write, answer, ended }) => {
      write(start)
      for (let at = 0; at < answered; at++) expect((await answer()).status).toBe(200)
      const dripping = setInterval(write, 50, drip)
      try {
        expect(await answer()).toMatchObject({ status: 408, headers: { connection: 'close' } })
        await ended(30_000)
      } finally {
        clearInterval(dripping)
      }
    })
  const slow = [
    ['', '', 0],
    ['GET /?Ev', '', 0],
    ['GET / HTTP/1.1\r\nHost: a\r\n', '', 0],
    ['GET / HTTP/1.1\r\nHost: a\r\n', 'X: y\r\n', 0],
    [`${LOOKUP}GET / HTTP/1.1\r\n`, 'X: y\r\n', 1],
    [requestFor('/graphql', body, 'POST'), ' ', 0],
  ] as const
  await talking(url, async ({ write, answer }) => {
    const served = async () => {
      write(LOOKUP)
      expect(await answer()).toMatchObject({ status: 200 })
    }
    await served()
    const cuts = Promise.all(
      Array.from({ length: 120 }, (_, at) => cut(slow[at % slow.length] ?? ['', '', 0])),
    )
    for (let at = 0; at < 20; at++) await served()
    await cuts
    await served()
  })
})

test.for([
  ['neither reads nor closes its side', 'GET / HTT', 60_000],
  // 40 times the pages of GraphiQL are more than any buffer takes.
  [
    'reads nothing of its responses',
    requestFor('/graphql', ['Host: a', 'Accept: text/html']).repeat(40),
    500,
  ],
] as const)('a client that %s is disconnected', async ([, bytes, idle], { start }) => {
  const { url } = await start(idle)
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => {}).pause()
  await once(socket, 'connect')
  socket.write(bytes)
  // A write to a connection that the other side has closed causes a reset.
  const closed = new Promise((resolve) => socket.once('close', resolve))
  const writing = setInterval(() => socket.write('x'), 100)
  onTestFinished(() => clearInterval(writing))
  await closed
})

const MIB = 1024 * 1024

test('without memory for responses, health checks fail, and small responses are made', async ({ start }) => {
  const { url, memory } = await start(60_000)
  const holder = { socket: new Socket(), held: 0, progressAt: 0 }
  const statuses = async () => {
    const targets = [
      '/healthz',
      '/?Event=ProfileLookup&Users=1',
      manySpellings,
      `${manySpellings}:${'x'.repeat(3_000)}`,
    ]
    const answers = await Promise.all(targets.map((target) => exchange(url, requestFor(target))))
    return answers.map(({ status }) => status)
  }
  expect(await statuses()).toEqual([200, 200, 200, 200])
  memory.holdResponse(holder, 33 * MIB)
  expect(await statuses()).toEqual([503, 200, 200, 503])
  memory.forget(holder)
  expect(await statuses()).toEqual([200, 200, 200, 200])
})

/** A Memory with a clock that the test sets. Its `cut` lists the connections that were cut. */
function memoryWith(clock = createClock(1_000)) {
  const cut: Holder[] = []
  const holder = (remoteAddress = '192.0.2.1'): Holder => {
    const resetAndDestroy = () => cut.push(made)
    const socket = Object.assign(new Socket(), { resetAndDestroy })
    const made = {
      socket: Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress }),
      held: 0,
      progressAt: 0,
    }
    return made
  }
  return { ...createMemory(() => {}, clock), clock, cut, holder }
}

test('a client has 10 s to take some of its response', async () => {
  const { clock, cut, holder, holdResponse, take, endResponse, forget } = memoryWith()
  const [silent, slow, quick, gone] = [holder(), holder(), holder(), holder()]
  for (const one of [silent, slow, quick, gone]) holdResponse(one, MIB)
  await clock.advance(9_500)
  take(slow, 1)
  endResponse(quick)
  forget(gone)
  expect(cut).toEqual([])
  await clock.advance(1_000)
  expect(cut).toEqual([silent])
  await clock.advance(10_000)
  expect(cut).toEqual([silent, slow])
  expect(clock.waiting()).toBe(0)
})

test('if memory is short, those of the network that holds most are cut after 1 s', async () => {
  const { clock, cut, holder, holdResponse, take } = memoryWith()
  const few = Array.from({ length: 3 }, () => holder('2001:db8::1'))
  const many = Array.from({ length: 6 }, (_, at) => holder(`2001:db8:1::${at + 1}`))
  for (const one of few) holdResponse(one, 3 * MIB)
  for (const [at, one] of many.entries()) holdResponse(one, (2 + at / 10) * MIB)
  await clock.advance(900)
  const [reading] = many
  if (reading) take(reading, 1)
  expect(cut).toEqual([])
  await clock.advance(500)
  // 22.5 MiB are held; 16 MiB may be.
  expect(cut).toEqual(many.slice(3).reverse())
})

test.for([
  ['nothing is held', 0, 0, 15, true],
  ['others hold nearly all', 20, 0, 15, false],
  ['others hold more than all', 40, 0, 1, false],
  ['the response is small', 40, 0, 0.06, true],
  ['the response is small, and twice as much is held', 65, 0, 0.06, false],
  ['the client has its share', 2, 15, 2, false],
  ['others have theirs', 15, 2, 2, true],
] as const)('room for a response while %s', ([, others, own, wanted, hasRoom]) => {
  const { holder, holdResponse, ...memory } = memoryWith()
  const client = holder('192.0.2.1')
  holdResponse(client, own * MIB)
  for (let at = 0; at < 8; at++) holdResponse(holder(`198.51.100.${at}`), (others * MIB) / 8)
  expect(memory.hasRoom(client, wanted * MIB)).toBe(hasRoom)
})
