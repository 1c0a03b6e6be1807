// Automatic persisted queries: a client sends the hash of a query, and the query itself where that is not
// known.

import { hash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { type Recorded, recorded } from './persisted-requests.ts'

let gateway: Gateway
beforeEach(async () => {
  gateway = await startGateway()
  return gateway.close
})

async function send({ method, accept, text }: Recorded, at = gateway) {
  const sent = method === 'GET' ? {} : { body: text, headers: { 'content-type': 'application/json' } }
  const response = await fetch(`${at.url}/graphql${method === 'GET' ? `?${text}` : ''}`, {
    method,
    ...sent,
    headers: { accept, ...sent.headers },
  })
  const { status, headers } = response
  return { status, cacheControl: headers.get('cache-control'), body: await response.json() }
}

const outcomes = () =>
  gateway.observations.flatMap((one) => (one.type === 'request' ? [one.about.outcome] : []))

test.each(Object.entries(recorded))('%s', async (_client, [first, again]) => {
  const unknown = await send(first)
  expect(unknown).toEqual({
    status: 200,
    cacheControl: first.method === 'GET' ? 'no-store' : null,
    body: {
      errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }],
    },
  })
  const registered = await send(again)
  expect(registered).toMatchObject({ status: 200, body: { data: { users: [{ username: 'Ada' }, null] } } })
  for (let use = 0; use < 4; use++) expect((await send(first)).body).toEqual(registered.body)
  expect((await send(first)).cacheControl).toBe(first.method === 'GET' ? 'public, max-age=0' : null)
  expect(new Set(outcomes())).toEqual(new Set(['PersistedQueryNotFound', 'ok']))
})

const query = 'query A($v: [String!]!) { users(values: $v) { username } }'
const sha256 = (text: string) => hash('sha256', text, 'hex')
const persisted = (sha256Hash: unknown, version: unknown = 1) => ({
  extensions: { persistedQuery: { version, sha256Hash } },
})
const post = (params: object, accept = 'application/json') =>
  send({ method: 'POST', accept, text: JSON.stringify(params) })

test('a hash with its prefix, and a documentId, name a registered query, too', async () => {
  const variables = { v: ['1'] }
  await post({ query, variables, ...persisted(`sha256:${sha256(query)}`) })
  for (const named of [
    persisted(sha256(query)),
    persisted(`sha256:${sha256(query)}`),
    { documentId: sha256(query) },
    { documentId: `sha256:${sha256(query)}` },
  ])
    expect((await post({ ...named, variables })).body).toEqual({ data: { users: [{ username: 'Ada' }] } })
})

test.each([
  ['that cannot be parsed', '{'],
  ['that does not fit the schema', '{ nothing }'],
  ['beyond a limit', `{ ${'a: __typename '.repeat(1000)} }`],
])('a query %s is not kept', async (_which, wrong) => {
  const refused = await post({ query: wrong, ...persisted(sha256(wrong)) })
  expect(refused.body.errors[0].extensions.code).not.toBe('PERSISTED_QUERY_NOT_FOUND')
  expect(refused.body.data).toBeUndefined()
  const { body } = await post(persisted(sha256(wrong)))
  expect(body.errors[0].extensions.code).toBe('PERSISTED_QUERY_NOT_FOUND')
})

test('a query that is not the one of the hash is refused, and not kept', async () => {
  const other = query.replace('username', 'id')
  for (const wrong of [sha256(other), sha256(query).toUpperCase(), sha256(query).slice(1), ''])
    expect(await post({ query, ...persisted(wrong) })).toMatchObject({
      status: 400,
      body: { errors: [{ extensions: { code: 'PERSISTED_QUERY_MISMATCH' } }] },
    })
  const { body } = await post(persisted(sha256(other)))
  expect(body.errors[0].message).toBe('PersistedQueryNotFound')
})

test('a text that is not well-formed does not get the hash of another', async () => {
  const [broken, whole] = ['\ud800', '\ufffd'].map((value) => `{ users(values: "${value}") { id } }`)
  expect(sha256(broken ?? '')).toBe(sha256(whole ?? ''))
  expect((await post({ query: broken, ...persisted(sha256(broken ?? '')) })).status).toBe(400)
  expect((await post({ query: whole, ...persisted(sha256(whole ?? '')) })).status).toBe(200)
})

