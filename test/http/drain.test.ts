// A closing server completes requests that have begun, lets idle connections carry one more request, and ends
// whatever clients do. The test sets the clock.

import { once } from 'node:events'
import { expect, vi } from 'vitest'
import { LINGER_MS } from '../../src/http/drain.ts'
import { listen } from '../../src/http/server.ts'
import { createClock } from '../kit/clock.ts'
import { test as base } from '../kit/test.ts'
import { type Conversation, requestFor, talking } from './raw.ts'

/** A server that responds when a request is complete and the test lets it; /large has 40 MB. */
const test = base.extend('draining', async ({ task: _ }) => {
  const clock = createClock()
  const work = Promise.withResolvers<void>()
  const handled: string[] = []
  // None of these ends a connection before the drain does.
  const timeouts = { request: 600_000, idle: 600_000 }
  const listener = await listen(
    {
      handle: async ({ request, response }) => {
        handled.push(request.url ?? '')
        // The stream of a request without a body does not end.
        if (request.headers['content-length'] !== undefined)
          await once(request.resume(), 'end').catch(() => {})
        await work.promise
        response.end(request.url === '/large' ? Buffer.alloc(40_000_000) : 'done')
      },
    },
    { port: 0, host: '127.0.0.1', timeouts, clock },
  )
  const url = listener.url.replace('localhost', '127.0.0.1')
  /** Begins to close, and waits until the server has stopped listening. */
  const close = async (linger?: number) => {
    const closed = listener.close(linger)
    await vi.waitFor(() => expect(clock.waiting()).toBe(1))
    return { closed }
  }
  return { url, clock, work, handled, listener, close }
})

const GET = requestFor('/')
const POST = requestFor('/', ['Host: a', 'Content-Length: 10'], 'POST')
const done = { status: 200, body: 'done', headers: { connection: 'close' } }

test.for([
  ['that was used', GET],
  ['that was opened in advance', ''],
] as const)(
  'a connection %s is used once more within a second, or closed',
  async ([, before], { draining }) => {
    const { url, clock, work, close } = draining
    work.resolve()
    const open = async ({ write, answer }: Conversation) => {
      write(before)
      if (before !== '') expect((await answer()).headers.connection).toBe('keep-alive')
    }
    await talking(url, async (used) => {
      await open(used)
      await talking(url, async (idle) => {
        await open(idle)
        const { closed } = await close()
        await clock.advance(LINGER_MS - 100)
        used.write(GET)
        expect(await used.answer()).toMatchObject(done)
        await used.ended(30_000)
        await clock.advance(200)
        await idle.ended(30_000)
        await closed
      })
    })
  },
)

test.for([
  ['half of the headers', 'GET / HTTP/1.1\r\nHost: a\r\n', 7_400],
  ['half of a body', `${POST}12345`, 7_400],
  ['half of a second request', `${GET}GET / HTT`, 7_400],
  ['a response that is not read', requestFor('/large'), 0],
] as const)(
  '%s keeps the server for 7.5 seconds at most',
  { timeout: 15_000 },
  ([, bytes, atLeast], { draining }) =>
    talking(draining.url, async ({ socket, write, ended }) => {
      socket.pause()
      draining.work.resolve()
      write(bytes)
      // After a response on another connection, these bytes have been read.
      await talking(draining.url, async (other) => {
        other.write(requestFor('/', ['Host: a', 'Connection: close']))
        await other.answer()
      })
      const { closed } = await draining.close()
      await draining.clock.advance(atLeast)
      expect(draining.clock.waiting()).toBe(1)
      await draining.clock.advance(7_600 - atLeast)
      await closed
      socket.resume()
      await ended(30_000)
    }),
)
