// The memory of responses that clients do not read is bounded; a client that reads later gets everything.

import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import type { Gateway } from '../kit/gateway.ts'
import { test } from '../kit/test.ts'
import { exchange, manySpellings, openSocket, requestFor } from './raw.ts'

/** 3 KB of request and of response. The server expects a far larger response, so few run at a time. */
const many = (id: number) => `/?Event=ProfileLookup&Users=${id}:${'0'.repeat(3_000)}${id}`
const pipeline = (count: number) =>
  Array.from({ length: count }, (_, at) => requestFor(many(1 + (at % 9)), ['Host: a'])).join('')
const countOf = ({ observations }: Pick<Gateway, 'observations'>, type: string) =>
  observations.filter((one) => one.type === type).length

test('requests wait until their client has read earlier responses', async ({ gateway }) => {
  const socket = (await openSocket(gateway.url)).pause()
  // Larger than the buffers of the system.
  socket.write(requestFor(manySpellings).repeat(1_000))
  await pause(3_000)
  const answered = countOf(gateway, 'request')
  expect(answered).toBeGreaterThan(0)
  expect(answered).toBeLessThan(1_000)
})

test('connections that have ended are no slow clients', { timeout: 30_000 }, async ({ gateway }) => {
  for (let round = 0; round < 20; round++) {
    const sockets = await Promise.all(Array.from({ length: 20 }, () => openSocket(gateway.url)))
    for (const socket of sockets) socket.write(pipeline(20))
    await pause(round)
    for (const socket of sockets) socket.resetAndDestroy()
  }
  await pause(7_000)
  expect(countOf(gateway, 'slow-clients-cut')).toBe(0)
})

test('a client that reads nothing is disconnected and counted', { timeout: 40_000 }, async ({ gateway }) => {
  const socket = (await openSocket(gateway.url)).pause()
  const some = requestFor('/?Event=ProfileLookup&Users=1:2:3:4:5:6:7:8').repeat(300)
  // Until it is more than the sockets of both sides take.
  const sending = setInterval(() => socket.writableNeedDrain || socket.write(some), 20)
  onTestFinished(() => clearInterval(sending))
  await expect.poll(() => countOf(gateway, 'slow-clients-cut'), { timeout: 30_000 }).toBe(1)
  expect(await exchange(gateway.url, requestFor('/?Event=ProfileLookup&Users=1'))).toMatchObject({
    status: 200,
  })
})