describe('what is asked for wrongly', () => {
  let one: Gateway
  beforeAll(async () => {
    one = await startGateway()
  })
  afterAll(() => one.close())

  const notFound = { extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }
  const badRequest = { extensions: { code: 'BAD_REQUEST' } }

  test.each([
    ['an unknown hash', persisted('0'.repeat(64)), 200, notFound],
    ['a hash of 10 KB', persisted('a'.repeat(10_000)), 200, notFound],
    ['a hash that is empty', persisted(''), 200, notFound],
    ['__proto__ as a hash', persisted('__proto__'), 200, notFound],
    ['constructor as a hash', persisted('constructor'), 200, notFound],
    ['an unknown id', { documentId: 'sha256:0' }, 400, notFound],
    ['__proto__ as an id', { documentId: '__proto__' }, 400, notFound],
    ['constructor as an id', { documentId: 'constructor' }, 400, notFound],
    ['version 2', persisted(sha256(query), 2), 400, badRequest],
    ['a version in quotes', persisted(sha256(query), '1'), 400, badRequest],
    ['no version', { extensions: { persistedQuery: { sha256Hash: sha256(query) } } }, 400, badRequest],
    ['version 2 beside the query', { query, ...persisted(sha256(query), 2) }, 400, badRequest],
    ['a hash that is a number', persisted(1), 400, badRequest],
    ['a hash that is a list', persisted([sha256(query)]), 400, badRequest],
    ['no hash', persisted(undefined), 400, badRequest],
    ['a text for an object', { extensions: { persistedQuery: 'x' } }, 400, badRequest],
    ['a list for an object', { extensions: { persistedQuery: [] } }, 400, badRequest],
    ['an id beside the query', { query, documentId: sha256(query) }, 400, badRequest],
    ['null for both', { documentId: null, extensions: { persistedQuery: null } }, 400, badRequest],
  ])('%s', async (_what, params, status, error) => {
    const text = JSON.stringify(params)
    const entries = Object.entries(params).flatMap(([name, value]) =>
      value === null ? [] : [[name, typeof value === 'string' ? value : JSON.stringify(value)]],
    )
    const search = String(new URLSearchParams(entries))
    const asked = (type: string, accept: string) => ({
      method: 'POST',
      body: text,
      headers: { 'content-type': type, accept },
    })
    const answerTo = async (input: string, init: RequestInit) => {
      const response = await fetch(`${one.url}/graphql${input}`, init)
      return {
        status: response.status,
        type: response.headers.get('content-type'),
        body: await response.json(),
      }
    }
    for (const accept of ['application/graphql-response+json', 'application/json']) {
      const fast = await answerTo('', asked('application/json', accept))
      expect(fast.body).toMatchObject({ errors: [error] })
      if (accept !== 'application/json') expect(fast.status).toBe(status)
      // Yoga takes this media type, and escaped names, the fast path does not.
      expect(await answerTo('', asked('application/graphql+json', accept))).toEqual(fast)
      const byGet = await answerTo(`?${search}`, { headers: { accept } })
      expect(byGet).toEqual(fast)
      expect(
        await answerTo(`?${search.replace(/^d/, '%64').replace(/^e/, '%65').replace(/^q/, '%71')}`, {
          headers: { accept },
        }),
      ).toEqual(fast)
    }
  })

  test('an id that is no string', async () => {
    for (const documentId of [1, [], {}, true])
      expect(await post({ documentId }, 'application/json')).toMatchObject({
        status: 400,
        body: { errors: [badRequest] },
      })
  })
})

describe('what is kept is bounded', () => {
  const registeredAs = async (text: string) => {
    const { status } = await post({ query: text, ...persisted(sha256(text)) })
    expect(status).toBe(200)
    return persisted(sha256(text))
  }
  const isKnown = async (named: object) => (await post(named)).body.errors === undefined

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
