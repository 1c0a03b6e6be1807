// Generated GraphQL requests that no client would send: queries, bodies that are almost JSON, JSON that is
// almost a request, and headers that say something else. SEED repeats a run of the night.

import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import type { GraphQLFormattedError } from 'graphql'
import { expect } from 'vitest'
import { note } from '../kit/figures.ts'
import { runs, seedOf } from '../kit/generate.ts'
import { inParallel } from '../kit/in-parallel.ts'
import { expectNoSecrets } from '../kit/secrets.ts'
import { test } from '../kit/test.ts'
import { ask, type Reply } from '../legacy/support/ask.ts'
import { anyRequest, rightQuery } from './generator.ts'

interface Message {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

const deep = fc
  .tuple(fc.constantFrom(['[', ']'] as const, ['{"a":', '}'] as const), fc.constantFrom(3, 100, 10_000))
  .map(([[open, close], depth]) => `${open.repeat(depth)}1${close.repeat(depth)}`)
const literal = fc.oneof(
  ...[deep, fc.json(), fc.integer({ min: 20, max: 2000 }).map((digits) => '9'.repeat(digits))],
  fc.constantFrom(
    ...'1e999 -0 9007199254740993 01 .5 NaN null true {} []'.split(' '),
    ...['"\\ud800"', '"\\u0000"', '"\t"', "'1'", '"', '', '["1","1"]', '{"__proto__":{"query":"{a}"}}'],
  ),
)
const name = fc.constantFrom(
  ...['query', 'query', 'query', 'variables', 'variables', 'operationName', 'extensions', 'documentId'],
  ...['__proto__', 'constructor', 'Query', '', '\\u0071uery', 'id'],
)
const queryText = fc.oneof(rightQuery, fc.constantFrom('{__typename}', '{ users(values: ["1"]) { id } }'))
const member = fc.oneof(
  queryText.map((query) => `"query":${JSON.stringify(query)}`),
  fc.tuple(name, literal).map(([key, value]) => `"${key}":${value}`),
)
// A member may come twice: JSON.parse takes the last one.
const object = fc.array(member, { maxLength: 5 }).map((members) => `{${members.join(',')}}`)
const form = fc
  .array(fc.tuple(name, fc.oneof(queryText, literal, fc.string({ unit: 'binary', maxLength: 6 }))))
  .map((pairs) => new URLSearchParams(pairs.map(([key, value]) => [key, value.toWellFormed()])).toString())
const text = fc.oneof(
  { arbitrary: object, weight: 4 },
  { arbitrary: anyRequest.map((params) => JSON.stringify(params)), weight: 4 },
  { arbitrary: fc.array(object, { maxLength: 3 }).map((objects) => `[${objects.join(',')}]`), weight: 1 },
  { arbitrary: fc.oneof(literal, form, queryText), weight: 5 },
)
const encode = fc.constantFrom<(text: string) => Buffer>(
  ...Array<(text: string) => Buffer>(9).fill((all) => Buffer.from(all)),
  (all) => Buffer.from(all, 'utf16le'),
  (all) => Buffer.from(`\ufeff${all}`),
  (all) => Buffer.concat([Buffer.from(all.slice(0, 12)), Buffer.from('c328eda080ff', 'hex')]),
  (all) => gzipSync(all),
)
const types = fc.constantFrom(
  ...[...Array<string>(10).fill('application/json'), 'APPLICATION/JSON; charset=UTF-8', 'application/json;'],
  ...['application/json; charset=utf-16', 'application/x-www-form-urlencoded', 'application/graphql+json'],
  ...['application/graphql', 'text/plain', ';', '', 'multipart/form-data; boundary=x'],
)
const accept = fc.constantFrom(
  ...['application/json', 'application/graphql-response+json', 'application/graphql-response+json', '*/*'],
  ...['text/html', 'image/png', 'multipart/mixed', 'text/event-stream', ',', 'application/*;q=0.1, */*;q=0'],
)
const coding = fc.constantFrom(
  {},
  {},
  {},
  ...['gzip', 'identity', ''].map((all) => ({ 'content-encoding': all })),
)

const post: fc.Arbitrary<Message> = fc
  .tuple(text, encode, types, coding, accept)
  .map(([all, encoder, type, codings, accepted]) => ({
    ...{ method: 'POST', target: '/graphql', body: encoder(all) },
    headers: { 'content-type': type, accept: accepted, ...codings },
  }))
const get: fc.Arbitrary<Message> = fc.tuple(form, accept).map(([query, accepted]) => ({
  ...{ method: 'GET', target: `/graphql?${query}`, body: Buffer.alloc(0) },
  headers: { accept: accepted },
}))
const anyMessage = fc.oneof({ arbitrary: post, weight: 6 }, { arbitrary: get, weight: 1 })
const plainRequest: fc.Arbitrary<Message> = anyRequest.map((params) => ({
  ...{ method: 'POST', target: '/graphql', body: Buffer.from(JSON.stringify(params)) },
  headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' },
}))

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
  for (const { data, errors } of results) {
    // The limit of 100 aliases, and the fields that need none.
    expect(Object.keys(data ?? {}).length, context).toBeLessThanOrEqual(105)
    if (data == null) expect(errors?.length ?? 0, context).toBeGreaterThan(0)
    for (const { extensions } of errors ?? [])
      expect(extensions?.code, context).toMatch(/^[A-Z]+(?:_[A-Z]+)*$/)
    // The status of a batch is that of its best result.
    if (results.length === 1 && type.includes('graphql-response'))
      expect(status < 300, context).toBe(data !== undefined)
  }
  return results.some(({ data }) => data != null)
}

/** Reads the result in each media type. A dot would match no U+2028, which JSON may contain. */
function readResult(type: string, text: string): Executed | readonly Executed[] {
  if (/^application\/(?:graphql-response\+)?json; charset=utf-8$/.test(type)) return JSON.parse(text)
  if (type === 'text/event-stream') return JSON.parse(/^event: next\ndata: ([^\n]*)$/m.exec(text)?.[1] ?? '')
  expect(type).toMatch(/^multipart\/mixed; ?boundary="-"$/)
  return JSON.parse(/\r\n\r\n([^\n]*)\r\n-----\r\n$/.exec(text)?.[1] ?? '')
}

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
      const reply = await ask(gateway.url, target, message)
      if (check(reply, `SEED=${seed}: ${line.slice(0, 3000)}\n${reply.body}`)) withData++
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
