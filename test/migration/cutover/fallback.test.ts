// What one side cannot answer, the other one does.

import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startAnswering } from '../../kit/answering.ts'
import { type Gateway, startGatewayOver } from '../../kit/gateway.ts'
import { cutOver, startOld, startRaw } from './support.ts'

const on = { CUTOVER_FALLBACK: 'on', CUTOVER_GUARD: 'off' }
const lookup = '/?Event=AppLookup&Apps=1'
const answeredBy = ({ observations }: Gateway | Omit<Gateway, 'database'>) =>
  observations.flatMap((one) => (one.type === 'cutover-answered' ? [`${one.side} ${one.answeredBy}`] : []))

describe('an old service that fails', () => {
  test.for([
    ['429', 429, {}],
    ['500', 500, {}],
    ['503', 503, {}],
    ['200 with a Retry-After', 200, { 'Retry-After': '5' }],
  ] as const)('%s: the gateway answers', async ([, status, headers]) => {
    const old = await startAnswering((_, response) => void response.writeHead(status, headers).end('old'))
    onTestFinished(old.close)
    const gateway = await cutOver(old.url, on)
    const response = await fetch(gateway.url + lookup)
    expect([response.status, await response.text()]).toEqual([200, expect.stringMatching(/^\{"1":/)])
    expect(answeredBy(gateway)).toEqual(['old new'])
    const head = await fetch(gateway.url + lookup, { method: 'HEAD' })
    expect(head.status).toBe(200)
    // What may have been done must not be done twice.
    const post = await fetch(gateway.url + lookup, { method: 'POST', body: 'x' })
    expect([post.status, await post.text()]).toEqual([status, 'old'])
    expect(answeredBy(gateway)).toEqual(['old new', 'old new', 'old none'])
  })

  test('without fallback, its answer is handed back, or 503 is where there is none', async () => {
    const old = await startAnswering(({ url }, response) => {
      if (url?.includes('cut')) response.socket?.destroy()
      else response.writeHead(502).end('old')
    })
    onTestFinished(old.close)
    const gateway = await cutOver(old.url)
    const failed = await fetch(gateway.url + lookup)
    expect([failed.status, await failed.text()]).toEqual([502, 'old'])
    expect((await fetch(`${gateway.url}/?cut`)).status).toBe(503)
    expect(answeredBy(gateway)).toEqual(['old none', 'old none'])
  })

  test('with nothing at all behind its headers, which may be where it died, the gateway answers', async () => {
    const empty = async (head: string, settings = {}) => {
      const gateway = await cutOver((await startRaw(`HTTP/1.1 ${head}\r\n\r\n`)).url, settings)
      return (await fetch(gateway.url + lookup)).text()
    }
    expect(await empty('200 OK', on)).toMatch(/^\{"1":/)
    expect(await empty('200 OK')).toBe('')
    // These end where they say.
    expect(await empty('200 OK\r\nContent-Length: 0', on)).toBe('')
    expect(await empty('200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0', on)).toBe('')
    expect(await empty('404 Not Found', on)).toBe('')
  })

  test('a refusal is an answer', async () => {
    const old = await startAnswering((_, response) => void response.writeHead(404).end('old'))
    onTestFinished(old.close)
    const gateway = await cutOver(old.url, on)
    expect(await (await fetch(gateway.url + lookup)).text()).toBe('old')
  })

  test('both: its own answer is handed back', async () => {
    const old = await startAnswering((_, response) => void response.writeHead(500).end('old'))
    const away = await startAnswering((_, response) => response.writeHead(500).end())
    onTestFinished(old.close)
    onTestFinished(away.close)
    const gateway = await startGatewayOver({ DATABASE_URL: away.url, CUTOVER_URL: old.url, ...on })
    onTestFinished(gateway.close)
    expect(await (await fetch(gateway.url + lookup)).text()).toBe('old')
    expect(answeredBy(gateway)).toEqual(['old none'])
  })
})

test('the old service answers what the new store cannot', async () => {
  const old = await startOld()
  const away = await startAnswering((_, response) => response.writeHead(500).end())
  onTestFinished(away.close)
  const settings = { DATABASE_URL: away.url, CUTOVER_URL: old.url, CUTOVER_SHARE: '1', CUTOVER_GUARD: 'off' }
  const without = await startGatewayOver(settings)
  onTestFinished(without.close)
  expect((await fetch(without.url + lookup)).status).toBe(503)
  const gateway = await startGatewayOver({ ...settings, ...on })
  onTestFinished(gateway.close)
  expect(await (await fetch(gateway.url + lookup)).text()).toBe('old')
  expect(answeredBy(gateway)).toEqual(['new old'])
  // A client's mistake is no failure of a side.
  expect((await fetch(`${gateway.url}/?Event=Nothing`)).status).toBe(400)
  expect(old.asked).toEqual([lookup])
})

test('one that says nothing keeps the first requests waiting, and no later one', async () => {
  let isSilent = false
  const old = await startAnswering((_, response) => void (isSilent || response.end('old')))
  onTestFinished(old.close)
  const gateway = await cutOver(old.url, { ...on, CUTOVER_TIMEOUT: '500' })
  const ask = async () => {
    const began = performance.now()
    const body = await (await fetch(gateway.url + lookup)).text()
    return { body: body === 'old' ? 'old' : 'new', took: performance.now() - began }
  }
  expect((await ask()).body).toBe('old')
  isSilent = true
  const first = await Promise.all(Array.from({ length: 10 }, ask))
  expect(first.every(({ body, took }) => body === 'new' && took > 400)).toBe(true)
  const later = await Promise.all(Array.from({ length: 10 }, ask))
  expect(later.every(({ body, took }) => body === 'new' && took < 400)).toBe(true)
  expect(gateway.observations.filter(({ type }) => type === 'cutover-old-out')).toEqual([
    { type: 'cutover-old-out', reason: 'it took longer than 500 ms' },
  ])
  isSilent = false
  await expect.poll(async () => (await ask()).body).toBe('old')
  expect(gateway.observations.filter(({ type }) => type === 'cutover-old-back')).toHaveLength(1)
})

test('one request that always fails does not make the service look down', async () => {
  const old = await startAnswering(({ url }, response) => {
    if (url?.includes('crash')) response.socket?.destroy()
    else response.end('old')
  })
  onTestFinished(old.close)
  const gateway = await cutOver(old.url)
  for (let times = 0; times < 10; times++) {
    expect((await fetch(`${gateway.url}/?crash`)).status).toBe(503)
    expect(await (await fetch(gateway.url + lookup)).text()).toBe('old')
  }
  expect(gateway.observations.filter(({ type }) => type === 'cutover-old-out')).toEqual([])
})

test('requests that fail many at a time do not, either: what it has answered before is asked first', async () => {
  const old = await startAnswering(({ url }, response) => {
    if (url?.includes('crash')) response.socket?.destroy()
    else response.end('old')
  })
  onTestFinished(old.close)
  const gateway = await cutOver(old.url)
  const ask = (target: string) => fetch(gateway.url + target)
  expect(await (await ask(lookup)).text()).toBe('old')
  for (let times = 0; times < 10; times++) {
    await Promise.all(Array.from({ length: 8 }, () => ask('/?crash')))
    expect(await (await ask(lookup)).text()).toBe('old')
  }
  expect(gateway.observations.filter(({ type }) => type === 'cutover-old-out')).toEqual([])
})

test('no more requests at a time than CUTOVER_CONNECTIONS, and none waits long for its turn', async () => {
  let busy = 0
  let most = 0
  const old = await startAnswering((_, response) => {
    most = Math.max(most, ++busy)
    setTimeout(() => response.end('old', () => busy--), 400)
  })
  onTestFinished(old.close)
  const gateway = await cutOver(old.url, { ...on, CUTOVER_CONNECTIONS: '2' })
  const bodies = await Promise.all(
    Array.from({ length: 12 }, async () => (await fetch(gateway.url + lookup)).text()),
  )
  expect(most).toBe(2)
  expect(bodies.filter((body) => body === 'old')).toHaveLength(2)
  expect(bodies.filter((body) => body.startsWith('{"1":'))).toHaveLength(10)
})

test('a kept connection that the old service closes under a request fails none', async () => {
  const server = createServer((_, response) => void response.end('old'))
  server.keepAliveTimeout = 1
  // Node adds a second.
  Object.assign(server, { keepAliveTimeoutBuffer: 0 })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const gateway = await cutOver(`http://127.0.0.1:${port}/`)
  for (let times = 0; times < 60; times++) {
    expect(await (await fetch(gateway.url + lookup)).text()).toBe('old')
    await sleep(times % 6)
  }
})
