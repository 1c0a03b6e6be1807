// Generated GraphQL requests that no client would send. SEED repeats a run of the night.

import fc from 'fast-check'
import type { GraphQLFormattedError } from 'graphql'
import { expect } from 'vitest'
import { note } from '../kit/figures.ts'
import { runs, seedOf } from '../kit/generate.ts'
import { inParallel } from '../kit/in-parallel.ts'
import { expectNoSecrets } from '../kit/secrets.ts'
import { test } from '../kit/test.ts'
import { ask, type Reply } from '../legacy/support/ask.ts'
import { anyMessage, type Message } from './bodies.ts'
import { anyRequest } from './generator.ts'

interface Executed {
  readonly data?: object | null
  readonly errors?: readonly GraphQLFormattedError[]
}

/** How many requests are generated, and sent at a time. */
const ROUND = 1000
const CLIENTS = 16

/** @returns whether the response has data */
function check({ status, headers, body }: Reply, context: string): boolean {
  expect(status, context).toBeLessThan(500)
  expectNoSecrets(body, context)
  // A target that is too long is refused before its path is read.
  if (status === 414) return false
  const type = headers['content-type'] ?? ''
  const read = readResult(type, Buffer.from(body, 'latin1').toString())
  const results = Array.isArray(read) ? read : [read]
  const isPerRequest = results.length === 1
  return results
    .map((result) => checkResult(result, isPerRequest ? status : null, type, context))
    .includes(true)
}

/** @param status `null` in a batch, whose status is that of its best result */
function checkResult(
  { data, errors }: Executed,
  status: number | null,
  type: string,
  context: string,
): boolean {
  // The limit of 100 aliases, and the fields that need none.
  expect(Object.keys(data ?? {}).length, context).toBeLessThanOrEqual(105)
  if (data == null) expect(errors?.length ?? 0, context).toBeGreaterThan(0)
  for (const { extensions } of errors ?? []) expect(extensions?.code, context).toMatch(/^[A-Z]+(?:_[A-Z]+)*$/)
  if (status !== null && type.includes('graphql-response'))
    expect(status < 300, context).toBe(data !== undefined)
  return data != null
}

/** Reads the result in each media type. A dot would match no U+2028, which JSON may contain. */
function readResult(type: string, text: string): Executed | readonly Executed[] {
  if (/^application\/(?:graphql-response\+)?json; charset=utf-8$/.test(type)) return JSON.parse(text)
  if (type === 'text/event-stream') return JSON.parse(/^event: next\ndata: ([^\n]*)$/m.exec(text)?.[1] ?? '')
  expect(type).toMatch(/^multipart\/mixed; ?boundary="-"$/)
  return JSON.parse(/\r\n\r\n([^\n]*)\r\n-----\r\n$/.exec(text)?.[1] ?? '')
}

const plainRequest: fc.Arbitrary<Message> = anyRequest.map((params) => ({
  method: 'POST',
  target: '/graphql',
  headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' },
  body: Buffer.from(JSON.stringify(params)),
}))

test.for([
  // Some must have data, or the generator makes nothing but refusals.
  ['requests', plainRequest, runs(300, 60_000), 0.1],
  ['requests of generated framing and body', anyMessage, runs(200, 20_000), 0.005],
] as const)('%s have data, or say why not', { timeout: 1_200_000 }, async (row, { withSettings, task }) => {
  const [what, requests, count, share] = row
  const gateway = await withSettings({ GRAPHIQL: 'off' })
  const seed = seedOf(`GraphQL ${what}`)
  let withData = 0
  for (let done = 0; done < count; done += ROUND) {
    const options = { seed: seed + done, numRuns: Math.min(ROUND, count - done) }
    await inParallel(fc.sample(requests, options), CLIENTS, async (message) => {
      const { method, target, headers, body } = message
      const line = `${method} ${target} ${JSON.stringify(headers)} ${body.toString('latin1')}`
      const shown = `SEED=${seed}: ${line.slice(0, 3000)}`
      const reply = await ask(gateway.url, target, message)
      if (check(reply, `${shown}\n${reply.body}`)) withData++
    })
  }
  expect(withData).toBeGreaterThan(count * share)
  note(
    { task },
    {
      promise: 7,
      what: `${count.toLocaleString('en')} generated GraphQL ${what}: data, or why not`,
      bound: 'no 500',
      measured: `${withData} with data, ${count - withData} refused`,
    },
  )
})
