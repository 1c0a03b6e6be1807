// Limits are on without a setting: what is just within is answered, what is just beyond is refused, at once
// and with its reason. So is the worst that fits through the front door.

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { inChunks } from '../gateway/http/framing.ts'
import { exchange, requestFor } from '../gateway/http/raw.ts'
import { engines, fillSample, useDatabases } from '../kit/engines.ts'
import { note } from '../kit/figures.ts'
import { type Gateway, startGateway, startGatewayOver } from '../kit/gateway.ts'

const KIB_64 = 64 * 1024
/** Milliseconds that a refusal may take. */
const AT_ONCE = 1000

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
  // GraphQL is loaded when it is first asked, and its wordings when something is first wrong.
  await send(graphql('{ nothing }'))
})
afterAll(() => gateway.close())

async function send(request: string, url = gateway.url) {
  const started = performance.now()
  const { status, body } = await exchange(url, request, 10_000)
  return { status, body, took: performance.now() - started }
}

const posted = (body: string, type = 'application/json') =>
  `${requestFor('/graphql', ['Host: gateway', `Content-Type: ${type}`, 'Accept: application/graphql-response+json', `Content-Length: ${body.length}`], 'POST')}${body}`
const graphql = (query: string, variables: unknown = {}) => posted(JSON.stringify({ query, variables }))
const legacy = (query: string) => requestFor(`/?${query}`)
const times = (count: number, text: (index: number) => string, between = ' ') =>
  Array.from({ length: count }, (_, index) => text(index)).join(between)

const ids = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1))
const users =
  'query ($a: [String!]!, $b: [String!]!) { a: users(values: $a) { id } b: users(values: $b) { id } }'
const twoLists = (count: number) => graphql(users, { a: ids(500), b: ids(count - 500) })
// Beside its values, `{ users(values: [ … ]) { id } }` is twelve tokens.
const tokens = (count: number) => graphql(`{ users(values: [${times(count - 12, (i) => `"${i}"`)}]) { id } }`)
// The schema is two levels deep: what is deeper is wrong anyway, but only beyond the limit because of its
// depth.
const levels = (count: number) => graphql(`${'{ a '.repeat(count)}${'}'.repeat(count)}`)
const aliases = (count: number) => graphql(`{ users(values: []) { ${times(count, (i) => `a${i}: id`)} } }`)
/** 10,000 fields, and so many more. */
const fields = (count: number) =>
  graphql(
    `query ($v: [String!]!) { ${count > 10_000 ? times(count - 10_000, () => '__typename') : ''} users(values: $v) {
      id username displayName rank joinDate isConfirmed banned ${times(4, (i) => `a${i}: id`)} } }`,
    { v: ids(909) },
  )
const schemas = (count: number) =>
  graphql(`{ ${times(count, (i) => `a${i}: __schema { queryType { name } }`)} }`)
const chunks = (count: number) => {
  const body = '{"query":"{ __typename }"}'
  const head = requestFor(
    '/graphql',
    ['Host: gateway', 'Content-Type: application/json', 'Transfer-Encoding: chunked'],
    'POST',
  )
  return head + inChunks(' '.repeat(count - 1) + body, Array(count - 1).fill(1))
}
const bytes = (count: number) => posted(JSON.stringify({ query: '{ __typename }' }).padEnd(count))
const target = (count: number) => legacy('Event=ProfileLookup&Users=1&'.padEnd(count - 2, 'x'))

/** The code of a refusal, legacy or GraphQL. */
function codesOf(body: string): readonly unknown[] {
  const { Error: refusal, errors = [] } = JSON.parse(body)
  return refusal === undefined
    ? errors.map((error: { extensions?: { code?: unknown } }) => error.extensions?.code)
    : [refusal.Code]
}

