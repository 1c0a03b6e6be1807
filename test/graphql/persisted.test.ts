// Automatic persisted queries: a client sends the hash of a query, and then the query itself if the gateway
// does not know the hash.

import { hash } from 'node:crypto'
import { describe, expect } from 'vitest'
import { createCallReader } from '../../src/graphql/calls.ts'
import { noTrustedDocuments } from '../../src/graphql/trusted.ts'
import type { Gateway } from '../kit/gateway.ts'
import { test } from '../kit/test.ts'
import { ask, get, type Params, post } from './client.ts'
import { type Recorded, recorded } from './persisted-requests.ts'

type At = Pick<Gateway, 'url'>

async function send({ method, accept, text }: Recorded, at: At) {
  const sent = method === 'GET' ? {} : { body: text, headers: { 'content-type': 'application/json' } }
  const response = await fetch(`${at.url}/graphql${method === 'GET' ? `?${text}` : ''}`, {
    method,
    ...sent,
    headers: { accept, ...sent.headers },
  })
  const { status, headers } = response
  return { status, cacheControl: headers.get('cache-control'), body: await response.json() }
}

test.for(Object.entries(recorded))('%s', async ([, [first, again]], { withSettings }) => {
  const fresh = await withSettings()
  const extensions = { code: 'PERSISTED_QUERY_NOT_FOUND' }
  expect(await send(first, fresh)).toEqual({
    status: 200,
    cacheControl: first.method === 'GET' ? 'no-store' : null,
    body: { errors: [{ message: 'PersistedQueryNotFound', extensions }] },
  })
  const registered = await send(again, fresh)
  expect(registered).toMatchObject({ status: 200, body: { data: { users: [{ username: 'Ada' }, null] } } })
  for (const _use of [1, 2, 3, 4])
    expect(await send(first, fresh)).toEqual({
      status: 200,
      cacheControl: first.method === 'GET' ? 'public, max-age=0' : null,
      body: registered.body,
    })
  const outcomes = fresh.observations.flatMap((one) => (one.type === 'request' ? [one.about.outcome] : []))
  expect(new Set(outcomes)).toEqual(new Set(['PersistedQueryNotFound', 'ok']))
})

const query = 'query A($v: [ID!]!) { users(values: $v) { username } }'
const sha256 = (text: string) => hash('sha256', text, 'hex')
const persisted = (sha256Hash: unknown, version: unknown = 1) => ({
  extensions: { persistedQuery: { version, sha256Hash } },
})
const failure = (code: string, status = 400) => ({ status, errors: [{ extensions: { code } }] })
const notFound = failure('PERSISTED_QUERY_NOT_FOUND', 200)

test('a hash with its prefix, and a documentId, name a registered query, too', async ({ gateway }) => {
  const variables = { v: ['1'] }
  await ask(gateway, { query, variables, ...persisted(`sha256:${sha256(query)}`) })
  for (const named of [
    persisted(sha256(query)),
    persisted(`sha256:${sha256(query)}`),
    { documentId: sha256(query) },
    { documentId: `sha256:${sha256(query)}` },
  ])
    expect(await ask(gateway, { ...named, variables })).toMatchObject({
      data: { users: [{ username: 'Ada' }] },
    })
})

test.for([
  ['that cannot be parsed', '{', 'GRAPHQL_PARSE_FAILED'],
  ['that does not fit the schema', '{ nothing }', 'GRAPHQL_VALIDATION_FAILED'],
  ['beyond a limit', `{ ${'a: __typename '.repeat(1000)} }`, 'TOO_MANY_TOKENS'],
] as const)('a query %s is not kept', async ([, wrong, code], { gateway }) => {
  expect(await ask(gateway, { query: wrong, ...persisted(sha256(wrong)) })).toMatchObject(failure(code))
  expect(await ask(gateway, persisted(sha256(wrong)))).toMatchObject(notFound)
})

test('a query that does not have the hash is refused, and not kept', async ({ gateway }) => {
  const other = query.replace('username', 'id')
  for (const wrong of [sha256(other), sha256(query).toUpperCase(), sha256(query).slice(1), ''])
    expect(await ask(gateway, { query, ...persisted(wrong) })).toMatchObject(
      failure('PERSISTED_QUERY_MISMATCH'),
    )
  expect(await ask(gateway, persisted(sha256(other)))).toMatchObject(notFound)
})

