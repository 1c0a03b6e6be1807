// Automatic persisted queries: a client sends the hash of a query, and then the query itself if the gateway
// does not know the hash.

import { hash } from 'node:crypto'
import { expect, test as plain } from 'vitest'
import { createCallReader } from '../../src/graphql/calls.ts'
import { noTrustedDocuments } from '../../src/graphql/trusted.ts'
import type { Gateway } from '../kit/gateway.ts'
import { test } from '../kit/test.ts'
import { ask, get, type Params } from './client.ts'

const query = 'query Names($v: [ID!]!) {\n  users(values: $v) {\n    username\n    __typename\n  }\n}'
const sha256 = (text: string) => hash('sha256', text, 'hex')
const persisted = (sha256Hash: unknown, version: unknown = 1) => ({
  extensions: { persistedQuery: { version, sha256Hash } },
})
const failure = (code: string, status = 400) => ({ status, errors: [{ extensions: { code } }] })
const notFound = failure('PERSISTED_QUERY_NOT_FOUND', 200)
const variables = { v: ['1', 'søren & co'] }

type Sent = Params & { readonly method: 'GET' | 'POST' }

async function send({ method, ...params }: Sent, accept: string, { url }: Pick<Gateway, 'url'>) {
  const texts = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  const response =
    method === 'GET'
      ? await fetch(`${url}/graphql?${new URLSearchParams(texts)}`, { headers: { accept } })
      : await fetch(`${url}/graphql`, {
          method,
          headers: { accept, 'content-type': 'application/json' },
          body: JSON.stringify(params),
        })
  const { status, headers } = response
  return { status, cacheControl: headers.get('cache-control'), body: await response.json() }
}

const apollo = 'application/graphql-response+json,application/json;q=0.9'
const urql =
  'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed'
const named = { operationName: 'Names', variables }
const ofApollo = { clientLibrary: { name: '@apollo/client', version: '4.3.8' } }
const hashOf = { persistedQuery: { version: 1, sha256Hash: sha256(query) } }
const missed = { persistedQuery: { ...hashOf.persistedQuery, miss: true } }

// Recorded from Apollo Client 4.3.8 (PersistedQueryLink) and @urql/core 6.0.3 with @urql/exchange-persisted
// 5.0.1.
test.for<[client: string, accept: string, first: Sent, again: Sent]>([
  [
    'Apollo Client by GET',
    apollo,
    { method: 'GET', ...named, extensions: { ...ofApollo, ...hashOf } },
    { method: 'POST', ...named, extensions: { ...ofApollo, ...hashOf }, query },
  ],
  [
    'Apollo Client by POST',
    apollo,
    { method: 'POST', ...named, extensions: { ...ofApollo, ...hashOf } },
    { method: 'POST', ...named, extensions: { ...ofApollo, ...hashOf }, query },
  ],
  [
    'urql by GET',
    urql,
    { method: 'GET', ...named, extensions: hashOf },
    { method: 'GET', query, ...named, extensions: missed },
  ],
  [
    'urql by POST',
    urql,
    { method: 'POST', extensions: hashOf, ...named },
    { method: 'POST', extensions: missed, ...named, query },
  ],
])('%s', async ([, accept, first, again], { withSettings }) => {
  const fresh = await withSettings()
  const unknown = await send(first, accept, fresh)
  expect(unknown).toEqual({
    status: 200,
    cacheControl: first.method === 'GET' ? 'no-store' : null,
    body: {
      errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }],
    },
  })
  const registered = await send(again, accept, fresh)
  expect(registered).toMatchObject({ status: 200, body: { data: { users: [{ username: 'Ada' }, null] } } })
  for (const _use of [1, 2, 3, 4])
    expect(await send(first, accept, fresh)).toEqual({
      status: 200,
      cacheControl: first.method === 'GET' ? 'public, max-age=0' : null,
      body: registered.body,
    })
  const outcomes = fresh.observations.flatMap((one) => (one.type === 'request' ? [one.about.outcome] : []))
  expect(new Set(outcomes)).toEqual(new Set(['PersistedQueryNotFound', 'ok']))
})

test('a hash with its prefix, and a documentId, name a registered query, too', async ({ gateway }) => {
  await ask(gateway, { query, variables, ...persisted(`sha256:${sha256(query)}`) })
  for (const id of [sha256(query), `sha256:${sha256(query)}`])
    for (const params of [persisted(id), { documentId: id }])
      expect(await ask(gateway, { ...params, variables })).toMatchObject({
        data: { users: [{ username: 'Ada' }, null] },
      })
})

test.for([
  ['{', 'GRAPHQL_PARSE_FAILED'],
  ['{ nothing }', 'GRAPHQL_VALIDATION_FAILED'],
  [`{ ${'a: __typename '.repeat(1000)} }`, 'TOO_MANY_TOKENS'],
] as const)('the invalid query %s is not kept', async ([wrong, code], { gateway }) => {
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
  ['a text for an object', { extensions: { persistedQuery: 'x' } }, badRequest],
  ['an id beside the query', { query, documentId: sha256(query) }, badRequest],
  ['null for it', { extensions: { persistedQuery: null } }, badRequest],
])('%s', async ([, params, response], { gateway }) => {
  expect(await ask(gateway, params)).toMatchObject(response)
  expect(await get(gateway, params)).toMatchObject(response)
})

test('an id that is no string is refused', async ({ gateway }) => {
  for (const documentId of [1, [], {}, true])
    expect(await ask(gateway, { documentId })).toMatchObject(badRequest)
})

plain('the registered queries are bounded in number and in bytes', () => {
  let read = ''
  const readQuery = (text: string) => {
    read = text
    return { document: null, operations: [], errors: [] }
  }
  const options = { trusted: noTrustedDocuments, onlyTrusted: false, maxTokens: 1000 }
  const readCalls = createCallReader({ readQuery, ...options })
  const call = (text: string, query: string | null) =>
    readCalls([{ documentId: null, operationName: null, variables: {}, query, ...persisted(sha256(text)) }])
  const isKnown = (text: string) => {
    read = ''
    call(text, null)
    return read === text
  }
  const short = (at: number) => `{ a${at}: __typename }`
  for (let at = 0; at < 2_000; at++) call(short(at), short(at))
  expect(isKnown(short(0))).toBe(true)
  call('{ last }', '{ last }')
  // The least recently used one is gone.
  expect([isKnown(short(0)), isKnown(short(1)), isKnown('{ last }')]).toEqual([true, false, true])
  const long = (at: number) => `${short(at)} #${'x'.repeat(60_000)}`
  for (let at = 0; at <= 40; at++) call(long(at), long(at))
  expect([isKnown(long(0)), isKnown(long(40))]).toEqual([false, true])
})
