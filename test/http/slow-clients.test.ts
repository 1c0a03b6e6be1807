// Clients that send too slowly, or do not read their responses, are disconnected; no other client notices.

import { once } from 'node:events'
import { connect, Socket } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/config/config.ts'
import { listen } from '../../src/http/server.ts'
import { createSlowReaders, type Reader } from '../../src/http/slow-readers.ts'
import { openStore } from '../../src/stores/open-store.ts'
import { createClock } from '../kit/clock.ts'
import { test as base } from '../kit/test.ts'
import { requestFor, talking } from './raw.ts'

/** Starts a gateway with short timeouts; `accepted` are its connections. */
const test = base.extend('start', async ({ shared }) => async (idle: number) => {
  const timeouts = { headers: 1_500, request: 2_000, idle }
  const config = { ...readConfig({ flags: { DATABASE_URL: `sqlite:${shared.path}` } }), timeouts }
  const store = await openStore(config.database, () => {})
  const app = await createApp(config, store, () => {})
  const accepted: Socket[] = []
  const onConnection = (socket: Socket) => {
    accepted.push(socket)
    app.onConnection(socket)
  }
  const listener = await listen({ ...app, onConnection }, { port: 0, host: '127.0.0.1', timeouts })
  onTestFinished(async () => {
    await listener.close(0)
    await app.close()
    await store.close()
  })
  return { url: listener.url.replace('localhost', '127.0.0.1'), accepted }
})

const LOOKUP = requestFor('/?Event=ProfileLookup&Users=1')
const body = ['Host: a', 'Content-Type: application/json', 'Content-Length: 1000']

test('a client that sends too slowly is told, and disconnected', async ({ start }) => {
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

test('a client that neither reads nor closes its side is disconnected', async ({ start }) => {
  const { url, accepted } = await start(60_000)
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => {}).pause()
  socket.write('GET / HTT')
  await expect.poll(() => accepted.length).toBe(1)
  await once(accepted[0] ?? socket, 'close')
  socket.destroy()
})

test('a client that reads nothing of its responses is disconnected', async ({ start }) => {
  const { url, accepted } = await start(500)
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' })
  socket.on('error', () => {}).pause()
  // 40 times the pages of GraphiQL are more than any buffer takes.
  socket.write(requestFor('/graphql', ['Host: a', 'Accept: text/html']).repeat(40))
  await expect.poll(() => accepted.length).toBe(1)
  await once(accepted[0] ?? socket, 'close')
  socket.destroy()
})

test.for([
  ['5 s and a second for 8 KiB', false, 6_000, 8 * 1024],
  ['5 s', false, 5_000, 0],
  ['1 s and a second for 64 KiB while memory is short', true, 2_000, 64 * 1024],
] as const)('a response has to be read within %s', async ([, isPressing, due, bytes]) => {
  const clock = createClock(1_000)
  const cut: Socket[] = []
  const readers = createSlowReaders(
    () => isPressing,
    (socket) => cut.push(socket),
    clock,
  )
  const reader = (): Reader => ({ socket: new Socket(), unsent: [], since: 0 })
  const [slow, quick, gone] = [reader(), reader(), reader()]
  for (const one of [slow, quick, gone]) readers.add(one, bytes)
  readers.add(quick, bytes)
  await clock.advance(due - 500)
  // The time for the next response begins when the one before it is sent.
  readers.sent(quick)
  readers.remove(gone)
  await clock.advance(500)
  expect(cut).toEqual([])
  await clock.advance(250)
  expect(cut).toEqual([slow.socket])
  readers.remove(slow)
  readers.sent(quick)
  await clock.advance(10_000)
  expect(cut).toEqual([slow.socket])
  expect(clock.waiting()).toBe(0)
})
