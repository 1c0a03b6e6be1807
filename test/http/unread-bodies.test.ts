// Sizes of targets, headers, and bodies that no route takes. docs/promises.md has the limits.

import { expect } from 'vitest'
import { expectNoSecrets } from '../kit/secrets.ts'
import { test } from '../kit/test.ts'
import { exchange, inChunks, requestFor, talking } from './raw.ts'

const KIB = 1024
const lookup = requestFor('/?Event=ProfileLookup&Users=1')
const chunked = (count: number, chunk: string) =>
  `Transfer-Encoding: chunked\r\n\r\n${inChunks(chunk.repeat(count), Array(count).fill(chunk.length))}`
const ofLength = (length: number) => `Content-Length: ${length}\r\n\r\n${'x'.repeat(length)}`
const bodies = [
  ['no byte', ofLength(0), 'goes on'],
  ['64 KiB', ofLength(64 * KIB), 'goes on'],
  ['64 KiB in chunks', chunked(64, 'x'.repeat(KIB)), 'goes on'],
  ['1,024 chunks', chunked(1024, 'x'), 'goes on'],
  ['1,025 chunks', chunked(1025, 'x'), 'is closed'],
  ['64 KiB and more in chunks', chunked(65, 'x'.repeat(KIB)), 'is closed'],
  ['64 KiB and a byte', ofLength(64 * KIB + 1), 'is closed'],
  ['100 GiB', `Content-Length: 107374182400\r\n\r\n${'x'.repeat(70_000)}`, 'is closed'],
] as const

test.for([
  ['GET', '/?Event=ProfileLookup&Users=1', 200],
  ['POST', '/?Event=ProfileLookup&Users=1', 405],
  ['POST', '/nowhere', 404],
  ['DELETE', '/explain?Event=ProfileLookup&Users=1', 405],
] as const)('a body of %s %s is passed over, and a long one is not read', async (row, { gateway }) => {
  const [method, target, status] = row
  for (const [what, body, outcome] of bodies)
    await talking(gateway.url, async ({ write, answer, ended }) => {
      // The body is sent after the response, so that the gateway has to discard it.
      const headers = body.indexOf('\r\n\r\n') + 4
      write(`${method} ${target} HTTP/1.1\r\nHost: a\r\n${body.slice(0, headers)}`)
      expect((await answer()).status, what).toBe(status)
      write(body.slice(headers))
      if (outcome === 'is closed') await ended(30_000)
      else {
        write(lookup)
        expect((await answer()).status, what).toBe(200)
      }
    })
})

test('responses to earlier requests are sent before the connection is closed', ({ gateway }) =>
  talking(gateway.url, async ({ write, answer, ended }) => {
    write(`${lookup.repeat(20)}POST /nowhere HTTP/1.1\r\nHost: a\r\n${chunked(20_000, 'x')}`)
    for (let count = 0; count < 20; count++) expect((await answer()).status).toBe(200)
    expect((await answer()).status).toBe(404)
    await ended(30_000)
  }))

const lines = (count: number, length: number) =>
  Array.from({ length: count }, (_, at) => `X-${at}: ${'x'.repeat(length)}`)
const byName = `/?Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users=${'\xc3\xa9'}`
test.for([
  ['31 KiB', lines(1, 31 * KIB), 200],
  ['31 KiB in 300 lines', lines(300, 98), 200],
  ['33 KiB', lines(1, 33 * KIB), 431],
  ['33 KiB in 300 lines', lines(300, 108), 431],
] as const)('headers of %s', async ([, headers, status], { gateway }) => {
  for (const target of ['/?Event=ProfileLookup&Users=1', byName, '/graphql?query={__typename}']) {
    const response = await exchange(gateway.url, requestFor(target, ['Host: a', ...headers]))
    expect(response.status, target).toBe(status)
    expectNoSecrets(response.body, target)
  }
})

test.for([
  [64 * KIB, 400, 'MalformedIdentifier'],
  [64 * KIB + 1, 414, 'TooLongTarget'],
  [120 * KIB, 414, 'TooLongTarget'],
  [300 * KIB, 414, 'TooLongTarget'],
  [1024 * KIB, 414, 'TooLongTarget'],
] as const)('a target of %i bytes is %i %s', async ([bytes, status, code], { gateway }) => {
  const target = `/?Event=ProfileLookup&Users=${'1'.repeat(bytes - 28)}`
  expect(await exchange(gateway.url, requestFor(target))).toMatchObject({
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: expect.stringContaining(`"Code":"${code}"`),
  })
})
