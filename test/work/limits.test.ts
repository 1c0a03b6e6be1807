// Promise 10: limits are on without a setting. A request just within a limit is answered; one just beyond is
// refused with its reason. known.faults.test.ts has the most expensive requests.

import { describe, expect } from 'vitest'
import { exchange, inChunks, requestFor } from '../http/raw.ts'
import { note } from '../kit/figures.ts'
import { test } from '../kit/test.ts'
import { posted, times } from './hostile-graphql.ts'

const KIB_64 = 64 * 1024

const graphql = (query: string, variables: unknown = {}) =>
  posted(JSON.stringify({ query, variables }), 'application/json', 'application/graphql-response+json')
const legacy = (query: string) => requestFor(`/?${query}`)
const ids = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1))

const twoLists = (count: number) =>
  graphql('query ($a: [ID!]!, $b: [ID!]!) { a: users(values: $a) { id } b: users(values: $b) { id } }', {
    a: ids(500),
    b: ids(count - 500),
  })
// Beside its values, `{ users(values: [ ... ]) { id } }` is twelve tokens.
const tokens = (count: number) => graphql(`{ users(values: [${times(count - 12, (i) => `"${i}"`)}]) { id } }`)
// The schema is two levels deep: deeper documents are wrong anyway, but only beyond the limit for their
// depth.
const levels = (count: number) => graphql(`${'{ a '.repeat(count)}${'}'.repeat(count)}`)
const aliases = (count: number) => graphql(`{ users(values: []) { ${times(count, (i) => `a${i}: id`)} } }`)
/** 10,000 fields, and so many more. */
const fields = (count: number) =>
  graphql(
    `query ($v: [ID!]!) { ${times(count - 10_000, () => '__typename')} users(values: $v) {
      id username displayName rank joinDate isConfirmed banned ${times(4, (i) => `a${i}: id`)} } }`,
    { v: ids(909) },
  )
const schemas = (count: number) =>
  graphql(
    `{ ${times(count, (i) => `a${i}: __schema { types { fields { name args { name type { name } } } } }`)} }`,
  )
const chunks = (count: number) => {
  const body = '{"query":"{ __typename }"}'
  const headers = ['Host: gateway', 'Content-Type: application/json', 'Transfer-Encoding: chunked']
  const sent = inChunks(' '.repeat(count - 1) + body, Array(count - 1).fill(1))
  return requestFor('/graphql', headers, 'POST') + sent
}
const bytes = (count: number) => {
  const body = JSON.stringify({ query: '{ __typename }' }).padEnd(count)
  const headers = ['Host: a', 'Content-Type: application/json', `Content-Length: ${count}`]
  return requestFor('/graphql', headers, 'POST') + body
}
const target = (count: number) => legacy('Event=ProfileLookup&Users=1&'.padEnd(count - 2, 'x'))

/** The code of a refusal, legacy or GraphQL. */
function codesOf(body: string): readonly unknown[] {
  const { Error: refusal, errors = [] } = JSON.parse(body)
  return refusal === undefined
    ? errors.map((error: { extensions?: { code?: unknown } }) => error.extensions?.code)
    : [refusal.Code]
}

test.for([
  [
    'values of a legacy lookup',
    (n) => legacy(`Event=AppLookup&Apps=${ids(n).join(':')}`),
    ...([1000, 400, 'TooManyValues'] as const),
  ],
  ['values of a GraphQL request, over all its fields', twoLists, 1000, 400, 'TOO_MANY_VALUES'],
  ['tokens of a GraphQL document', tokens, 1000, 400, 'TOO_MANY_TOKENS'],
  ['levels of a GraphQL document', levels, 6, 400, 'TOO_DEEP'],
  ['aliases of a GraphQL document', aliases, 100, 400, 'TOO_MANY_ALIASES'],
  ['fields of a GraphQL response', fields, 10_000, 400, 'TOO_MANY_FIELDS'],
  ['introspections of 821 fields in a GraphQL document', schemas, 24, 400, 'TOO_MUCH_INTROSPECTION'],
  ['chunks of a body', chunks, 1024, 413, 'TOO_MANY_CHUNKS'],
  ['bytes of a body', bytes, KIB_64, 413, 'TOO_LARGE_BODY'],
  ['bytes of a request target', target, KIB_64, 414, 'TooLongTarget'],
] as const satisfies readonly (readonly [string, (n: number) => string, number, number, string])[])(
  'a limit: %s',
  async ([what, request, limit, status, code], { gateway, task }) => {
    const within = await exchange(gateway.url, request(limit))
    if (code === 'TOO_DEEP') expect(codesOf(within.body)).not.toContain(code)
    else expect(within).toMatchObject({ status: 200, body: expect.not.stringContaining('rror') })
    const began = performance.now()
    const beyond = await exchange(gateway.url, request(limit + 1))
    const took = (performance.now() - began).toFixed(0)
    expect(beyond.status).toBe(status)
    expect(codesOf(beyond.body)).toContain(code)
    expect(beyond.body).toContain(String(code === 'TOO_MUCH_INTROSPECTION' ? 20_000 : limit))
    const measured = `${limit} answered; ${limit + 1}: ${status} ${code}, ${took} ms`
    note({ task }, { promise: 10, what, bound: `${limit}, refused at once`, measured })
  },
)

/** To parse JSON that ends within thousands of open lists damages the memory of Node 26.10. */
describe('JSON of too many levels is not parsed', () => {
  const open = (count: number) => `${'[0,'.repeat(count)}0`
  const form = 'application/x-www-form-urlencoded'

  test.for([
    ['a body', posted(open(15_000))],
    ['variables', posted(`{"query":"{__typename}","variables":${open(15_000)}`)],
    ['variables in a query string', requestFor(`/graphql?query={__typename}&variables=${open(4_000)}`)],
    ['variables in a form', posted(`variables=${open(15_000)}&query={a}`, form)],
    ['a batch', posted(`[{"query":"{__typename}","variables":${open(15_000)}}`)],
  ] as const)('%s', async ([, request], { gateway }) => {
    for (let time = 0; time < 3; time++)
      expect(await exchange(gateway.url, request)).toMatchObject({
        status: 400,
        body: expect.stringContaining('nested 100 levels deep.'),
      })
  })
})