test('a text that is not well-formed does not get the hash of another', async ({ gateway }) => {
  const [broken = '', whole = ''] = ['\ud800', '\ufffd'].map(
    (value) => `{ users(values: "${value}") { id } }`,
  )
  expect(sha256(broken)).toBe(sha256(whole))
  const statusOf = async (text: string) =>
    (await ask(gateway, { query: text, ...persisted(sha256(text)) })).status
  expect([await statusOf(broken), await statusOf(whole)]).toEqual([400, 200])
})

const badRequest = failure('BAD_REQUEST')
const unknownId = failure('PERSISTED_QUERY_NOT_FOUND')
test.for<[what: string, params: Params, response: object]>([
  ['an unknown hash', persisted('0'.repeat(64)), notFound],
  ['a hash of 10 KB', persisted('a'.repeat(10_000)), notFound],
  ['a hash that is empty', persisted(''), notFound],
  ['__proto__ as a hash', persisted('__proto__'), notFound],
  ['an unknown id', { documentId: 'sha256:0' }, unknownId],
  ['constructor as an id', { documentId: 'constructor' }, unknownId],
  ['version 2', persisted(sha256(query), 2), badRequest],
  ['no version', { extensions: { persistedQuery: { sha256Hash: sha256(query) } } }, badRequest],
  ['version 2 beside the query', { query, ...persisted(sha256(query), 2) }, badRequest],
  ['a hash that is a list', persisted([sha256(query)]), badRequest],
  ['no hash', persisted(undefined), badRequest],
  ['a text for an object', { extensions: { persistedQuery: 'x' } }, badRequest],
  ['an id beside the query', { query, documentId: sha256(query) }, badRequest],
  ['null for it', { extensions: { persistedQuery: null } }, badRequest],
])('%s', async ([, params, response], { gateway }) => {
  expect(await ask(gateway, params)).toMatchObject(response)
  expect(await get(gateway, params)).toMatchObject(response)
  // Yoga takes this media type, the fast path does not.
  expect(await post(gateway, JSON.stringify(params), 'application/graphql+json')).toMatchObject(response)
})

test.for([1, [], {}, true])('an id that is no string: %j', async (documentId, { gateway }) => {
  expect(await ask(gateway, { documentId })).toMatchObject(badRequest)
})

describe('the registered queries are bounded', () => {
  // What is registered does not matter here, and validation takes its time.
  const valid = { document: null, operations: [], errors: [] }
  function openRegister() {
    let read = ''
    const readQuery = (text: string) => {
      read = text
      return valid
    }
    const options = { trusted: noTrustedDocuments, onlyTrusted: false, maxTokens: 1000 }
    const readCalls = createCallReader({ readQuery, ...options })
    const named = (text: string) => ({
      ...{ documentId: null, operationName: null, variables: {} },
      ...persisted(sha256(text)),
    })
    const register = (text: string) => readCalls([{ query: text, ...named(text) }])
    const isKnown = (text: string) => {
      read = ''
      readCalls([{ query: null, ...named(text) }])
      return read === text
    }
    return { register, isKnown }
  }

  test('in number: 2,000, and the least recently used goes', () => {
    const { register, isKnown } = openRegister()
    const [first, second, last] = ['{ first: __typename }', '{ second: __typename }', '{ last: __typename }']
    for (const text of [first, second]) register(text)
    for (let index = 0; index < 1_998; index++) register(`{ a${index}: __typename }`)
    expect(isKnown(first)).toBe(true)
    register(last)
    expect([isKnown(first), isKnown(second), isKnown(last)]).toEqual([true, false, true])
  })

  test('in bytes', () => {
    const { register, isKnown } = openRegister()
    const long = (name: string) => `{ ${name}: __typename } #${'x'.repeat(60_000)}`
    for (let index = 0; index <= 40; index++) register(long(`a${index}`))
    expect([isKnown(long('a0')), isKnown(long('a40'))]).toEqual([false, true])
  })
})
