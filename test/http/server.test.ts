// HTTP itself: 100 Continue, requests that cannot be read, and other protocols.

import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'vitest'
import { expectNoSecrets } from '../kit/secrets.ts'
import { test } from '../kit/test.ts'
import { openSocket, readAll, readAnswers, requestFor, talking } from './raw.ts'

const lookup = (id: number) => `/?Event=ProfileLookup&Users=${id}`
const CLOSE = ['Host: a', 'Connection: close']
const EXPECT = ['Host: a', 'Expect: 100-continue']
const expecting = requestFor('/nowhere', [...EXPECT, 'Content-Length: 2'], 'POST')
const last = requestFor('/nowhere', CLOSE)

/** Sends bytes that end with a request that closes the connection. @returns all responses */
async function send(url: string, bytes: string) {
  const socket = await openSocket(url)
  socket.write(bytes, 'latin1')
  return readAnswers(await readAll(socket))
}

// Found by fuzzing: Node sent the 100 between the headers and the body of a response that had to wait.
const large = requestFor(`/?Event=ProfileLookup&Users=${'1:'.repeat(3_000)}2`)
const page = requestFor('/', [...EXPECT, 'Accept: text/html', 'Connection: close'])
test.for([
  [
    'another request',
    `${requestFor(lookup(1))}${expecting}{}${expecting}{}${last}`,
    [200, 100, 404, 100, 404, 404],
  ],
  ['large requests', `${expecting}{}${large.repeat(3)}${last}`, [100, 404, 200, 200, 200, 404]],
  ['a page', requestFor(lookup(1)) + page, [200, 100, 200]],
  [
    '2,000 others',
    `${requestFor('/nowhere', EXPECT).repeat(2_000)}${last}`,
    [...Array(2_000).fill([100, 404]).flat(), 404],
  ],
] as const)('100 Continue comes in its turn: %s', async ([, bytes, statuses], { gateway }) => {
  expect((await send(gateway.url, bytes)).map(({ status }) => status)).toEqual(statuses)
})

const post = (...headers: string[]) => requestFor('/graphql', ['Host: a', ...headers], 'POST')
const CHUNKED = 'Transfer-Encoding: chunked'
test.for([
  ['text', 'hello\r\n\r\n'],
  ['a blank request line', ' \r\n\r\n'],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['an unknown method', requestFor('/', ['Host: a'], 'LOOK')],
  ['a method in lower case', requestFor('/', ['Host: a'], 'get')],
  ['an unknown version', 'GET / HTTP/9.9\r\nHost: a\r\n\r\n'],
  ['a blank in the target', requestFor('/?Users=a b')],
  ['NUL in the target', requestFor('/\0')],
  ['NUL in a header', requestFor('/', ['Host: a\0b'])],
  ['a header without a colon', requestFor('/', ['Host: a', 'nonsense'])],
  ['a header without a name', requestFor('/', ['Host: a', ': b'])],
  ['a blank before the colon', `${requestFor('/', ['Host: a', 'Content-Length : 1'])}x`],
  ['a length that is no number', post('Content-Length: x')],
  ['a negative length', post('Content-Length: -1')],
  ['two lengths', `${post('Content-Length: 1', 'Content-Length: 2')}x`],
  ['a length and chunks', `${post('Content-Length: 1', CHUNKED)}0\r\n\r\n`],
  ['invalid chunks', `${post('Content-Type: application/json', CHUNKED)}xyz\r\n`],
])('%s is 400, and the connection is closed', ([, request = ''], { gateway }) =>
  talking(gateway.url, async ({ write, answer, ended }) => {
    write(request)
    const { status, headers, body } = await answer()
    expect([status, headers.connection]).toEqual([400, 'close'])
    expectNoSecrets(body, request)
    await ended(30_000)
  }),
)

test('an upgrade to another protocol is ignored, and the connection is closed', async ({ gateway }) => {
  const upgrade = requestFor(lookup(1), ['Host: a', 'Connection: Upgrade', 'Upgrade: websocket'])
  expect(await send(gateway.url, upgrade)).toMatchObject([{ status: 200, headers: { connection: 'close' } }])
})

test('an unknown expectation is ignored', async ({ gateway }) => {
  const request = requestFor(lookup(1), ['Host: a', 'Expect: the-unexpected'])
  expect(await send(gateway.url, request + last)).toMatchObject([{ status: 200 }, { status: 404 }])
})

test('of the requests in a packet, few are answered before other connections are read', async ({
  withSettings,
}) => {
  const { url, observations } = await withSettings({})
  const socket = await openSocket(url)
  // Each of them is refused at once, so only slicing makes them wait.
  socket.write('GET / HTTP/1.1\r\n\r\n'.repeat(2_000))
  socket.resume()
  let most = 0
  while (observations.length < 2_000) {
    const before = observations.length
    await turn()
    most = Math.max(most, observations.length - before)
  }
  expect(most).toBeLessThan(10)
})