describe('a limit', () => {
  test.for([
    [
      'values of a legacy lookup',
      (n) => legacy(`Event=AppLookup&Apps=${ids(n).join(':')}`),
      1000,
      400,
      'TooManyValues',
    ],
    ['values of a GraphQL request, over all its fields', twoLists, 1000, 400, 'TOO_MANY_VALUES'],
    ['tokens of a GraphQL document', tokens, 1000, 400, 'TOO_MANY_TOKENS'],
    ['levels of a GraphQL document', levels, 6, 400, 'TOO_DEEP'],
    ['aliases of a GraphQL document', aliases, 100, 400, 'TOO_MANY_ALIASES'],
    ['fields of a GraphQL response', fields, 10_000, 400, 'TOO_MANY_FIELDS'],
    ['__schema and __type in a GraphQL document', schemas, 1, 400, 'TOO_MUCH_INTROSPECTION'],
    ['chunks of a body', chunks, 1024, 413, 'TOO_MANY_CHUNKS'],
    ['bytes of a body', bytes, KIB_64, 413, 'TOO_LARGE_BODY'],
    ['bytes of a request target', target, KIB_64, 414, 'TooLongTarget'],
  ] as const satisfies readonly (readonly [string, (n: number) => string, number, number, string])[])(
    '%s',
    async ([what, request, limit, status, code], context) => {
      const within = await send(request(limit))
      if (code === 'TOO_DEEP') expect(codesOf(within.body)).not.toContain(code)
      else expect(within).toMatchObject({ status: 200, body: expect.not.stringContaining('rror') })
      const beyond = await send(request(limit + 1))
      expect(beyond.status).toBe(status)
      expect(codesOf(beyond.body)).toContain(code)
      expect(beyond.body).toContain(limit === 1 ? 'once' : String(limit))
      expect(beyond.took).toBeLessThan(AT_ONCE)
      const figure = `${limit} answered; ${limit + 1}: ${status} ${code}, ${beyond.took.toFixed(0)} ms`
      note(context, { promise: 10, what, bound: `${limit}, refused at once`, measured: figure })
    },
  )
})

describe.for(engines)('$name', (engine) => {
  const makeDatabase = useDatabases(engine)

  test('the time that the server has for a query', async (context) => {
    const database = await makeDatabase()
    await fillSample(database)
    const over = await startGatewayOver({ DATABASE_URL: database.url })
    onTestFinished(over.close)
    const lookup = legacy('Event=ProfileLookup&Users=1')
    const asked = async (seconds: number) => {
      const slow = engine.words.slowUsers(seconds)
      await database.run(slow.begin)
      const answer = await send(lookup, over.url)
      // The view can only go when no query reads it any more.
      await database.run(slow.end)
      return answer
    }
    expect((await asked(0.5)).status).toBe(200)
    const began = performance.now()
    const beyond = await asked(30)
    expect(performance.now() - began).toBeLessThan(5000)
    expect(beyond).toMatchObject({ status: 503, body: expect.stringContaining('Unavailable') })
    expect(beyond.took).toBeLessThan(2000)
    const measured = `503 after ${beyond.took.toFixed(0)} ms, and the query has ended`
    note(context, {
      promise: 10,
      what: `${engine.name}: a store query`,
      bound: 'given up after 1 s',
      measured,
    })
  })
})

const inBody = (query: string) => graphql(query.slice(0, KIB_64 - 100))
const filled = (text: string, start = '', end = '') =>
  inBody(`${start}${text.repeat((KIB_64 - 200 - start.length - end.length) / text.length)}${end}`)
const inQuery = (start: string, text: string) =>
  legacy(`${start}${text.repeat((KIB_64 - 10 - start.length) / text.length)}`)
const doubling = times(
  90,
  (i) => `fragment F${i} on Query { ${i === 89 ? '__typename' : `...F${i + 1} ...F${i + 1}`} }`,
)

/**
 * What was slow is asked again, of gateways that have not heard it yet: a machine may pause, and a gateway
 * may not.
 */
async function sendPatiently(request: string) {
  let answer = await send(request)
  for (let attempt = 0; attempt < 2 && answer.took >= AT_ONCE; attempt++) {
    const fresh = await startGateway()
    await send(graphql('{ nothing }'), fresh.url)
    answer = await send(request, fresh.url)
    await fresh.close()
  }
  return answer
}

