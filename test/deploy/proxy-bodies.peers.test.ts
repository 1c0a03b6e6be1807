// Bodies that the proxy has no room for: it refuses them before it stores anything.

import { once } from 'node:events'
import { describe, expect, onTestFinished, test } from 'vitest'
import { exchange, type RawAnswer, requestFor, talking } from '../gateway/http/raw.ts'
import { ask } from '../gateway/legacy/support/ask.ts'
import { startGateway } from '../kit/gateway.ts'
import { hasProgram } from '../kit/programs.ts'
import { type RunningProxy, startProxy } from './nginx.ts'

const MAX = 128 * 1024
const GIB_100 = 100 * 1024 ** 3
const lookup = '/?Event=ProfileLookup&Users=1'
const text = (limit: number) => `The request body is too large: more than ${limit} bytes.`
const legacyRefusal = JSON.stringify({ Error: { Code: 'TooLargeBody', Message: text(MAX) } })
const graphqlRefusal = (limit: number) =>
  JSON.stringify({ errors: [{ message: text(limit), extensions: { code: 'TOO_LARGE_BODY' } }] })

async function start(): Promise<RunningProxy> {
  const gateway = await startGateway()
  onTestFinished(gateway.close)
  return startProxy([gateway.url])
}

/** Sends a request and then pieces of its body, some megabytes of them. */
function flood(url: string, request: string, piece: string): Promise<RawAnswer> {
  return talking(url, async ({ socket, write, answer }) => {
    const answered = answer()
    write(request)
    for (let sent = 0; sent < 8 * 1024 ** 2 && !socket.destroyed; sent += piece.length) {
      write(piece)
      if (socket.writableNeedDrain) await Promise.race([once(socket, 'drain'), once(socket, 'close')])
    }
    return answered
  })
}

describe.skipIf(!hasProgram('nginx'))('a body', { timeout: 60_000 }, () => {
  test('above MAX_BODY gets to the gateway, above 128 KiB does not, and both are refused alike', async () => {
    const { url } = await start()
    const post = (length: number, target = '/graphql') =>
      ask(url, target, {
        method: 'POST',
        body: Buffer.alloc(length, ' '),
        headers: { 'content-type': 'application/json' },
      })
    const ours = await post(MAX)
    expect(ours).toMatchObject({ status: 413, body: graphqlRefusal(65_536) })
    const theirs = await post(MAX + 1)
    expect(theirs).toMatchObject({ status: 413, body: graphqlRefusal(MAX) })
    for (const name of [
      'content-type',
      'cache-control',
      'access-control-allow-origin',
      'x-content-type-options',
    ])
      expect(theirs.headers[name], name).toBe(ours.headers[name])
    expect(await post(MAX + 1, lookup)).toMatchObject({ status: 413, body: legacyRefusal })
  })

  test.for(['GET', 'POST'])('of 100 GiB, announced by %s, is refused and not stored', async (method) => {
    const { url, filled } = await start()
    const headers = ['Host: gateway', `Content-Length: ${GIB_100}`]
    const send = (target: string) => flood(url, requestFor(target, headers, method), 'x'.repeat(65_536))
    expect(await send(lookup)).toMatchObject({ status: 413, body: legacyRefusal })
    expect(await send('/graphql')).toMatchObject({ status: 413, body: graphqlRefusal(MAX) })
    expect(filled()).toEqual([])
  })

  test.for(['GET', 'POST'])(
    'without end, in chunks, sent by %s, is refused and not stored',
    async (method) => {
      const { url, filled } = await start()
      const headers = ['Host: gateway', 'Transfer-Encoding: chunked']
      const chunk = `1000\r\n${'x'.repeat(4096)}\r\n`
      const answer = await flood(url, requestFor(lookup, headers, method), chunk)
      expect(answer).toMatchObject({ status: 413, body: legacyRefusal })
      expect(filled()).toEqual([])
    },
  )

  test('that fits, in chunks of one byte each, is answered', async () => {
    const { url, filled } = await start()
    const body = `${JSON.stringify({ query: '{ users(values: ["1"]) { username } }' })}${' '.repeat(60_000)}`
    const headers = ['Host: gateway', 'Content-Type: application/json', 'Transfer-Encoding: chunked']
    const chunks = [...body].map((character) => `1\r\n${character}\r\n`).join('')
    const answer = await exchange(url, `${requestFor('/graphql', headers, 'POST')}${chunks}0\r\n\r\n`)
    expect(answer).toMatchObject({ status: 200, body: '{"data":{"users":[{"username":"Ada"}]}}' })
    // Its framing does not fit in memory: a file is made. It tells that one would be noticed in the tests
    // above.
    expect(filled()).toEqual(['body'])
  })
})

test.skipIf(!hasProgram('nginx'))('a slow client is disconnected', { timeout: 60_000 }, async () => {
  const { url } = await start()
  const head = `POST /graphql HTTP/1.1\r\nHost: gateway\r\nContent-Type: application/json\r\n`
  const drip = (first: string, then: string) =>
    talking(url, async ({ write, ended }) => {
      write(first)
      const dripping = setInterval(write, 500, then)
      await ended(30_000).finally(() => clearInterval(dripping))
    })
  // Headers without end, and a body that stops.
  await Promise.all([drip(head, 'X-Slow: 1\r\n'), drip(`${head}Content-Length: 100\r\n\r\n{`, '')])
})
