// Clients that neither read what they are told nor close their side.

import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { startGateway } from '../../kit/gateway.ts'
import { requestFor } from './raw.ts'
import { testTogether } from './together.ts'

/** How a connection to this gateway ends that is left to itself for so long. */
async function leftAlone(settings: Record<string, string>, start: string, milliseconds: number) {
  const other = await startGateway(settings)
  const socket = connect({ port: Number(new URL(other.url).port), host: '127.0.0.1', allowHalfOpen: true })
  const ended = new Promise<string>((resolve) => {
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    socket.on('end', () => resolve('ended'))
  })
  socket.pause().write(start)
  await pause(milliseconds)
  return { socket, ended, close: () => other.close() }
}

testTogether({
  'a client that does not close its side either is cut': async () => {
    const { socket, ended, close } = await leftAlone({ HEADERS_TIMEOUT: '1000' }, 'GET / HTT', 3000)
    // No client is there any more to take it: the answer to the first one fails the second.
    socket.write('P')
    await pause(200)
    socket.write('/')
    expect(await Promise.race([ended, pause(2000)])).toMatch(/ECONNRESET|EPIPE/)
    await close()
  },

  'a client that reads nothing of its answers is cut': async () => {
    // 40 times the 2.4 MB of GraphiQL are more than any buffer takes.
    const all = requestFor('/graphql', ['Host: a', 'Accept: text/html']).repeat(40)
    const { socket, ended, close } = await leftAlone({ IDLE_TIMEOUT: '1000' }, all, 4500)
    let received = 0
    socket.on('data', (data) => {
      received += data.length
    })
    socket.resume()
    // What is in the buffers is all that comes.
    expect(await Promise.race([ended, pause(3000)])).toMatch(/ended|ECONNRESET/)
    expect(received).toBeLessThan(40 * 2e6)
    socket.destroy()
    await close()
  },
})
