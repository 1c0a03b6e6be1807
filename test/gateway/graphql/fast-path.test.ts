// The fast path for common requests (src/gateway/graphql/fast-path.ts) answers what Yoga answers.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { twins } from '../../kit/twins.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

async function post(contentType: string, accept: string, body: string) {
  const headers = { 'content-type': contentType, accept }
  const response = await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body })
  const { status } = response
  const type = response.headers.get('content-type')
  return {
    status,
    type,
    cors: response.headers.get('access-control-allow-origin'),
    body: await response.text(),
  }
}

async function get(name: string, accept: string, { query, ...rest }: Readonly<Record<string, unknown>>) {
  const json = Object.entries(rest).map(([key, value]) => [
    key,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  const search = `${name}=${encodeURIComponent(String(query))}&${new URLSearchParams(json)}`
  const response = await fetch(`${gateway.url}/graphql?${search}`, { headers: { accept } })
  const { date: _date, 'x-request-id': _id, ...headers } = Object.fromEntries(response.headers)
  return { status: response.status, headers, body: await response.text() }
}

// The fast path knows the first type, and the first name, only; Yoga takes both alike.
const FAST = 'application/json'
const YOGA = 'application/graphql+json'
const FAST_NAME = 'query'
const YOGA_NAME = '%71uery'

const accepts = [
  '*/*',
  'application/json',
  'application/graphql-response+json',
  'application/graphql-response+json, application/json;q=0.9',
  'application/graphql-response+json,application/json;q=0.9',
  'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed',
  'application/json, text/plain, */*',
  'application/json;q=0.8, application/graphql-response+json;q=0.9',
  'text/event-stream',
  'image/png',
]
const requests = [
  { query: '{ users(values: ["1", "99", "x"]) { id displayName joinDate } apps(ids: [5]) { title } }' },
  { query: 'query A($v: [String!]!) { users(values: $v) { username } }', variables: { v: ['9', '1'] } },
  { query: 'query A($v: [String!]!) { users(values: $v) { username } }', variables: { v: [1] } },
  { query: 'query A { a: __typename } query B { b: __typename }', operationName: 'B', extensions: null },
  { query: 'query A { a: __typename } query B { b: __typename }' },
  { query: '{ nothing }' },
  { query: '{ nothing } query B { __typename }' },
  { query: `{ users(values: [${'"1" '.repeat(900)}]) { id } apps(ids: [${'1 '.repeat(20)}]) { id } }` },
  { query: 'query A($v: [String!]!) { users(values: $v) { id } }', variables: { v: Array(1001).fill('1') } },
  {
    query: `query A($v: [String!]!) { users(values: $v) { ${'id a: id b: id c: id d: rank e: rank f: rank g: rank h: rank i: rank'} x: id } }`,
    variables: { v: Array(1000).fill('1') },
  },
  { query: 'query A($by: UserLookupMethod) { users(by: $by, values: "1") { id } }', variables: { by: null } },
  { query: '{ a: __schema { __typename } b: __type(name: "User") { name } }' },
  { query: 'mutation { a }' },
  { query: '{' },
  { query: '{ __typename }', more: 1 },
]

describe.each(accepts)('accepting %s', (accept) => {
  test.each(requests.map((request) => JSON.stringify(request)))('%s', async (body) => {
    // Often enough to be compiled.
    for (let use = 0; use < 4; use++) {
      expect(await post(FAST, accept, body)).toEqual(await post(YOGA, accept, body))
    }
  })
})

describe.each(accepts)('by GET, accepting %s', (accept) => {
  test.each(requests.map((request) => [JSON.stringify(request), request] as const))(
    '%s',
    async (_text, request) => {
      for (let use = 0; use < 4; use++) {
        expect(await get(FAST_NAME, accept, request)).toEqual(await get(YOGA_NAME, accept, request))
      }
    },
  )
})

test('queries with the same fingerprint are kept apart', async () => {
  const [one, other] = twins((index) => `{ a${index}: __typename }`)
  for (const query of [one, other, one, other]) {
    const body = JSON.stringify({ query })
    expect(await post(FAST, '*/*', body)).toEqual(await post(YOGA, '*/*', body))
  }
})
