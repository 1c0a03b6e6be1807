// Bodies that no route takes: passed over where they are short, and never read to an end that does not
// come.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { inChunks } from './framing.ts'
import { requestFor, talking } from './raw.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const LOOKUP = requestFor('/?Event=ProfileLookup&Users=1')
const chunked = (count: number, chunk: string) =>
  `Transfer-Encoding: chunked\r\n\r\n${inChunks(chunk.repeat(count), Array(count).fill(chunk.length))}`
const ofLength = (length: number) => `Content-Length: ${length}\r\n\r\n${'x'.repeat(length)}`
const requests = [
  ['GET', '/?Event=ProfileLookup&Users=1', 200],
  ['POST', '/?Event=ProfileLookup&Users=1', 405],
  ['POST', '/nowhere', 404],
  ['DELETE', '/explain?Event=ProfileLookup&Users=1', 405],
] as const

describe.each(requests)('%s %s', (method, target, status) => {
  const head = `${method} ${target} HTTP/1.1\r\nHost: a\r\n`

  test.each([
    ['no byte', ofLength(0)],
    ['64 KiB', ofLength(64 * 1024)],
    ['64 KiB in chunks', chunked(64, 'x'.repeat(1024))],
    ['1,024 chunks', chunked(1_024, 'x')],
  ])('with a body of %s: the connection goes on', (_what, body) =>
    talking(gateway.url, async ({ write, answer }) => {
      write(head + body)
      expect((await answer()).status).toBe(status)
      write(LOOKUP)
      expect((await answer()).status).toBe(200)
    }),
  )

  test.each([
    ['1,025 chunks', chunked(1_025, 'x')],
    ['64 KiB and a byte in chunks', chunked(65, 'x'.repeat(1024))],
    ['64 KiB and a byte', ofLength(64 * 1024 + 1)],
    ['100 GiB', `Content-Length: 107374182400\r\n\r\n${'x'.repeat(70_000)}`],
  ])('with a body of %s: it is answered, and the connection is closed', (_what, body) =>
    talking(gateway.url, async ({ write, answer, ended }) => {
      write(head + body)
      expect((await answer()).status).toBe(status)
      await ended(2_000)
    }),
  )
})

test('responses to requests before it are sent first', () =>
  talking(gateway.url, async ({ write, answer, ended }) => {
    write(`${LOOKUP.repeat(20)}POST /nowhere HTTP/1.1\r\nHost: a\r\n${chunked(2_000, 'x')}`)
    for (let count = 0; count < 20; count++) expect((await answer()).status).toBe(200)
    expect((await answer()).status).toBe(404)
    await ended(2_000)
  }))
