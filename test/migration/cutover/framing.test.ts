// Where an answer ends, and the next one begins: of old services that are careless about it.

import { expect, test } from 'vitest'
import { requestFor } from '../../gateway/http/raw.ts'
import { bytesOf, closing, cutOver, listen } from './support.ts'

test('a body that the old service takes for a request gets no other client its answer', async () => {
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
  for (let times = 0; times < 20; times++) {
    const length = `Content-Length: ${smuggled.length}`
    const attack = bytesOf(url, requestFor('/?attack', [...closing, length]) + smuggled)
    const targets = Array.from({ length: 4 }, (_, at) => `/?client=${at}`)
    const bodies = targets.map(async (target) => (await bytesOf(url, requestFor(target, closing))).body)
    expect(await Promise.all(bodies)).toEqual(targets)
    await attack
  }
})
