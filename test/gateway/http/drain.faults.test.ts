// Closing: what was begun is finished, what is idle is used once more or let go, and no client can keep
// the server from ending.

import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { LINGER_MS } from '../../../src/gateway/http/drain.ts'
import { listen } from '../../../src/gateway/http/server.ts'
import { startGateway } from '../../kit/gateway.ts'
import { type Conversation, requestFor, talking } from './raw.ts'
import { testTogether } from './together.ts'

const LOOKUP = requestFor('/?Event=ProfileLookup&Users=1')
const QUERY = '{"query":"{ __typename }"}'
const POST = `POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${QUERY.length}\r\n\r\n`

/** Milliseconds that a promise takes. */
async function timed(work: Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work
  return performance.now() - started
}

/** Talks to a gateway of its own, which `close` closes; closes it anyway at the end. */
async function withGateway(talk: (talk: Conversation, close: () => Promise<number>) => Promise<void>) {
  const gateway = await startGateway()
  let closing: Promise<number> | null = null
  const close = () => (closing ??= timed(gateway.stop()))
  await talking(gateway.url, (conversation) => talk(conversation, close)).finally(close)
}

/** The server ends in time, whatever this client has left undone. */
const expectEnd = (start: string) => () =>
  withGateway(async ({ write, ended }, close) => {
    write(start)
    await pause(200)
    const closing = close()
    await ended(10_000)
    expect(await closing).toBeLessThan(10_000)
  })

/** A request that takes a second, begun before the server closes. */
async function duringSlowRequest(
  look: (conversation: Conversation, closing: Promise<number>) => Promise<void>,
) {
  const work = async () => pause(1000)
  const listener = await listen(
    { handle: (_request, response) => void work().then(() => response.end('done')) },
    { port: 0, host: '127.0.0.1', timeouts: readConfig({}).timeouts },
  )
  await talking(listener.url.replace('localhost', '127.0.0.1'), async (conversation) => {
    conversation.write(requestFor('/'))
    await pause(200)
    await look(conversation, timed(listener.close()))
  })
}

testTogether({
  'a request that is half sent is answered': () =>
    withGateway(async ({ write, answer }, close) => {
      write(POST + QUERY.slice(0, 10))
      await pause(200)
      const closing = close()
      await pause(200)
      write(QUERY.slice(10))
      const { status, body } = await answer()
      expect({ status, body }).toEqual({ status: 200, body: '{"data":{"__typename":"Query"}}' })
      expect(await closing).toBeLessThan(2000)
    }),
  'a request that is half sent is told that the connection closes': () =>
    withGateway(async ({ write, answer }, close) => {
      write(POST + QUERY.slice(0, 10))
      await pause(200)
      void close()
      await pause(200)
      write(QUERY.slice(10))
      expect((await answer()).headers.connection).toBe('close')
    }),
  'a request at work is answered, and nothing waits for more': () =>
    duringSlowRequest(async ({ answer, ended }, closing) => {
      expect((await answer()).body).toBe('done')
      await ended(2500)
      expect(await closing).toBeLessThan(2500)
    }),
  'a request at work is told that the connection closes': () =>
    duringSlowRequest(async ({ answer }) => {
      expect((await answer()).headers.connection).toBe('close')
    }),
  'requests piled up behind one at work are not lost unseen': () =>
    duringSlowRequest(async ({ write, answer, ended }) => {
      write(requestFor('/second'))
      // Either it is answered too, or the first answer says that nothing else will be.
      const first = await answer()
      if (first.headers.connection !== 'close') expect((await answer()).body).toBe('done')
      await ended(2500)
    }),

  'an idle connection is used once more, and told that it closes': () =>
    withGateway(async ({ write, answer, ended }, close) => {
      write(LOOKUP)
      expect((await answer()).headers.connection).toBe('keep-alive')
      const closing = close()
      await pause(LINGER_MS / 2)
      write(LOOKUP)
      const { status, headers } = await answer()
      expect({ status, connection: headers.connection }).toEqual({ status: 200, connection: 'close' })
      await ended(2000)
      // No other connection is there: it does not wait for the end of the time.
      expect(await closing).toBeLessThan(LINGER_MS + 500)
    }),
  'a connection opened in advance is used once, and told that it closes': () =>
    withGateway(async ({ write, answer }, close) => {
      await pause(200)
      void close()
      await pause(LINGER_MS / 2)
      write(LOOKUP)
      const { status, headers } = await answer()
      expect({ status, connection: headers.connection }).toEqual({ status: 200, connection: 'close' })
    }),
  'idle connections that stay idle are let go soon': () =>
    withGateway(async ({ write, answer }, close) => {
      write(LOOKUP)
      await answer()
      expect(await close()).toBeLessThan(LINGER_MS + 1500)
    }),
  'without a connection, it ends at once': async () => {
    const { timeouts } = readConfig({})
    const listener = await listen({ handle: () => {} }, { port: 0, host: '127.0.0.1', timeouts })
    expect(await timed(listener.close(60_000))).toBeLessThan(5000)
  },

  'a connection never used is let go as soon': () =>
    withGateway(async (_conversation, close) => {
      await pause(200)
      expect(await close()).toBeLessThan(LINGER_MS + 1500)
    }),
  'half of the headers do not keep it from ending': expectEnd('GET / HTTP/1.1\r\nHost: a\r\n'),
  'half of a body does not keep it from ending': expectEnd(POST + QUERY.slice(0, 10)),
  'half of a second request does not keep it from ending': expectEnd(`${LOOKUP}GET / HTT`),
  'a client that reads nothing does not keep it from ending': () =>
    withGateway(async ({ socket, write }, close) => {
      socket.pause()
      // 40 times the 2.4 MB of GraphiQL are more than any buffer takes.
      write(requestFor('/graphql', ['Host: a', 'Accept: text/html']).repeat(40))
      await pause(1000)
      expect(await close()).toBeLessThan(10_000)
    }),

  'connections that wait to be taken are answered': async () => {
    const gateway = await startGateway()
    const port = Number(new URL(gateway.url).port)
    // The system makes them, while this process has yet to look.
    const sockets = Array.from({ length: 20 }, () => connect({ port, host: '127.0.0.1' }))
    const answers = sockets.map((socket) => {
      socket.end(LOOKUP)
      return text(socket).catch(String)
    })
    const stopped = new Promise((resolve) => process.nextTick(() => resolve(gateway.stop())))
    for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    await stopped
  },

  'new connections are refused': async () => {
    const gateway = await startGateway()
    await gateway.close()
    const outcome = new Promise((resolve) => {
      connect({ port: Number(new URL(gateway.url).port), host: '127.0.0.1' })
        .on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
        .on('connect', () => resolve('connected'))
    })
    expect(await outcome).toBe('ECONNREFUSED')
  },
})
