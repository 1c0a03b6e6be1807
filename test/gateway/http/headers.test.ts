// How large headers may be, and what those that ask for something else than HTTP/1.1 come to.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { exchange, requestFor, talking } from './raw.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const LOOKUP = '/?Event=ProfileLookup&Users=1'
const raw = Buffer.from('é').toString('latin1')

describe.each([
  ['a lookup', LOOKUP, 200],
  [
    'a lookup with raw bytes',
    `/?Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users=${raw}`,
    200,
  ],
  ['GraphQL', '/graphql?query={__typename}', 200],
])('headers of %s', (_what, target, status) => {
  test.each([
    ['31 KiB', [`X: ${'x'.repeat(31 * 1024)}`], status],
    [
      '31 KiB, in hundreds of lines',
      Array.from({ length: 300 }, (_, at) => `X-${at}: ${'x'.repeat(98)}`),
      status,
    ],
    ['33 KiB', [`X: ${'x'.repeat(33 * 1024)}`], 431],
    [
      '33 KiB, in hundreds of lines',
      Array.from({ length: 300 }, (_, at) => `X-${at}: ${'x'.repeat(108)}`),
      431,
    ],
  ])('of %s', async (_size, headers, expected) => {
    expect((await exchange(gateway.url, requestFor(target, ['Host: a', ...headers]))).status).toBe(expected)
  })
})

test('a body is not waited for where the headers are too large', () =>
  talking(gateway.url, async ({ write, answer, ended }) => {
    const headers = [
      'Host: a',
      `X: ${'x'.repeat(40_000)}`,
      'Content-Type: application/json',
      'Content-Length: 10',
    ]
    write(`${requestFor('/graphql', headers, 'POST')}{`)
    const { status, headers: told } = await answer()
    expect([status, told.connection]).toEqual([431, 'close'])
    await ended(2_000)
  }))

test('after a request to speak another protocol, the connection is closed', () =>
  talking(gateway.url, async ({ write, answer, ended }) => {
    write(requestFor(LOOKUP, ['Host: a', 'Connection: Upgrade', 'Upgrade: websocket']))
    const { status, headers } = await answer()
    expect([status, headers.connection]).toEqual([200, 'close'])
    await ended(2_000)
  }))

test('an expectation that is not known is ignored', () =>
  talking(gateway.url, async ({ write, answer }) => {
    for (let time = 0; time < 2; time++) {
      write(requestFor(LOOKUP, ['Host: a', 'Expect: the-unexpected']))
      expect((await answer()).status).toBe(200)
    }
  }))

test('only the end of a list of tags is passed over', async () => {
  const { headers } = await exchange(gateway.url, requestFor(LOOKUP))
  const ask = (tags: string) =>
    exchange(gateway.url, requestFor(LOOKUP, ['Host: a', `If-None-Match: ${tags}`]))
  expect((await ask(`"a", W/${headers.etag}, ${'"x", '.repeat(2_000)}"y"`)).status).toBe(304)
  expect((await ask(`${'"x", '.repeat(2_000)}${headers.etag}`)).status).toBe(200)
})
