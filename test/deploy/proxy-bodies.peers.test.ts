// nginx, configured by deploy/nginx.conf, refuses request bodies that are too large.

import { once } from 'node:events'
import { describe, expect } from 'vitest'
import { type RawAnswer, requestFor, talking } from '../http/raw.ts'
import { ask } from '../legacy/support/ask.ts'
import { test } from './nginx.ts'

const MAX = 128 * 1024
const GIB_100 = 100 * 1024 ** 3
const lookup = '/?Event=ProfileLookup&Users=1'
const message = (limit: number) => `The request body is too large: more than ${limit} bytes.`
const legacyRefusal = JSON.stringify({ Error: { Code: 'TooLargeBody', Message: message(MAX) } })
const graphqlRefusal = (limit: number) =>
  JSON.stringify({ errors: [{ message: message(limit), extensions: { code: 'TOO_LARGE_BODY' } }] })

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

describe('nginx', { timeout: 60_000 }, () => {
  test('refuses a body above 128 KiB as the gateway refuses one above MAX_BODY', async ({ proxy }) => {
    const headers = { 'content-type': 'application/json' }
    const post = (length: number, target = '/graphql') =>
      ask(proxy.url, target, { method: 'POST', body: Buffer.alloc(length, ' '), headers })
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

  test.for(['GET', 'POST'])('refuses 100 GiB, or chunks without end, by %s', async (method, { proxy }) => {
    const sized = requestFor(lookup, ['Host: gateway', `Content-Length: ${GIB_100}`], method)
    const graphql = requestFor('/graphql', ['Host: gateway', `Content-Length: ${GIB_100}`], method)
    const chunked = requestFor(lookup, ['Host: gateway', 'Transfer-Encoding: chunked'], method)
    const piece = 'x'.repeat(65_536)
    expect(await flood(proxy.url, sized, piece)).toMatchObject({ status: 413, body: legacyRefusal })
    expect(await flood(proxy.url, graphql, piece)).toMatchObject({ status: 413, body: graphqlRefusal(MAX) })
    const chunk = `1000\r\n${'x'.repeat(4096)}\r\n`
    expect(await flood(proxy.url, chunked, chunk)).toMatchObject({ status: 413, body: legacyRefusal })
  })

  test('disconnects a client with headers without end, or a body that stops', async ({ proxy }) => {
    const head = 'POST /graphql HTTP/1.1\r\nHost: gateway\r\nContent-Type: application/json\r\n'
    const drip = (first: string, then: string) =>
      talking(proxy.url, async ({ write, ended }) => {
        write(first)
        const dripping = setInterval(write, 500, then)
        await ended(30_000).finally(() => clearInterval(dripping))
      })
    await Promise.all([drip(head, 'X-Slow: 1\r\n'), drip(`${head}Content-Length: 100\r\n\r\n{`, '')])
  })
})
