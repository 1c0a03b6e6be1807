// A gateway beside an old service that answers as expensively as it can: its clients do not notice.

import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { hostileJson, hostileXml } from './hostile-answers.ts'

/** Milliseconds that a lookup may take: far more than it does, and far less than what is quadratic. */
const PATIENCE = 200
/** A busy machine may be slow once. */
const ATTEMPTS = 3

const SIZE = 250 * 1024
const head = 'HTTP/1.1 200 OK\r\nConnection: close\r\n'
const whole = (body = '') => `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

/** Bytes on the wire. */
const hostile: Readonly<Record<string, string>> = {
  'a long number': whole(hostileJson['zeros within a number']?.(SIZE)),
  'many numbers': whole(hostileJson['many numbers']?.(SIZE)),
  'many entries': whole(hostileJson['many entries']?.(SIZE)),
  'deep JSON': whole(hostileJson['nothing but depth']?.(SIZE)),
  'nested quotes in XML': whole(hostileXml['quotes within nested elements']?.(SIZE)),
  'many elements': whole(hostileXml['many elements']?.(SIZE)),
  'chunks of one byte': `${head}Transfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(SIZE)}0\r\n\r\n`,
  'informational responses': `${'HTTP/1.1 102 Processing\r\n\r\n'.repeat(100_000)}${whole('{}')}`,
  'another protocol': 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nx',
}

/** Answers every request with same bytes. @returns its address, and how often it was asked */
async function startHostile(bytes: string): Promise<{ readonly url: string; readonly asked: () => number }> {
  const answer = Buffer.from(bytes)
  let asked = 0
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      asked++
      socket.end(answer)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo // a TCP server's address is no string
  return { url: `http://127.0.0.1:${port}/`, asked: () => asked }
}

/** Milliseconds that the slowest of many lookups took, while they are compared. */
async function slowest({ url }: Gateway): Promise<number> {
  let most = 0
  for (let times = 0; times < 40; times++) {
    const started = performance.now()
    const format = times % 2 === 0 ? 'JSON' : 'XML'
    await (await fetch(`${url}/?Event=ProfileLookup&Users=${1 + (times % 9)}&Format=${format}`)).text()
    most = Math.max(most, performance.now() - started)
    await sleep(25)
  }
  return most
}

test.each(Object.entries(hostile))('%s', async (_, bytes) => {
  const old = await startHostile(bytes)
  const gateway = await startGateway({ SHADOW_URL: old.url, SHADOW_SAMPLE: '1' })
  onTestFinished(gateway.close)
  // What is loaded for the first lookup takes its time.
  await (await fetch(`${gateway.url}/?Event=ProfileLookup&Users=1`)).text()
  let best = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < ATTEMPTS && best > PATIENCE; attempt++)
    best = Math.min(best, await slowest(gateway))
  expect(best).toBeLessThan(PATIENCE)
  expect(old.asked()).toBeGreaterThan(1)
  await expect
    .poll(() => gateway.observations.some(({ type }) => type === 'shadow-compared'), { timeout: 10_000 })
    .toBe(true)
  expect(gateway.observations.filter(({ type }) => type === 'unexpected')).toEqual([])
})
