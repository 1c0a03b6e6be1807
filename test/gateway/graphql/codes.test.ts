// Every error has a code and a status, and docs/graphql.md explains the code.

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import type { Params } from './client.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

interface Sent {
  readonly method?: string
  readonly target?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const response = 'application/graphql-response+json'
const explained = readFileSync(new URL('../../../docs/graphql.md', import.meta.url), 'utf8')

/** Sends a request, whose errors must all have this code. @returns the status */
async function statusOf(code: string, sent: Sent, accept: string): Promise<number> {
  const { method = 'POST', target = '/graphql', body = null } = sent
  const headers = { accept, ...sent.headers }
  const answer = await fetch(`${gateway.url}${target}`, { method, headers, body })
  const text = await answer.text()
  const { errors }: { errors: { extensions?: { code?: unknown } }[] } = JSON.parse(text)
  expect(new Set(errors.map(({ extensions }) => extensions?.code)), text).toEqual(new Set([code]))
  expect(explained).toContain(`| \`${code}\` |`)
  return answer.status
}

const json = { 'content-type': 'application/json' }
const posted = (params: Params): Sent => ({ headers: json, body: JSON.stringify(params) })
const get = (target: string): Sent => ({ method: 'GET', target: `/graphql${target}` })

const byMethod = 'query ($by: UserLookupMethod = ID) { users(by: $by, values: "1") { id } }'
const listed = 'query ($v: [String!]!) { users(values: $v) { id } }'
const wide = `query ($v: [String!]!) { users(values: $v) { rank a: id b: id c: id d: id e: id f: id g: id h: id i: id j: id } }`
const aliases = Array.from({ length: 101 }, (_, at) => `a${at}: id`)
const deep = `{ __schema { types { ${'fields { type { '.repeat(3)} name ${'} } '.repeat(3)} } } }`

// GraphQL over HTTP: in plain JSON, the status says whether a request is one, and not what is wrong with a query.
test.each<[name: string, code: string, params: Params, status?: number]>([
  ['no syntax', 'GRAPHQL_PARSE_FAILED', { query: '{ users(' }],
  ['an empty query', 'GRAPHQL_PARSE_FAILED', { query: ' ' }],
  ['two unknown fields', 'GRAPHQL_VALIDATION_FAILED', { query: '{ usres asps }' }],
  ['a wrong literal', 'GRAPHQL_VALIDATION_FAILED', { query: '{ users(values: [1]) { id } }' }],
  ['a mutation', 'GRAPHQL_VALIDATION_FAILED', { query: 'mutation { a }' }],
  ['a deep introspection', 'GRAPHQL_VALIDATION_FAILED', { query: deep }],
  ['a missing variable', 'BAD_USER_INPUT', { query: 'query ($id: ID!) { app(id: $id) { id } }' }],
  ['a wrong enum variable', 'BAD_USER_INPUT', { query: byMethod, variables: { by: 'NAME' } }],
  ['many wrong values', 'BAD_USER_INPUT', { query: listed, variables: { v: Array(99).fill(1) } }],
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
  [
    'no one operation',
    'OPERATION_RESOLUTION_FAILURE',
    { query: 'query A { __typename } query B { __typename }' },
  ],
  ['fields too deep', 'TOO_DEEP', { query: `${'{ a '.repeat(7)}${'}'.repeat(7)}` }],
  ['too many aliases', 'TOO_MANY_ALIASES', { query: `{ users(values: []) { ${aliases.join(' ')} } }` }],
  ['a long alias', 'TOO_LONG_ALIAS', { query: `{ ${'a'.repeat(201)}: __typename }` }],
  ['too many tokens', 'TOO_MANY_TOKENS', { query: `{ ${'__typename '.repeat(1000)} }` }],
  ['too many values', 'TOO_MANY_VALUES', { query: listed, variables: { v: Array(1001).fill('1') } }],
  ['too many fields', 'TOO_MANY_FIELDS', { query: wide, variables: { v: Array(910).fill('1') } }],
  [
    'two introspections',
    'TOO_MUCH_INTROSPECTION',
    { query: '{ a: __schema { __typename } b: __type(name: "User") { __typename } }' },
  ],
  ['an alias in an introspection', 'TOO_MUCH_INTROSPECTION', { query: '{ __schema { types { a: name } } }' }],
])('%s is %s', async (_name, code, params, status = 400) => {
  // Often enough that an operation is compiled.
  for (let use = 1; use <= 4; use++) expect(await statusOf(code, posted(params), response)).toBe(status)
  expect(await statusOf(code, posted(params), 'application/json')).toBe(200)
})

const query = JSON.stringify({ query: '{ __typename }' })
test.each<[name: string, code: string, status: number, sent: Sent]>([
  ['a body that is no JSON', 'BAD_REQUEST', 400, { headers: json, body: '{' }],
  ['JSON that is no object', 'BAD_REQUEST', 400, { headers: json, body: '1' }],
  ['several requests', 'BAD_REQUEST', 400, { headers: json, body: `[${query}]` }],
  ['no query', 'BAD_REQUEST', 400, posted({})],
  ['a query that is a number', 'BAD_REQUEST', 400, posted({ query: 1 })],
  ['variables that are a text', 'BAD_REQUEST', 400, posted({ query: '{a}', variables: 'a' })],
  ['an operation name that is a list', 'BAD_REQUEST', 400, posted({ query: '{a}', operationName: ['a'] })],
  ['extensions that are a list', 'BAD_REQUEST', 400, posted({ query: '{a}', extensions: [] })],
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
  ['no query by GET', 'BAD_REQUEST', 400, get('')],
  ['a mutation by GET', 'BAD_REQUEST', 405, get('?query=mutation{a}')],
  ['an unknown field by GET', 'GRAPHQL_VALIDATION_FAILED', 400, get('?query={a}')],
  ['broken variables by GET', 'BAD_REQUEST', 400, get('?query={__typename}&variables={')],
  ['too many parameters', 'BAD_REQUEST', 400, get(`?query={__typename}${'&a'.repeat(100)}`)],
  ['a target that is too long', 'TOO_LONG_TARGET', 414, get(`?query={__typename}&a=${'a'.repeat(65_536)}`)],
])('%s is %s, status %i', async (_name, code, status, sent) => {
  for (const accept of [response, 'application/json']) {
    const isOfQuery = code.startsWith('GRAPHQL') && accept !== response
    expect(await statusOf(code, sent, accept)).toBe(isOfQuery ? 200 : status)
  }
})
