// REQUEST_TIMEOUT does not run while the gateway does not read a connection.

import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { test } from '../kit/test.ts'
import { manySpellings, openSocket, readAll, readAnswers, requestFor } from './raw.ts'

const settings = { REQUEST_TIMEOUT: '1500' }
/** Milliseconds in which clients read little. */
const SLOW_MS = 3_500

const COUNT = 600
/** Together larger than the buffers of the system. */
const lookups = requestFor(manySpellings).repeat(COUNT)
const explorer = requestFor('/', ['Host: a', 'Accept: text/html'])
const query = '{"query":"{ __typename }"}'
const posted = (length: number, body: string) => {
  const headers = ['Connection: close', 'Content-Type: application/json', `Content-Length: ${length}`]
  return `${requestFor('/graphql', ['Host: a', ...headers], 'POST')}${body}`
}
const last = requestFor('/nowhere', ['Host: a', 'Connection: close'])

/** Sends all at once, reads little for a while, and then everything. */
async function sendThenRead(url: string, bytes: string, bytesPerSecond: number) {
  const socket = (await openSocket(url)).pause()
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
  received += await readAll(socket)
  return readAnswers(received).map(({ status }) => status)
}

test.for([
  ['headers that wait are in time', lookups + last, 0, [...Array(COUNT).fill(200), 404]],
  [
    'bodies that wait are in time',
    lookups + posted(60_000, query.padEnd(60_000)),
    0,
    Array(COUNT + 1).fill(200),
  ],
  // Here Node pauses the connection.
  [
    'headers that wait for Node are in time',
    explorer.repeat(1_200) + last,
    4_000_000,
    [...Array(1_200).fill(200), 404],
  ],
  ['headers that do not come are late', `${lookups}GET / HTTP/1.1\r\n`, 0, [...Array(COUNT).fill(200), 408]],
  ['bodies that do not come are late', lookups + posted(60_000, query), 0, [...Array(COUNT).fill(200), 408]],
] as const)('%s', async ([, bytes, pace, statuses], { withSettings }) => {
  const { url } = await withSettings(settings)
  expect(await sendThenRead(url, bytes, pace)).toEqual(statuses)
})
