// Automatic persisted queries: a client sends the hash of a query, and the query itself where that is not
// known.

import { hash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { get, type Params, post } from './client.ts'
import { type Recorded, recorded } from './persisted-requests.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

async function send({ method, accept, text }: Recorded, at: Gateway) {
  const sent = method === 'GET' ? {} : { body: text, headers: { 'content-type': 'application/json' } }
  const response = await fetch(`${at.url}/graphql${method === 'GET' ? `?${text}` : ''}`, {
    method,
    ...sent,
    headers: { accept, ...sent.headers },
  })
  const { status, headers } = response
  return { status, cacheControl: headers.get('cache-control'), body: await response.json() }
}

test.each(Object.entries(recorded))('%s', async (_client, [first, again]) => {
  const fresh = await startGateway()
  try {
    expect(await send(first, fresh)).toEqual({
      status: 200,
      cacheControl: first.method === 'GET' ? 'no-store' : null,
      body: {
        errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }],
      },
    })
    const registered = await send(again, fresh)
    expect(registered).toMatchObject({
      status: 200,
      body: { data: { users: [{ username: 'Ada' }, null] } },
    })
    for (let use = 0; use < 4; use++) expect((await send(first, fresh)).body).toEqual(registered.body)
    expect((await send(first, fresh)).cacheControl).toBe(first.method === 'GET' ? 'public, max-age=0' : null)
    const outcomes = fresh.observations.flatMap((one) => (one.type === 'request' ? [one.about.outcome] : []))
    expect(new Set(outcomes)).toEqual(new Set(['PersistedQueryNotFound', 'ok']))
  } finally {
    await fresh.close()
  }
})

const query = 'query A($v: [String!]!) { users(values: $v) { username } }'
const sha256 = (text: string) => hash('sha256', text, 'hex')
const persisted = (sha256Hash: unknown, version: unknown = 1) => ({
  extensions: { persistedQuery: { version, sha256Hash } },
})
const ask = (params: Params) => post(gateway, JSON.stringify(params))
const failure = (code: string, status = 400) => ({ status, errors: [{ extensions: { code } }] })
const notFound = failure('PERSISTED_QUERY_NOT_FOUND', 200)

test('a hash with its prefix, and a documentId, name a registered query, too', async () => {
  const variables = { v: ['1'] }
  await ask({ query, variables, ...persisted(`sha256:${sha256(query)}`) })
  for (const named of [
    persisted(sha256(query)),
    persisted(`sha256:${sha256(query)}`),
    { documentId: sha256(query) },
    { documentId: `sha256:${sha256(query)}` },
  ])
    expect(await ask({ ...named, variables })).toMatchObject({ data: { users: [{ username: 'Ada' }] } })
})

test.each([
  ['that cannot be parsed', '{', 'GRAPHQL_PARSE_FAILED'],
  ['that does not fit the schema', '{ nothing }', 'GRAPHQL_VALIDATION_FAILED'],
  ['beyond a limit', `{ ${'a: __typename '.repeat(1000)} }`, 'TOO_MANY_TOKENS'],
])('a query %s is not kept', async (_which, wrong, code) => {
  expect(await ask({ query: wrong, ...persisted(sha256(wrong)) })).toMatchObject(failure(code))
  expect(await ask(persisted(sha256(wrong)))).toMatchObject(notFound)
})

test('a query that is not the one of the hash is refused, and not kept', async () => {
  const other = query.replace('username', 'id')
  for (const wrong of [sha256(other), sha256(query).toUpperCase(), sha256(query).slice(1), ''])
    expect(await ask({ query, ...persisted(wrong) })).toMatchObject(failure('PERSISTED_QUERY_MISMATCH'))
  expect(await ask(persisted(sha256(other)))).toMatchObject(notFound)
})

test('a text that is not well-formed does not get the hash of another', async () => {
  const [broken = '', whole = ''] = ['\ud800', '\ufffd'].map(
    (value) => `{ users(values: "${value}") { id } }`,
  )
  expect(sha256(broken)).toBe(sha256(whole))
  expect((await ask({ query: broken, ...persisted(sha256(broken)) })).status).toBe(400)
  expect((await ask({ query: whole, ...persisted(sha256(whole)) })).status).toBe(200)
})

const badRequest = failure('BAD_REQUEST')
const unknownId = failure('PERSISTED_QUERY_NOT_FOUND')
test.each<[what: string, params: Params, answer: object]>([
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
])('%s', async (_what, params, answer) => {
  expect(await ask(params)).toMatchObject(answer)
  expect(await get(gateway, params)).toMatchObject(answer)
  // Yoga takes this media type, the fast path does not.
  expect(await post(gateway, JSON.stringify(params), 'application/graphql+json')).toMatchObject(answer)
})

test('an id that is no string', async () => {
  for (const documentId of [1, [], {}, true]) expect(await ask({ documentId })).toMatchObject(badRequest)
})

describe('what is kept is bounded', () => {
  const registeredAs = async (text: string) => {
    expect((await ask({ query: text, ...persisted(sha256(text)) })).status).toBe(200)
    return persisted(sha256(text))
  }
  const isKnown = async (named: object) => (await ask(named)).errors === undefined

  test('in documents', async () => {
    const first = await registeredAs('{ first: __typename }')
    const second = await registeredAs('{ second: __typename }')
    for (let index = 0; index < 1_998; index++) await registeredAs(`{ a${index}: __typename }`)
    expect(await isKnown(first)).toBe(true)
    // Which makes the second the one that was asked for least lately.
    const last = await registeredAs('{ last: __typename }')
    expect([await isKnown(first), await isKnown(second), await isKnown(last)]).toEqual([true, false, true])
  })

  test('in bytes', async () => {
    const long = (name: string) => `{ ${name}: __typename } #${'x'.repeat(60_000)}`
    const first = await registeredAs(long('first'))
    let last = first
    for (let index = 0; index < 40; index++) last = await registeredAs(long(`a${index}`))
    expect([await isKnown(first), await isKnown(last)]).toEqual([false, true])
  })
})
