// Slow clients are disconnected; no other client notices.

import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { type Conversation, exchange, requestFor, talking } from './raw.ts'
import { testTogether } from './together.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const LOOKUP = requestFor('/?Event=ProfileLookup&Users=1')
const POST =
  'POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n'

/** Sends, and again now and then. @returns milliseconds until the connection was cut */
function untilCut(start: string, drip = '', within = 9000): Promise<number> {
  return talking(gateway.url, async ({ write, ended }: Conversation) => {
    write(start)
    const dripping = setInterval(() => write(drip), 200)
    return ended(within).finally(() => clearInterval(dripping))
  })
}

// The limit is 5 s, looked at four times a second; the rest is for slow machines.
async function expectCutAfterFive(start: string, drip = ''): Promise<void> {
  const after = await untilCut(start, drip)
  expect(after).toBeGreaterThan(4000)
  expect(after).toBeLessThan(7500)
}

testTogether({
  'a silent client: after about 5 s': () => expectCutAfterFive(''),
  'half of a request line: after about 5 s': () => expectCutAfterFive('GET /?Ev'),
  'headers that never end: after about 5 s': () => expectCutAfterFive('GET / HTTP/1.1\r\nHost: a\r\n'),
  'headers in drips: after about 5 s': () => expectCutAfterFive('GET / HTTP/1.1\r\nHost: a\r\n', 'X: y\r\n'),

  'the second request of a connection, in drips: after about 5 s': () =>
    talking(gateway.url, async ({ write, answer, ended }) => {
      write(LOOKUP)
      expect((await answer()).status).toBe(200)
      write('GET / HTTP/1.1\r\n')
      expect(await ended(9000)).toBeLessThan(7500)
    }),

  'a body in drips: after about 10 s': async () => {
    expect(await untilCut(POST, ' ', 14_000)).toBeLessThan(12_500)
  },

  'a thousand silent clients: after about 5 s': async () => {
    const cuts = await Promise.all(Array.from({ length: 1000 }, () => untilCut('')))
    expect(Math.max(...cuts)).toBeLessThan(7500)
  },

  'others are served meanwhile': async () => {
    // Connecting a thousand clients keeps this very process busy.
    await pause(1500)
    for (let count = 0; count < 20; count++) {
      const started = performance.now()
      expect((await exchange(gateway.url, LOOKUP)).status).toBe(200)
      expect(performance.now() - started).toBeLessThan(1000)
      await pause(250)
    }
  },
})
