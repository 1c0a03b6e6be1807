// What a connection does with bytes that arrive while a response is made or sent.

import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { Exchange } from '../../src/http/exchange.ts'
import { listen } from '../../src/http/server.ts'
import { openSocket, readAll, readAnswers, requestFor } from './raw.ts'

const timeouts = { request: 5_000, idle: 5_000 }

/** A server that refuses bytes with a 400, and makes no response by itself. */
async function startServer() {
  const exchanges: Exchange[] = []
  let refusals = 0
  const handlers = {
    handle: (exchange: Exchange) => void exchanges.push(exchange),
    handleUnreadable: (_: Error, socket: Socket) => {
      refusals++
      socket.write('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n')
    },
  }
  const listener = await listen(handlers, { port: 0, host: '127.0.0.1', timeouts })
  onTestFinished(() => listener.close(0))
  return { ...listener, exchanges, refusals: () => refusals }
}

test('a refusal does not come within a response', async () => {
  const { url, exchanges, refusals } = await startServer()
  const socket = await openSocket(url)
  socket.write(`${requestFor('/', ['Host: a', 'Transfer-Encoding: chunked'])}1\r\na\r\n`)
  await expect.poll(() => exchanges.length).toBe(1)
  const [exchange] = exchanges
  exchange?.request.resume()
  exchange?.response.writeHead(200, { 'Content-Length': 4 }).write('ab')
  socket.end('no chunk\r\n')
  await pause(20)
  exchange?.response.end('cd')
  await expect.poll(refusals).toBeGreaterThan(0)
  const [first, second] = readAnswers(await readAll(socket))
  expect([first?.body, second?.status]).toEqual(['abcd', 400])
})

test('requests of one packet are answered while the server closes', async () => {
  const { url, exchanges, close } = await startServer()
  const socket = await openSocket(url)
  socket.write(requestFor('/'))
  await expect.poll(() => exchanges.length).toBe(1)
  exchanges[0]?.response.end()
  const reading = readAll(socket)
  const closing = close()
  socket.write(requestFor('/').repeat(3))
  for (let at = 1; at < 4; at++) {
    await expect.poll(() => exchanges.length).toBe(at + 1)
    exchanges[at]?.response.end()
  }
  const answers = readAnswers(await reading)
  expect(answers.map(({ headers }) => headers.connection)).toEqual([...Array(3).fill('keep-alive'), 'close'])
  await closing
})

test('a client that closes its side and gets no response in time has left', async () => {
  const { url, exchanges } = await startServer()
  const socket = await openSocket(url)
  socket.end(requestFor('/'))
  expect(await readAll(socket)).toBe('')
  await expect.poll(() => exchanges[0]?.signal.aborted).toBe(true)
})
