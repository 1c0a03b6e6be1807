// Requests nobody would send. SEED repeats a run.

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../support/gateway.ts'
import { malformed, wellFormed } from './generator.ts'
import { exchange, talking } from './raw.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)
const BATCH = 20

const stack = /\n\s+at |\\n\s+at |node_modules|node:internal|\.[jt]s:\d/

async function expectNoFault(request: string, talk: () => Promise<string>): Promise<void> {
  const started = performance.now()
  const received = await talk()
  const took = performance.now() - started
  for (const [, status] of received.matchAll(/HTTP\/1\.1 (\d{3})/g)) expect(Number(status)).toBeLessThan(500)
  expect(received, request).not.toMatch(stack)
  expect(took, request).toBeLessThan(1000)
}

test(`1,000 well-formed requests are answered (SEED=${seed})`, async () => {
  const property = fc.asyncProperty(
    fc.array(wellFormed, { minLength: BATCH, maxLength: BATCH }),
    async (requests) => {
      await Promise.all(
        requests.map((request) =>
          expectNoFault(request, async () => {
            const { status, headers, body } = await exchange(gateway.url, request, 1000)
            if (headers['content-type']?.includes('json') && body !== '') JSON.parse(body)
            return `HTTP/1.1 ${status}\r\n${JSON.stringify(headers)}\r\n${headers['content-encoding'] ? '' : body}`
          }),
        ),
      )
    },
  )
  await fc.assert(property, { numRuns: 1000 / BATCH, seed })
  expect(gateway.observations.filter(({ type }) => type === 'unexpected')).toEqual([])
}, 60_000)

test(`1,000 malformed requests are answered or cut (SEED=${seed})`, async () => {
  const property = fc.asyncProperty(
    fc.array(malformed, { minLength: BATCH, maxLength: BATCH }),
    async (requests) => {
      await Promise.all(requests.map((request) => expectNoFault(request, () => sendAndEnd(request))))
    },
  )
  await fc.assert(property, { numRuns: 1000 / BATCH, seed })
  expect(gateway.observations.filter(({ type }) => type === 'unexpected')).toEqual([])
}, 60_000)

/** Sends what may be half of a request, and ends our side. @returns all that came until the other side ended too */
function sendAndEnd(request: string): Promise<string> {
  return talking(gateway.url, async ({ socket, write, ended }) => {
    let received = ''
    socket.on('data', (text) => {
      received += text
    })
    write(request)
    // What is complete is answered meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 30))
    socket.end()
    await ended(1000)
    return received
  })
}
