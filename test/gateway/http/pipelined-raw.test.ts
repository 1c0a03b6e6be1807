// A request line with raw UTF-8 is read from the packets it came in, and never from the request before it.

import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { exchange, requestFor, talking } from './raw.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const raw = Buffer.from('søren').toString('latin1')
const byName = `/?Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users=${raw}`

test('alone, it is answered with an ETag', async () => {
  const { status, body, headers } = await exchange(gateway.url, requestFor(byName))
  expect({ status, body }).toEqual({ status: 200, body: expect.stringContaining('"Id":2') })
  expect(headers.etag).toMatch(/^"\S+"$/)
})

// The refusal overtakes the answer before it and closes the connection: no client pipelines these any more.
test.each([byName, `/${raw}`])('behind another request, it is refused: %j', (target) =>
  talking(gateway.url, async ({ write, answer }) => {
    write(requestFor('/?Event=ProfileLookup&Users=1') + requestFor(target))
    const { status, body } = await answer()
    expect(status).toBe(400)
    expect(body).not.toContain('Ada')
  }),
)

/** Sends bytes in several packets. */
const inPackets = (url: string, packets: readonly string[]) =>
  talking(url, async ({ write, answer }) => {
    for (const packet of packets) {
      write(packet)
      await pause(30)
    }
    return answer()
  })
const cut = (text: string, ...places: readonly number[]) =>
  [...places, text.length].map((end, index) => text.slice(places[index - 1] ?? 0, end))

// What came before the first raw byte has been read, and is gone.
test('where the packet begins in the middle of its name, it is refused in words', async () => {
  const request = requestFor(byName)
  const { body } = await inPackets(gateway.url, cut(request, request.indexOf(raw) + 1))
  expect(body).toContain('MalformedQuery')
})

test('from its first raw byte on, it may come in any packets', async () => {
  const request = requestFor(`${byName}:${raw.repeat(500)}`, ['Host: a', 'X-Request-Id: mine', 'X: y'])
  const first = request.indexOf(raw) + raw.length
  const ends = [first, first + 1, request.indexOf(' HTTP') + 3, request.length - 30, request.length - 2]
  for (const places of [...ends.map((end) => [end]), ends]) {
    const { status, body, headers } = await inPackets(gateway.url, cut(request, ...places))
    expect({ status, body }).toEqual({ status: 200, body: expect.stringContaining('"Id":2') })
    expect(headers['x-request-id']).toBe('mine')
  }
})

test('the client is the one that a trusted proxy names, however long the target is', async () => {
  const limited = await startGateway({ RATE_LIMIT: '2', TRUSTED_PROXIES: 'loopback' })
  const statusFor = async (client: string) => {
    const headers = ['Host: a', `X-Padding: ${'x'.repeat(9000)}`, `X-Forwarded-For: ${client}`]
    const request = requestFor(`${byName}:${raw.repeat(7_000)}`, headers)
    return (await inPackets(limited.url, cut(request, 2_000, 40_000))).status
  }
  const statuses = [await statusFor('192.0.2.1'), await statusFor('192.0.2.1'), await statusFor('192.0.2.2')]
  expect(statuses).toEqual([200, 429, 200])
  await limited.close()
})

test('a Content-Length that is no number is refused', async () => {
  const statuses = ['0', '12', 'abc', '-1', '1e3', '1, 1'].map(async (length) => {
    const { status } = await exchange(
      gateway.url,
      requestFor(byName, ['Host: a', `Content-Length: ${length}`]),
    )
    return status
  })
  expect(await Promise.all(statuses)).toEqual([200, 200, 400, 400, 400, 400])
})

test('headers that never end are given up', async () => {
  const impatient = await startGateway({ HEADERS_TIMEOUT: '1000' })
  const start = requestFor(byName).slice(0, -2)
  const { status } = await inPackets(impatient.url, [start, 'X: y\r\n'])
  expect(status).toBe(408)
  const many = await inPackets(gateway.url, [start, `X: ${'y'.repeat(300_000)}`])
  expect(many.status).toBe(431)
  await impatient.close()
})

test('it is a request like any other: its id, its tag, its method, its host', async () => {
  const ask = (headers: readonly string[], method = 'GET', target = byName) =>
    exchange(gateway.url, requestFor(target, headers, method))
  const full = await ask(['Host: a', 'X-Request-Id: mine'])
  expect(full.headers['x-request-id']).toBe('mine')
  expect(full.headers.connection).toBe('close')
  const head = await ask(['Host: a'], 'HEAD')
  expect(head).toMatchObject({ status: 200, body: '' })
  expect(head.headers['content-length']).toBe(String(full.body.length))
  expect((await ask(['Host: a', `If-None-Match: ${full.headers.etag}`])).status).toBe(304)
  for (const headers of [['X: y'], ['Host: a', 'Host: a'], ['Host: a b']]) {
    const refused = await ask(headers)
    expect(refused).toMatchObject({ status: 400, body: expect.stringContaining('MalformedHost') })
  }
})

test.each(['a\0b', 'a\x01b', 'a\x7fb', 'a\nTransfer-Encoding: chunked', 'a\rb'])(
  'a header with a control character is refused, as in any other: %j',
  async (value) => {
    for (const target of [byName, '/?Event=AppLookup&Apps=1']) {
      const { status } = await exchange(gateway.url, requestFor(target, ['Host: a', `X: ${value}`]))
      expect([target, status]).toEqual([target, 400])
    }
  },
)

test('it counts like any other', async () => {
  const limited = await startGateway({ RATE_LIMIT: '2' })
  const statuses: number[] = []
  for (let turn = 0; turn < 3; turn++) statuses.push((await exchange(limited.url, requestFor(byName))).status)
  await limited.close()
  expect(statuses).toEqual([200, 200, 429])
  const observed = limited.observations.filter(({ type }) => type === 'request')
  expect(observed).toHaveLength(3)
})
