// The contract's row "request target longer than 64 KiB": 414, however long it is.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { ask, contentTypes, type FormatName } from './support/ask.ts'
import { refusalIn, usersIn } from './support/reply.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const LIMIT = 65_536

/** A target of this many bytes; empty segments, which are dropped, fill it. */
function targetOf(bytes: number, format: FormatName): string {
  const start = `/?Format=${format}&Event=ProfileLookup&Users=1`
  return start.padEnd(bytes, ':')
}

test.each(['JSON', 'XML'] as const)('65,536 bytes are answered in %s', async (format) => {
  const reply = await ask(gateway.url, targetOf(LIMIT, format))
  expect(reply.status).toBe(200)
  expect(usersIn(reply, format)).toEqual(['1 → 1'])
})

// Up to 256 KiB the router refuses; beyond, Node's parser gives up before there is a request, and the format
// asked for can no longer be told.
const READABLE = 262_000
const tooLong = [LIMIT + 1, 90_000, 98_304, 100_000, 120_000, 131_072, 200_000, 1_000_000, 10_000_000]
describe.each(tooLong)('%i bytes', (bytes) => {
  test('are refused with 414', async () => {
    const reply = await ask(gateway.url, targetOf(bytes, 'JSON'))
    expect(reply.status).toBe(414)
    const message = expect.stringContaining('65536')
    expect(refusalIn(reply, 'JSON')).toEqual({ code: 'TooLongTarget', message })
  })

  test('get the headers of every legacy error', async () => {
    const { headers, body } = await ask(gateway.url, targetOf(bytes, 'JSON'))
    expect(headers).toMatchObject({
      'content-length': String(body.length),
      'content-type': contentTypes.JSON,
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    })
  })

  const format = bytes <= READABLE ? 'XML' : 'JSON'
  test(`are refused in ${format} where XML is asked for`, async () => {
    const reply = await ask(gateway.url, targetOf(bytes, 'XML'))
    expect(refusalIn(reply, format).code).toBe('TooLongTarget')
    expect(reply.headers['content-type']).toBe(contentTypes[format])
  })
})

test('the gateway goes on answering', async () => {
  await Promise.all([1, 2, 3].map(() => ask(gateway.url, targetOf(1_000_000, 'JSON')).catch(() => null)))
  expect((await ask(gateway.url, targetOf(100, 'JSON'))).status).toBe(200)
})
