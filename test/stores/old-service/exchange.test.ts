// Connections to an old service that are reset, before and after the service has read a request.

import { createServer, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sleep } from '../../../src/clock.ts'
import { createCall } from '../../../src/stores/old-service/call.ts'
import { startAnswering } from '../../kit/answering.ts'
import { createClock } from '../../kit/clock.ts'
import { listenOn } from '../../kit/proxy.ts'

/** A service that sends the first response of a connection, and then does something else. */
async function startResetting(afterwards: (socket: Socket, request: number) => void) {
  let requests = 0
  const server = createServer((socket) => {
    let isFirst = true
    socket.on('error', () => {})
    socket.on('data', () => {
      requests++
      if (isFirst && requests !== 3) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
      else afterwards(socket, requests)
      isFirst = false
    })
  })
  onTestFinished(() => void server.close())
  const clock = createClock()
  const service = { url: `http://127.0.0.1:${await listenOn(server)}/`, headers: {} }
  const call = createCall(service, { timeout: 1_000, connections: 1 }, clock)
  await call('first')
  return {
    call,
    clock,
    requests: () => requests,
    until: (count: number) => expect.poll(() => requests).toBe(count),
  }
}

describe('a kept connection that is reset', () => {
  test('at once was closed before the request came, which is sent again', async () => {
    const { call, requests, clock } = await startResetting((socket, request) => {
      if (request === 2) socket.resetAndDestroy()
      else socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n')
    })
    expect(await call('second')).toMatchObject({ status: 404 })
    expect(requests()).toBe(3)
    await expect.poll(clock.waiting).toBe(0)
  })

  test('at 900 ms has lost a request that the service has read, which is not sent again', async () => {
    const { call, clock, requests, until } = await startResetting((socket) => {
      clock.advance(900).then(() => socket.resetAndDestroy())
    })
    await expect(call('second')).rejects.toMatchObject({ kind: 'broken' })
    expect(clock.now()).toBe(900)
    await until(2)
    expect(requests()).toBe(2)
  })

  test('leaves the second request the time that the first has not used', async () => {
    const { call, clock, until } = await startResetting((socket, request) => {
      if (request === 2) clock.advance(200).then(() => socket.resetAndDestroy())
    })
    const late = expect(call('second')).rejects.toMatchObject({ kind: 'timeout' })
    await until(3)
    await clock.advance(800)
    await late
    expect(clock.now()).toBe(1_000)
  })
})

test('time in which this process is stopped does not count as a timeout of the service', async () => {
  const old = await startAnswering((_, response) => {
    sleep(600)
    response.end('old')
  })
  onTestFinished(old.close)
  const call = createCall({ url: old.url, headers: {} }, { timeout: 500, connections: 1 })
  expect(await call('')).toMatchObject({ status: 200 })
})
