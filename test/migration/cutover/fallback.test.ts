// If one side cannot respond, the other one does.

import { describe, expect, onTestFinished, test } from 'vitest'
import { type Gateway, startGatewayOver } from '../../kit/gateway.ts'
import {
  answering,
  bodyOf,
  cutOver,
  listen,
  lookup,
  ofType,
  startFailing,
  startOld,
  startRaw,
} from './support.ts'

const on = { CUTOVER_FALLBACK: 'on', CUTOVER_GUARD: 'off' }
const sides = (gateway: Pick<Gateway, 'observations'>) =>
  ofType(gateway, 'cutover-answered').map((one) => `${one.side} ${one.answeredBy}`)
const isNew = (body: string) => body.startsWith('{"1":')

async function gatewayOver(settings: Readonly<Record<string, string>>) {
  const gateway = await startGatewayOver(settings)
  onTestFinished(gateway.close)
  return gateway
}

describe('the old service fails', () => {
  test.for([
    ['500', 500, {}],
    ['200 and a Retry-After', 200, { 'Retry-After': '5' }],
  ] as const)('with %s: the gateway responds', async ([, status, headers]) => {
    const old = await answering((_, response) => void response.writeHead(status, headers).end('old'))
    const gateway = await cutOver(old.url, on)
    const response = await fetch(gateway.url + lookup)
    expect([response.status, isNew(await response.text())]).toEqual([200, true])
    expect((await fetch(gateway.url + lookup, { method: 'HEAD' })).status).toBe(200)
    // A POST that the old service may have executed is not executed twice.
    const post = await fetch(gateway.url + lookup, { method: 'POST', body: 'x' })
    expect([post.status, await post.text()]).toEqual([status, 'old'])
    expect(sides(gateway)).toEqual(['old new', 'old new', 'old none'])
  })

  test('without a fallback: the client gets its response, or 503', async () => {
    const old = await answering(({ url }, response) => {
      if (url?.includes('cut')) response.socket?.destroy()
      else response.writeHead(502).end('old')
    })
    const gateway = await cutOver(old.url)
    const failed = await fetch(gateway.url + lookup)
    expect([failed.status, await failed.text()]).toEqual([502, 'old'])
    expect((await fetch(`${gateway.url}/?cut`)).status).toBe(503)
    expect(sides(gateway)).toEqual(['old none', 'old none'])
  })

  test.for([
    // The service may have died after its headers.
    ['200 OK', on, true],
    ['200 OK', {}, false],
    ['200 OK\r\nContent-Length: 0', on, false],
    ['200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0', on, false],
    ['404 Not Found', on, false],
  ] as const)(
    'with no body after %j and %j: the gateway responds: %s',
    async ([head, settings, expected]) => {
      const gateway = await cutOver((await startRaw(`HTTP/1.1 ${head}\r\n\r\n`)).url, settings)
      expect(isNew(await bodyOf(gateway.url + lookup))).toBe(expected)
    },
  )

  test.for(['', '{"1":{"Id":1'])('dying after %j, without a length: the client gets 503', async (begin) => {
    let connections = 0
    const old = await listen((socket) => {
      socket.on('error', () => {})
      if (++connections > 1) socket.destroy()
      else socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\n\r\n${begin}`))
    })
    const gateway = await cutOver(old)
    expect((await fetch(gateway.url + lookup)).status).toBe(503)
    expect(connections).toBe(2)
  })

  test('with an unfinished body without a length, twice: the client gets the second one', async () => {
    const old = await startRaw('HTTP/1.1 200 OK\r\n\r\n{"1":{"Id":1')
    const gateway = await cutOver(old.url, on)
    expect(await bodyOf(gateway.url + lookup)).toBe('{"1":{"Id":1')
    expect(old.requests).toHaveLength(2)
    await fetch(gateway.url + lookup, { method: 'POST', body: 'x' })
    expect(old.requests).toHaveLength(3)
  })

  test('and so does the store: the client gets the response of the old service', async () => {
    const old = await answering((_, response) => void response.writeHead(500).end('old'))
    const away = await startFailing()
    const gateway = await gatewayOver({ DATABASE_URL: away.url, CUTOVER_URL: old.url, ...on })
    expect(await bodyOf(gateway.url + lookup)).toBe('old')
    expect(sides(gateway)).toEqual(['old none'])
  })
})

test('the store fails: the old service responds', async () => {
  const [old, away] = [await startOld(), await startFailing()]
  const settings = { DATABASE_URL: away.url, CUTOVER_URL: old.url, CUTOVER_SHARE: '1', CUTOVER_GUARD: 'off' }
  expect((await fetch((await gatewayOver(settings)).url + lookup)).status).toBe(503)
  const gateway = await gatewayOver({ ...settings, ...on })
  expect(await bodyOf(gateway.url + lookup)).toBe('old')
  expect(sides(gateway)).toEqual(['new old'])
  // A mistake of a client is no failure of a side.
  expect((await fetch(`${gateway.url}/?Event=Nothing`)).status).toBe(400)
  expect(old.asked).toEqual([lookup])
})

test('a silent old service delays the first requests, and no later ones', async () => {
  const silent = new Set<() => void>()
  const old = await answering((request, response) => {
    const end = () => void response.end('old')
    if (request.url?.includes('Apps=2') || silent.size > 0) silent.add(end)
    else end()
  })
  const gateway = await cutOver(old.url, { ...on, CUTOVER_TIMEOUT: '300' })
  const other = '/?Event=AppLookup&Apps=2'
  const askTen = () => Promise.all(Array.from({ length: 10 }, () => bodyOf(gateway.url + other)))
  const sent = () => old.asked.filter((target) => target === other).length
  expect(await bodyOf(gateway.url + lookup)).toBe('old')
  expect((await askTen()).filter((body) => body === 'old')).toEqual([])
  await expect
    .poll(() => ofType(gateway, 'cutover-old-out'))
    .toEqual([{ type: 'cutover-old-out', reason: 'it took longer than 300 ms' }])
  const before = sent()
  expect((await askTen()).filter((body) => body === 'old')).toEqual([])
  // The old service did not get them.
  expect(sent()).toBe(before)
  for (const end of silent) end()
  silent.clear()
  await expect.poll(() => bodyOf(gateway.url + lookup)).toBe('old')
  expect(ofType(gateway, 'cutover-old-back')).toHaveLength(1)
})

test('requests that always fail do not mark the old service as down', async () => {
  const old = await answering(({ url }, response) => {
    if (url?.includes('crash')) response.socket?.destroy()
    else response.end('old')
  })
  const gateway = await cutOver(old.url)
  for (let round = 0; round < 10; round++) {
    expect(await bodyOf(gateway.url + lookup)).toBe('old')
    const crashes = Array.from({ length: 8 }, async () => (await fetch(`${gateway.url}/?crash`)).status)
    expect(new Set(await Promise.all(crashes))).toEqual(new Set([503]))
  }
  expect(ofType(gateway, 'cutover-old-out')).toEqual([])
})

test('no more requests at a time than CUTOVER_CONNECTIONS; the gateway responds to the others', async () => {
  const waiting: (() => void)[] = []
  const old = await answering((_, response) => void waiting.push(() => response.end('old')))
  const gateway = await cutOver(old.url, { ...on, CUTOVER_CONNECTIONS: '2' })
  const bodies: string[] = []
  const asking = Array.from({ length: 8 }, () =>
    bodyOf(gateway.url + lookup).then((body) => void bodies.push(body)),
  )
  await expect.poll(() => bodies.filter(isNew)).toHaveLength(6)
  expect(waiting).toHaveLength(2)
  for (const end of waiting) end()
  await Promise.all(asking)
  expect(bodies.slice(6)).toEqual(['old', 'old'])
})
