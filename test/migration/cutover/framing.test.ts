// Where a response ends, and the next one begins, for old services that are careless about it.

import { expect, test } from 'vitest'
import { requestFor } from '../../http/raw.ts'
import { bytesOf, closing, cutOver, listen, ofType, startRaw } from './support.ts'

test('a body that the old service takes for a request gives no client a wrong response', async () => {
  // It keeps connections, and knows no bodies.
  const old = await listen((socket) => {
    let received = ''
    socket.on('error', () => {})
    socket.setEncoding('latin1').on('data', (data) => {
      received += data
      for (let end = received.indexOf('\r\n\r\n'); end !== -1; end = received.indexOf('\r\n\r\n')) {
        const target = received.split(' ', 2)[1] ?? ''
        received = received.slice(end + 4)
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${target.length}\r\n\r\n${target}`)
      }
    })
  })
  const { url } = await cutOver(old)
  const smuggled = requestFor('/?smuggled', ['Host: gateway'])
  for (let times = 0; times < 10; times++) {
    const length = `Content-Length: ${smuggled.length}`
    const attack = bytesOf(url, requestFor('/?attack', [...closing, length]) + smuggled)
    const targets = Array.from({ length: 4 }, (_, at) => `/?client=${at}`)
    const bodies = targets.map(async (target) => (await bytesOf(url, requestFor(target, closing))).body)
    expect(await Promise.all(bodies)).toEqual(targets)
    await attack
  }
})

test.for([
  ['a length that is too short', 'GET', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}}', '{}'],
  ['a body after HEAD', 'HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}', ''],
  ['a body after 204', 'GET', 'HTTP/1.1 204 No Content\r\n\r\n{}', ''],
  ['a second response', 'GET', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1 404 No\r\n\r\n', '{}'],
] as const)('%s: clients get the response up to its end', async ([, method, answer, body]) => {
  const old = await startRaw(answer)
  const gateway = await cutOver(old.url)
  const passed = await bytesOf(gateway.url, requestFor('/?Event=AppLookup', closing, method))
  expect(passed.head[0]).toBe(answer.slice(0, answer.indexOf('\r\n')))
  expect(passed.body).toBe(body)
  expect(old.requests).toHaveLength(1)
  expect(ofType(gateway, 'cutover-failed')).toEqual([])
})

test('a response with a transfer coding is not passed on as another body', async () => {
  const old = await startRaw('HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n')
  const gateway = await cutOver(old.url)
  const { head } = await bytesOf(gateway.url, requestFor('/?Event=AppLookup', closing))
  expect(head[0]).toBe('HTTP/1.1 503 Service Unavailable')
})