describe('the worst that fits through the front door', () => {
  const names = 'Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users='
  const worst: Readonly<Record<string, string>> = {
    braces: filled('{'),
    brackets: filled('[', '{ users(values: '),
    'fields in fields': filled('{a'),
    aliases: filled('a:b ', '{', '}'),
    'the same field': filled('id ', '{ users(values: "1") {', '} }'),
    'fields that differ in their values': inBody(`{ ${times(120, (i) => `users(values: "${i}") { id }`)} }`),
    'fields that are not there': inBody(`{ ${times(490, (i) => `user${i}${'s'.repeat(100)}`)} }`),
    'one long name': filled('users', '{ ', '}'),
    'a long text': filled('"', '{ users(values: """', '""") { id } }'),
    'a comment': filled('#', '{ __typename ', ''),
    directives: filled('@skip(if: true) ', '{ __typename ', '}'),
    conditions: inBody(`{ ${times(100, () => '... @include(if: true) { ')} __typename ${'}'.repeat(100)} }`),
    'fragments that double': inBody(`{ ...F0 } ${doubling}`),
    'fragments in a circle': inBody(
      '{ ...A } fragment A on Query { ...B ...B } fragment B on Query { ...A ...A }',
    ),
    'fragments in a long circle': inBody(
      `{ ...F0 } ${times(120, (i) => `fragment F${i} on Query { ...F${(i + 1) % 120} }`)}`,
    ),
    operations: inBody(times(200, (i) => `query Q${i} { __typename }`)),
    'variables that are not used': inBody(`query (${times(240, (i) => `$v${i}: Int`)}) { __typename }`),
    'introspection in a circle': inBody(
      `{ __schema { types { ${'fields { type { ofType { '.repeat(3)} name ${'} } } '.repeat(3)} } } }`,
    ),
    'lists in lists, as a variable': posted(
      `{"query":"query ($v: [String!]!) { users(values: $v) { id } }","variables":{"v":${'['.repeat(32_000)}${']'.repeat(32_000)}}}`,
    ),
    'wrong values, as a variable': graphql('query ($v: [String!]!) { users(values: $v) { id } }', {
      v: Array(30_000).fill(1),
    }),
    'requests in a list': posted(`[${times(1500, () => '{"query":"{ __typename }"}', ',')}]`),
    'a form': posted('query=%7B&'.repeat(6500), 'application/x-www-form-urlencoded'),
    colons: inQuery('Event=ProfileLookup&Users=', ':'),
    values: inQuery('Event=ProfileLookup&Users=', '1:'),
    'different values': legacy(`Event=ProfileLookup&Users=${ids(11_000).join(':')}`),
    'leading zeros': inQuery('Event=ProfileLookup&Users=', '0'),
    'different names': legacy(`${names}${times(11_000, (i) => i.toString(36), ':')}`),
    'a long name': inQuery(names, 'n'),
    'names that grow when they are compared': inQuery(names, '%EF%B7%BA'),
    'accents on one letter': inQuery(names, '%CC%81%CC%A3'),
    ampersands: inQuery('', '&'),
    parameters: inQuery('', 'Users=&'),
    'signs of percent': inQuery('Event=ProfileLookup&Users=', '%'),
    'signs of plus': inQuery(names, '+'),
    'a query in a target': requestFor(`/graphql?query=${'%7B'.repeat(21_000)}`),
    'parameters of GraphQL': requestFor(`/graphql?${'query=a&'.repeat(8000)}`),
  }

  test('is answered at once, each time', async (context) => {
    const slowest = { what: '', took: 0 }
    for (const [what, request] of Object.entries(worst)) {
      for (let use = 1; use <= 4; use++) {
        const { status, body, took } = await sendPatiently(request)
        expect(status, what).toBeLessThan(500)
        expect(body, what).not.toMatch(/INTERNAL|Internal|\bat .*\.[jt]s:\d/)
        expect(body.length, what).toBeLessThan(4 * KIB_64)
        expect(took, what).toBeLessThan(AT_ONCE)
        if (took > slowest.took) Object.assign(slowest, { what, took })
      }
    }
    expect(gateway.observations.filter(({ type }) => type === 'unexpected')).toEqual([])
    const measured = `${slowest.took.toFixed(0)} ms at most (${slowest.what})`
    const what = `${Object.keys(worst).length} requests made to be expensive, each 4 times`
    note(context, { promise: 10, what, bound: '≤ 1 s, no 5xx', measured })
  })
})
