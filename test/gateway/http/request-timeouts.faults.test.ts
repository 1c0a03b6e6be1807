// A client has its time for a request since its connection was read: not while the gateway did not read it.

import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { followArrivals } from '../../../src/gateway/http/request-timeouts.ts'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { manySpellings, openSocket, readAll, readAnswers, requestFor } from './raw.ts'

const HEADERS_TIMEOUT = 1_000
const REQUEST_TIMEOUT = 1_500
/** How long clients read little. */
const SLOW_MS = 3_500

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway({
    HEADERS_TIMEOUT: String(HEADERS_TIMEOUT),
    REQUEST_TIMEOUT: String(REQUEST_TIMEOUT),
  })
})
afterAll(() => gateway.close())

const COUNT = 600
/** More together than the system keeps for a client. */
const lookup = requestFor(manySpellings)
const lookups = lookup.repeat(COUNT)
/** 2 MB. */
const page = requestFor('/graphql', ['Host: a', 'Accept: text/html'])
const posted = (length: number, body: string) => {
  const headers = ['Connection: close', 'Content-Type: application/json', `Content-Length: ${length}`]
  return `${requestFor('/graphql', ['Host: a', ...headers], 'POST')}${body}`
}
const query = '{"query":"{ __typename }"}'

/** Sends all at once, reads little for a while, and then everything. @returns statuses, and when it ended */
async function sendThenRead(bytes: string, bytesPerSecond = 0) {
  const socket = (await openSocket(gateway.url)).pause()
  socket.write(bytes)
  let received = ''
  const slow = performance.now()
  for (let ms = 0; ms < SLOW_MS; ms = performance.now() - slow) {
    while (received.length < (bytesPerSecond * ms) / 1000) {
      const text: string | null = socket.read(Math.min(16_384, socket.readableLength))
      if (text === null) break
      received += text
    }
    await pause(20)
  }
  const started = performance.now()
  received += await readAll(socket)
  return { statuses: readAnswers(received).map(({ status }) => status), took: performance.now() - started }
}

test('headers that wait since Node itself has paused the connection are in time', async () => {
  const page = (...headers: string[]) => requestFor('/', ['Host: a', 'Accept: text/html', ...headers])
  const { statuses } = await sendThenRead(`${page().repeat(1_200)}${page('Connection: close')}`, 4_000_000)
  expect(statuses).toEqual(Array(1_201).fill(200))
})

test.for([
  ['headers', requestFor('/nowhere', ['Host: a', 'Connection: close']), 404],
  ['bodies', posted(60_000, query.padEnd(60_000)), 200],
] as const)('%s that wait for the client to read are in time', async ([, last, status]) => {
  const { statuses } = await sendThenRead(lookups + last)
  expect(statuses).toEqual([...Array(COUNT).fill(200), status])
})

test.for([
  ['headers', 'GET / HTTP/1.1\r\nHost: a\r\n', HEADERS_TIMEOUT],
  ['bodies', posted(60_000, query), REQUEST_TIMEOUT],
] as const)('%s that do not come have their time after that, and no more', async ([, last, timeout]) => {
  const { statuses, took } = await sendThenRead(lookups + last)
  expect(statuses).toEqual([...Array(COUNT).fill(200), 408])
  expect(took).toBeGreaterThan(timeout - 100)
})

test('a body is due in its time when its headers came during a pause', async () => {
  const socket = (await openSocket(gateway.url)).pause()
  const [headers = '', rest = ''] = posted(60_000, query).split(/(?<=json\r\n)/)
  // In one packet, since the last of them wait.
  socket.write(page.repeat(4) + lookup.repeat(20) + headers)
  // Node has reported the headers by then, which are given more time.
  await pause(HEADERS_TIMEOUT + 500)
  socket.write(rest)
  const drip = setInterval(() => socket.write(' '), 100)
  const received = await readAll(socket)
  clearInterval(drip)
  expect(readAnswers(received).at(-1)?.status).toBe(408)
})

test('only a pause that takes long gives a client more time', async () => {
  const socket = await openSocket(gateway.url)
  const arrivals = followArrivals(socket)
  socket.resume()
  await turn()
  socket.pause().resume()
  await turn()
  const { readSince } = arrivals
  for (let pauses = 0; pauses < 20; pauses++) {
    socket.pause()
    expect(arrivals.readSince).toBeNull()
    socket.resume()
    await turn()
    expect(arrivals.readSince).toBe(readSince)
  }
  socket.pause()
  await pause(150)
  const before = performance.now()
  socket.resume()
  await turn()
  expect(arrivals.readSince).toBeGreaterThanOrEqual(before)
})
