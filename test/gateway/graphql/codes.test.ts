// Every error has a code, on the fast path as by Yoga, and docs/graphql.md explains it.

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import type { Params } from './client.ts'

let gateway: Gateway
let strict: Gateway
beforeAll(async () => {
  gateway = await startGateway()
  strict = await startGateway({ LEGACY_MAX_VALUES: '2', GRAPHQL_MAX_FIELDS: '10', GRAPHQL_MAX_TOKENS: '30' })
})
afterAll(async () => {
  await gateway.close()
  await strict.close()
})

// The fast path knows the first only; Yoga takes both alike.
const FAST = 'application/json'
const YOGA = 'application/graphql+json'

interface Sent {
  readonly method?: string
  readonly target?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

async function send(to: Gateway, { method = 'POST', target = '/graphql', headers = {}, body }: Sent) {
  const sent = { accept: 'application/graphql-response+json', ...headers }
  const response = await fetch(`${to.url}${target}`, { method, headers: sent, ...(body && { body }) })
  return { status: response.status, body: await response.text() }
}

/** The codes of all errors; `undefined` for one that has none. */
function codesIn(body: string): unknown[] {
  const { errors }: { errors: { extensions?: { code?: unknown } }[] } = JSON.parse(body)
  return errors.map(({ extensions }) => extensions?.code)
}

const explained = readFileSync(new URL('../../../docs/graphql.md', import.meta.url), 'utf8')

function expectCode(code: string, { body }: { readonly body: string }): void {
  expect(new Set(codesIn(body)), body).toEqual(new Set([code]))
  expect(explained).toContain(`| \`${code}\` |`)
}

const byMethod = 'query ($by: UserLookupMethod = ID) { users(by: $by, values: "1") { id } }'
const wrong: readonly (readonly [name: string, code: string, params: Params, status?: number])[] = [
  ['no syntax', 'GRAPHQL_PARSE_FAILED', { query: '{ users(' }],
  ['an empty query', 'GRAPHQL_PARSE_FAILED', { query: ' ' }],
  ['an unknown field', 'GRAPHQL_VALIDATION_FAILED', { query: '{ usres { id } }' }],
  ['two errors', 'GRAPHQL_VALIDATION_FAILED', { query: '{ usres asps }' }],
  ['a wrong literal', 'GRAPHQL_VALIDATION_FAILED', { query: '{ users(values: [1]) { id } }' }],
  ['a wrong enum literal', 'GRAPHQL_VALIDATION_FAILED', { query: '{ user(by: NAME, value: "1") { id } }' }],
  ['a mutation', 'GRAPHQL_VALIDATION_FAILED', { query: 'mutation { a }' }],
  ['a missing variable', 'BAD_USER_INPUT', { query: 'query ($id: ID!) { app(id: $id) { id } }' }],
  ['a wrong enum variable', 'BAD_USER_INPUT', { query: byMethod, variables: { by: 'NAME' } }],
  [
    'many wrong variables',
    'BAD_USER_INPUT',
    { query: 'query ($v: [String!]!) { users(values: $v) { id } }', variables: { v: Array(99).fill(1) } },
  ],
  ['a null for an argument', 'BAD_USER_INPUT', { query: byMethod, variables: { by: null } }, 200],
  [
    'a null for a directive',
    'BAD_USER_INPUT',
    { query: 'query ($a: Boolean = true) { __typename @skip(if: $a) }', variables: { a: null } },
    200,
  ],
  [
    'no such operation',
    'OPERATION_RESOLUTION_FAILURE',
    { query: 'query A { __typename }', operationName: 'B' },
  ],
  ['no one operation', 'OPERATION_RESOLUTION_FAILURE', { query: 'query A { a } query B { b }' }],
  ['fields too deep', 'TOO_DEEP', { query: `${'{ a '.repeat(7)}${'}'.repeat(7)}` }],
  [
    'too many aliases',
    'TOO_MANY_ALIASES',
    { query: `{ users(values: []) { ${Array.from({ length: 101 }, (_, at) => `a${at}: id`).join(' ')} } }` },
  ],
  ['a long alias', 'TOO_LONG_ALIAS', { query: `{ ${'a'.repeat(201)}: __typename }` }],
  ['a field too often', 'TOO_REPETITIVE', { query: `{ ${'app(id: 1) { id } '.repeat(101)} }` }],
  [
    'two introspections',
    'TOO_MUCH_INTROSPECTION',
    { query: '{ a: __schema { __typename } b: __schema { __typename } }' },
  ],
  ['an alias in an introspection', 'TOO_MUCH_INTROSPECTION', { query: '{ __schema { types { a: name } } }' }],
  [
    'a deep introspection',
    'GRAPHQL_VALIDATION_FAILED',
    { query: `{ __schema { types { ${'fields { type { '.repeat(3)} name ${'} } '.repeat(3)} } } }` },
  ],
]
const beyond: readonly (readonly [name: string, code: string, params: Params])[] = [
  ['tokens', 'TOO_MANY_TOKENS', { query: `{ ${'__typename '.repeat(30)} }` }],
  ['values', 'TOO_MANY_VALUES', { query: '{ users(values: ["1", "2", "3"]) { id } }' }],
  ['fields', 'TOO_MANY_FIELDS', { query: '{ users(values: ["1", "2"]) { a: id b: id c: id d: id e: id } }' }],
]

/** Both ways answer alike, often enough that an operation is compiled. */
async function expectBoth(to: Gateway, code: string, params: Params, status = 400): Promise<void> {
  const body = JSON.stringify(params)
  for (let use = 1; use <= 4; use++) {
    const fast = await send(to, { headers: { 'content-type': FAST }, body })
    expect(fast.status).toBe(status)
    expectCode(code, fast)
    expect(await send(to, { headers: { 'content-type': YOGA }, body })).toEqual(fast)
  }
}

test.for(wrong)('%s is %s', ([, code, params, status]) => expectBoth(gateway, code, params, status))

test.each(beyond)('too many %s are %s', (_name, code, params) => expectBoth(strict, code, params))

const json = { 'content-type': FAST }
const query = JSON.stringify({ query: '{ __typename }' })
const unreadable: readonly (readonly [name: string, code: string, status: number, sent: Sent])[] = [
  ['a body that is no JSON', 'BAD_REQUEST', 400, { headers: json, body: '{' }],
  ['JSON that is no object', 'BAD_REQUEST', 400, { headers: json, body: '1' }],
  ['JSON that is null', 'BAD_REQUEST', 400, { headers: json, body: 'null' }],
  ['several requests', 'BAD_REQUEST', 400, { headers: json, body: `[${query}]` }],
  ['no query', 'BAD_REQUEST', 400, { headers: json, body: '{}' }],
  ['a query that is a number', 'BAD_REQUEST', 400, { headers: json, body: '{"query":1}' }],
  [
    'variables that are a text',
    'BAD_REQUEST',
    400,
    { headers: json, body: '{"query":"{a}","variables":"a"}' },
  ],
  [
    'an operation name that is a list',
    'BAD_REQUEST',
    400,
    { headers: json, body: '{"query":"{a}","operationName":["a"]}' },
  ],
  [
    'extensions that are a list',
    'BAD_REQUEST',
    400,
    { headers: json, body: '{"query":"{a}","extensions":[]}' },
  ],
  ['an unknown parameter', 'BAD_REQUEST', 400, { headers: json, body: '{"query":"{a}","qeury":"{a}"}' }],
  ['JSON that is too deep', 'BAD_REQUEST', 400, { headers: json, body: '['.repeat(101) }],
  ['a body of no type', 'UNSUPPORTED_MEDIA_TYPE', 415, { headers: { 'content-type': '' }, body: query }],
  [
    'a body of another type',
    'UNSUPPORTED_MEDIA_TYPE',
    415,
    { headers: { 'content-type': 'text/plain' }, body: query },
  ],
  ['no acceptable type', 'NOT_ACCEPTABLE', 406, { headers: { ...json, accept: 'image/png' }, body: query }],
  ['a body that is too large', 'TOO_LARGE_BODY', 413, { headers: json, body: ' '.repeat(65_537) }],
  ['another method', 'BAD_REQUEST', 405, { method: 'PUT', headers: json, body: query }],
  ['no query by GET', 'BAD_REQUEST', 400, { method: 'GET' }],
  ['a mutation by GET', 'BAD_REQUEST', 405, { method: 'GET', target: '/graphql?query=mutation{a}' }],
  [
    'broken variables by GET',
    'BAD_REQUEST',
    400,
    { method: 'GET', target: '/graphql?query={__typename}&variables={' },
  ],
  [
    'too many parameters',
    'BAD_REQUEST',
    400,
    { method: 'GET', target: `/graphql?query={__typename}${'&a'.repeat(100)}` },
  ],
  [
    'a target that is too long',
    'TOO_LONG_TARGET',
    414,
    { method: 'GET', target: `/graphql?query={__typename}&a=${'a'.repeat(65_536)}` },
  ],
]

test.each(unreadable)('%s is %s, status %i', async (_name, code, status, sent) => {
  for (let use = 1; use <= 2; use++) {
    const answer = await send(gateway, sent)
    expect(answer.status).toBe(status)
    expectCode(code, answer)
  }
})

describe('by GET', () => {
  test.for(wrong.filter(([name]) => name !== 'a mutation'))('%s is %s', async ([, code, params, status]) => {
    const texts = Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ])
    const target = `/graphql?${new URLSearchParams(texts)}`
    const answer = await send(gateway, { method: 'GET', target })
    expect(answer.status).toBe(status ?? 400)
    expectCode(code, answer)
  })
})

// GraphQL over HTTP: in plain JSON, the status says whether a request is one, and not what is wrong with a query.
describe('for application/json', () => {
  const accept = 'application/json'

  test.for(wrong)('%s is %s, status 200', async ([, code, params]) => {
    for (const type of [FAST, YOGA]) {
      const headers = { 'content-type': type, accept }
      const answer = await send(gateway, { headers, body: JSON.stringify(params) })
      expect(answer.status).toBe(200)
      expectCode(code, answer)
    }
  })

  test.each(unreadable.filter(([, , status]) => status !== 406))(
    '%s is %s, status %i',
    async (_name, code, status, sent) => {
      const answer = await send(gateway, { ...sent, headers: { ...sent.headers, accept } })
      expect(answer.status).toBe(status)
      expectCode(code, answer)
    },
  )
})
