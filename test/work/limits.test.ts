// Promise 10: limits are on without a setting. What is just within is answered, what is just beyond is
// refused with its reason. So is the worst that fits into a request.

import { describe, expect } from 'vitest'
import { inChunks } from '../http/framing.ts'
import { exchange, requestFor } from '../http/raw.ts'
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
    ['a body of other media types', posted(open(15_000), 'application/json; a=b', 'application/*')],
    ['variables', posted(`{"query":"{__typename}","variables":${open(15_000)}`)],
    ['extensions', posted(`{"query":"{__typename}","extensions":{"a":${open(15_000)}`)],
    ['variables in a query string', requestFor(`/graphql?query={__typename}&variables=${open(4_000)}`)],
    ['escaped variables', requestFor(`/graphql?query={__typename}&variables=${'%5B0,'.repeat(3_000)}0`)],
    ['variables in a form', posted(`variables=${open(15_000)}&query={a}`, form)],
    [
      'variables in a form of a shouted type',
      posted(`variables=${open(15_000)}&query={a}`, form.toUpperCase()),
    ],
    ['a batch', posted(`[{"query":"{__typename}","variables":${open(15_000)}}`)],
  ] as const)('%s', async ([, request], { gateway }) => {
    for (let time = 0; time < 3; time++)
      expect(await exchange(gateway.url, request)).toMatchObject({
        status: 400,
        body: expect.stringContaining('nested 100 levels deep.'),
      })
  })
})

describe('the worst that fits into a request is answered', () => {
  const inBody = (query: string) => graphql(query.slice(0, KIB_64 - 100))
  const filled = (text: string, start = '', end = '') =>
    inBody(`${start}${text.repeat((KIB_64 - 200 - start.length - end.length) / text.length)}${end}`)
  const inQuery = (start: string, text: string) =>
    legacy(`${start}${text.repeat((KIB_64 - 10 - start.length) / text.length)}`)
  const lookup = 'Event=ProfileLookup&Users='
  const names = 'Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users='
  const circle = (i: number) => `fragment F${i} on Query { ...F${(i + 1) % 120} }`
  const listVariable = 'query ($v: [ID!]!) { users(values: $v) { id } }'

  const documents = Array.from({ length: 10 }, (_, at) => ({
    query: `{ a${at}: users(values: "1") { ${'id '.repeat(980)} } }`,
  }))

  test.for(
    Object.entries({
      'a batch of long documents': posted(JSON.stringify(documents)),
      braces: filled('{'),
      brackets: filled('[', '{ users(values: '),
      'fields in fields': filled('{a'),
      aliases: filled('a:b ', '{', '}'),
      'the same field': filled('id ', '{ users(values: "1") {', '} }'),
      'fields that differ in values': inBody(`{ ${times(120, (i) => `users(values: "${i}") { id }`)} }`),
      'fields that are not there': inBody(`{ ${times(490, (i) => `user${i}${'s'.repeat(100)}`)} }`),
      'a long name': filled('users', '{ ', '}'),
      'a long text': filled('"', '{ users(values: """', '""") { id } }'),
      'a comment': filled('#', '{ __typename ', ''),
      directives: filled('@skip(if: true) ', '{ __typename ', '}'),
      conditions: inBody(
        `{ ${times(100, () => '... @include(if: true) { ')} __typename ${'}'.repeat(100)} }`,
      ),
      'fragments in a circle': inBody(
        '{ ...A } fragment A on Query { ...B ...B } fragment B on Query { ...A ...A }',
      ),
      'fragments in a long circle': inBody(`{ ...F0 } ${times(120, circle)}`),
      operations: inBody(times(200, (i) => `query Q${i} { __typename }`)),
      'variables that are not used': inBody(`query (${times(240, (i) => `$v${i}: Int`)}) { __typename }`),
      'introspection in a circle': inBody(
        `{ __schema { types { ${'fields { type { ofType { '.repeat(3)} name ${'} } } '.repeat(3)} } } }`,
      ),
      'lists in lists': graphql(listVariable, { v: JSON.parse(`${'['.repeat(90)}${']'.repeat(90)}`) }),
      'wrong values of a list': graphql(listVariable, { v: Array(20_000).fill([]) }),
      'requests in a list': posted(`[${Array(1500).fill('{"query":"{ __typename }"}')}]`),
      'a form': posted('query=%7B&'.repeat(6500), 'application/x-www-form-urlencoded'),
      colons: inQuery(lookup, ':'),
      values: inQuery(lookup, '1:'),
      'different values': legacy(`${lookup}${ids(11_000).join(':')}`),
      'leading zeros': inQuery(lookup, '0'),
      'different names': legacy(`${names}${ids(11_000).join('n:')}`),
      'names that grow when they are compared': inQuery(names, '%EF%B7%BA'),
      'accents on one letter': inQuery(names, '%CC%81%CC%A3'),
      ampersands: inQuery('', '&'),
      parameters: inQuery('', 'Users=&'),
      'signs of percent': inQuery(lookup, '%'),
      'signs of plus': inQuery(names, '+'),
      'a query in a target': requestFor(`/graphql?query=${'%7B'.repeat(21_000)}`),
      'parameters of GraphQL': requestFor(`/graphql?${'query=a&'.repeat(8000)}`),
    }),
  )('%s', async ([, request], { gateway }) => {
    const { status, body } = await exchange(gateway.url, request)
    expect(status).toBeLessThan(500)
    expect(body).not.toMatch(/INTERNAL|Internal|\bat .*\.[jt]s:\d/)
    expect(body.length).toBeLessThan(4 * KIB_64)
    expect(gateway.observations.filter(({ type }) => type === 'unexpected')).toEqual([])
  })
})
