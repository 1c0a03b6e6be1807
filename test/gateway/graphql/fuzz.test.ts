// GraphQL requests that no client would send, to a gateway on a socket. SEED repeats a run.

import fc from 'fast-check'
import type { GraphQLFormattedError } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { figure, note } from '../../kit/figures.ts'
import { type GatewayProcess, startGatewayProcess } from '../../kit/gateway-process.ts'
import { seedOf } from '../../kit/generate.ts'
import { inParallel } from '../../kit/in-parallel.ts'
import { createPatience, type Patience } from '../../kit/patience.ts'
import { expectNoSecrets } from '../../kit/secrets.ts'
import { ask, type Reply } from '../legacy/support/ask.ts'
import { anyMessage, type Message } from './bodies.ts'
import { anyRequest } from './generator.ts'

const REQUESTS = figure(4000, 60_000)
const BODIES = figure(2000, 20_000)
/** How many are made up at a time. */
const ROUND = 1000
/** How many are under way at a time. */
const CLIENTS = 16

let gateway: GatewayProcess
beforeAll(async () => {
  gateway = await startGatewayProcess({ GRAPHIQL: 'off' })
})
afterAll(async () => {
  expect(await gateway.close()).toBe('')
})

/** Sends all that is made up, and checks each answer. @returns how many have data */
async function askAll(
  requests: fc.Arbitrary<Message>,
  count: number,
  seed: number,
  patience: Patience,
): Promise<number> {
  let answered = 0
  for (let done = 0; done < count; done += ROUND) {
    await inParallel(fc.sample(requests, { seed: seed + done, numRuns: ROUND }), CLIENTS, async (message) => {
      const { method, target, headers, body } = message
      const shown =
        `SEED=${seed}: ${method} ${target} ${JSON.stringify(headers)} ${body.toString('latin1')}`.slice(
          0,
          3000,
        )
      const reply = await patience.time(shown, (url) => ask(url, target, message))
      if (check(reply, `${shown}\n${reply.body}`)) answered++
    })
  }
  return answered
}

/** @returns whether the answer has data */
function check({ status, headers, body }: Reply, context: string): boolean {
  expect(status, context).toBeLessThan(500)
  expectNoSecrets(body, context)
  const type = headers['content-type'] ?? ''
  // A target that is too long is refused before its path is looked at.
  if (status === 414) return false
  const { data, errors } = readResult(type, Buffer.from(body, 'latin1').toString())
  // An answer has data, or says why not.
  // A hundred aliases, and what can be asked for without one.
  expect(Object.keys(data ?? {}).length, context).toBeLessThanOrEqual(105)
  if (data == null) expect(errors?.length ?? 0, context).toBeGreaterThan(0)
  for (const { extensions } of errors ?? []) expect(extensions?.code, context).toMatch(/^[A-Z]+(?:_[A-Z]+)*$/)
  if (type.includes('graphql-response')) expect(status < 300, context).toBe(data !== undefined)
  return data != null
}

/** What an answer says, in whatever way was asked for. A dot would match no U+2028, which JSON may contain. */
function readResult(
  type: string,
  text: string,
): { data?: object | null; errors?: readonly GraphQLFormattedError[] } {
  if (/^application\/(?:graphql-response\+)?json; charset=utf-8$/.test(type)) return JSON.parse(text)
  if (type === 'text/event-stream') return JSON.parse(/^event: next\ndata: ([^\n]*)$/m.exec(text)?.[1] ?? '')
  expect(type).toMatch(/^multipart\/mixed; ?boundary="-"$/)
  return JSON.parse(/\r\n\r\n([^\n]*)\r\n-----\r\n$/.exec(text)?.[1] ?? '')
}

const asJson = anyRequest.map((params) => ({
  method: 'POST',
  target: '/graphql',
  headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' },
  body: Buffer.from(JSON.stringify(params)),
}))

test(`${REQUESTS} requests`, { timeout: 300_000 }, async (context) => {
  const seed = seedOf('graphql/fuzz.test.ts')
  const patience = createPatience(gateway)
  const answered = await askAll(asJson, REQUESTS, seed, patience)
  // Otherwise the generator would only make what is refused at the door.
  expect(answered).toBeGreaterThan(REQUESTS * 0.1)
  note(context, {
    promise: 7,
    what: `${REQUESTS.toLocaleString('en')} generated GraphQL requests: data, or why not`,
    bound: 'no 500, no hang > 1 s',
    measured: `${answered} with data, ${REQUESTS - answered} refused, ${await patience.settle()}`,
  })
})

test(`${BODIES} bodies`, { timeout: 300_000 }, async (context) => {
  const seed = seedOf('graphql/fuzz.test.ts, bodies')
  const patience = createPatience(gateway)
  const answered = await askAll(anyMessage, BODIES, seed, patience)
  expect(answered).toBeGreaterThan(BODIES * 0.005)
  note(context, {
    promise: 7,
    what: `${BODIES.toLocaleString('en')} GraphQL requests of generated framing and body: data, or why not`,
    bound: 'no 500, no hang > 1 s',
    measured: `${answered} with data, ${BODIES - answered} refused, ${await patience.settle()}`,
  })
})
