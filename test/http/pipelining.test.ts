// A connection carries one request at a time: further requests wait, and get their responses in order.

import { describe, expect } from 'vitest'
import { test as base } from '../kit/test.ts'
import { exchange, openSocket, readAll, readAnswers, requestFor, startSlicing } from './raw.ts'

const test = base.extend('isSliced', false).extend('gateway', async ({ isSliced, withSettings }) => {
  const gateway = await withSettings()
  if (isSliced) await startSlicing(gateway.url)
  return gateway
})

const raw = Buffer.from('s\u00f8ren').toString('latin1')
const byName = `/?Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users=${raw}`

const lookup = (id: number) => requestFor(`/?Event=ProfileLookup&Users=${id}`, ['Host: a'])
const body = '{"query":"{ __typename }"}'
const post = (headers: readonly string[], text: string) =>
  `${requestFor('/graphql', ['Host: a', 'Content-Type: application/json', ...headers], 'POST')}${text}`
const last = requestFor('/nowhere', ['Host: a', 'Connection: close'])

describe.for([false, true])('sliced: %s', (isSliced) => {
  test.override('isSliced', isSliced)

  test('two thousand requests of one packet are answered in order', async ({ gateway: { url } }) => {
    const socket = await openSocket(url)
    const ids = Array.from({ length: 2_000 }, (_, at) => 1 + (at % 3))
    socket.write(ids.map(lookup).join('') + last)
    const answers = readAnswers(await readAll(socket))
    expect(answers.map(({ body }) => Number(/"Id":(\d+)/.exec(body)?.[1]))).toEqual([...ids, Number.NaN])
  })

  test('bodies of any framing, HEAD, 304 and Expect among them', async ({ gateway: { url } }) => {
    const socket = await openSocket(url)
    const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
    socket.write(
      [
        lookup(1),
        post([`Content-Length: ${body.length}`], body),
        requestFor('/?Event=ProfileLookup&Users=2', ['Host: a', 'If-None-Match: *']),
        post(['Transfer-Encoding: chunked'], chunked),
        // Its body is read and ignored.
        `${requestFor('/', ['Host: a', 'Content-Length: 4'], 'POST')}GET `,
        post([`Content-Length: ${body.length}`, 'Expect: 100-continue'], body),
        lookup(3),
        last,
      ].join(''),
    )
    const statuses = readAnswers(await readAll(socket)).map(({ status }) => status)
    expect(statuses).toEqual([200, 200, 304, 200, 405, 100, 200, 200, 404])
  })

  test.for([
    ['no request at all', 'x=1\r\n\r\n', 400],
    ['a target that cannot be read', requestFor('/\u00ff'), 400],
    ['headers that are too long', requestFor('/', ['Host: a', `X: ${'y'.repeat(270_000)}`]), 431],
  ] as const)(
    'behind requests, %s is refused after their responses',
    async ([, bytes, status], { gateway }) => {
      const socket = await openSocket(gateway.url)
      socket.write(lookup(1) + lookup(2) + bytes, 'latin1')
      const answers = readAnswers(await readAll(socket))
      expect(answers.map((answer) => answer.status)).toEqual([200, 200, status])
    },
  )

  test.for([1, 50])(
    'a client that closes its side after %i requests gets every response',
    async (count, { gateway }) => {
      const socket = await openSocket(gateway.url)
      // A new list each time: no cache has the response.
      socket.end(
        Array.from({ length: count }, (_, at) =>
          requestFor(`/?Event=ProfileLookup&Users=1:${9_000 + at}`),
        ).join(''),
      )
      expect(readAnswers(await readAll(socket)).map(({ status }) => status)).toEqual(Array(count).fill(200))
    },
  )

  test('a target with raw bytes behind a lookup and a refusal', async ({ gateway }) => {
    const socket = await openSocket(gateway.url)
    socket.write(lookup(1) + requestFor('/nowhere') + requestFor(byName), 'latin1')
    const answers = readAnswers(await readAll(socket))
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 200])
    expect(answers[2]?.body).toContain('"Id":2')
  })

  test('a tunnel is refused after the responses before it', async ({ gateway }) => {
    const socket = await openSocket(gateway.url)
    const graphql = requestFor('/graphql?query={__typename}')
    socket.write(lookup(1) + graphql + requestFor('a:1', ['Host: a'], 'CONNECT'))
    expect(readAnswers(await readAll(socket)).map(({ status }) => status)).toEqual([200, 200])
    expect(await exchange(gateway.url, lookup(1))).toMatchObject({ status: 200 })
  })

  test('a body that ends before its end is refused', async ({ gateway }) => {
    const socket = await openSocket(gateway.url)
    socket.end(post(['Content-Length: 100'], '{'))
    expect(readAnswers(await readAll(socket)).map(({ status }) => status)).toEqual([400])
    await expect.poll(gateway.inFlight).toBe(0)
  })
})
