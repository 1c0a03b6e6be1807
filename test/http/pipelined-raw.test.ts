// Old clients send usernames as raw UTF-8, which Node's parser refuses. The gateway reads such a request from
// its packets, and never from the bytes of the request before.

import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { test } from '../kit/test.ts'
import { exchange, openSocket, readAll, readAnswers, requestFor, talking } from './raw.ts'

const raw = Buffer.from('s\u00f8ren').toString('latin1')
const byName = `/?Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users=${raw}`
const found = { status: 200, body: expect.stringContaining('"Id":2') }

/**
 * Sends a text cut at these places. The pause makes each piece a packet; without one the test still passes.
 */
const inPackets = (url: string, text: string, ...places: readonly number[]) =>
  talking(url, async ({ write, answer }) => {
    for (const [at, end] of [...places, text.length].entries()) {
      write(text.slice(places[at - 1] ?? 0, end))
      await pause(5)
    }
    return answer()
  })

test('it is a request like any other: its id, tag, method and host', async ({ gateway }) => {
  const ask = (headers: readonly string[], method = 'GET') =>
    exchange(gateway.url, requestFor(byName, headers, method))
  const full = await ask(['Host: a', 'X-Request-Id: mine'])
  expect(full).toMatchObject({
    ...found,
    headers: { 'x-request-id': 'mine', connection: 'close', etag: expect.stringMatching(/^"\S+"$/) },
  })
  const length = String(full.body.length)
  expect(await ask(['Host: a'], 'HEAD')).toMatchObject({ headers: { 'content-length': length }, body: '' })
  expect(await ask(['Host: a', `If-None-Match: ${full.headers.etag}`])).toMatchObject({ status: 304 })
  for (const headers of [['X: y'], ['Host: a', 'Host: a'], ['Host: a b']])
    expect(await ask(headers)).toMatchObject({ status: 400, body: expect.stringContaining('MalformedHost') })
})

// Node's parser gets a body and the following head in one packet.
const body = '{"query":"{__typename}"}'
const headers = ['Host: a', 'Content-Type: application/json', `Content-Length: ${body.length}`]
test.for([
  ['a body', `${requestFor('/graphql', headers, 'POST')}${body}${requestFor(byName)}`],
  [
    'a lookup, if it is for another path',
    requestFor('/?Event=ProfileLookup&Users=1') + requestFor(`/${raw}`),
  ],
] as const)('behind %s, it is refused', async ([, text], { gateway }) => {
  const socket = await openSocket(gateway.url)
  socket.write(text, 'latin1')
  expect(readAnswers(await readAll(socket)).map(({ status }) => status)).toEqual([200, 400])
})

test('a packet that begins within the name is refused in words', async ({ gateway }) => {
  // The parser has read the bytes before the first raw byte, and they are lost.
  const request = requestFor(byName)
  const { body } = await inPackets(gateway.url, request, request.indexOf(raw) + 1)
  expect(body).toContain('MalformedQuery')
})

test('from its first raw byte on, it may come in any packets', async ({ gateway }) => {
  const request = requestFor(`${byName}:${raw.repeat(500)}`, ['Host: a', 'X-Request-Id: mine', 'X: y'])
  const first = request.indexOf(raw) + raw.length
  const ends = [first, first + 1, request.indexOf(' HTTP') + 3, request.length - 30, request.length - 2]
  const blankLine = [4, 3, 2, 1].map((left) => request.length - left)
  for (const places of [...ends.map((end) => [end]), ends, blankLine])
    expect(await inPackets(gateway.url, request, ...places)).toMatchObject({
      ...found,
      headers: { 'x-request-id': 'mine' },
    })
})

test.for([
  ['Content-Length: 0', 200],
  ['Content-Length: 12', 200],
  ['Content-Length: abc', 400],
  ['Content-Length: -1', 400],
  ['Content-Length: 1e3', 400],
  ['Content-Length: 1, 1', 400],
  ['X: a\0b', 400],
  ['X: a\x01b', 400],
  ['X: a\x7fb', 400],
  ['X: a\nTransfer-Encoding: chunked', 400],
  ['X: a\rb', 400],
] as const)('%j is %i', async ([header, status], { gateway }) => {
  expect(await exchange(gateway.url, requestFor(byName, ['Host: a', header]))).toMatchObject({ status })
})

test('headers that never end are given up', async ({ gateway, withSettings }) => {
  const start = requestFor(byName).slice(0, -2)
  const impatient = await withSettings({ REQUEST_TIMEOUT: '1000' })
  expect(await inPackets(impatient.url, `${start}X: y\r\n`, start.length)).toMatchObject({ status: 408 })
  const long = `${start}X: ${'y'.repeat(300_000)}`
  expect(await inPackets(gateway.url, long, start.length)).toMatchObject({ status: 431 })
})
