// What caches may do with GraphQL's answers to GET and HEAD.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway({ GRAPHQL_MAX_AGE: '60' })
})
afterAll(() => gateway.close())

const USER = 'query={users(values:"1"){id}}'

function ask(search: string, headers: Record<string, string> = {}, method = 'GET') {
  return fetch(`${gateway.url}/graphql?${search}`, {
    method,
    headers: { accept: 'application/json', ...headers },
  })
}

test.each([
  ['the fast path', USER],
  ['Yoga', USER.replace('q', '%71')],
])('a whole answer has an ETag, and is 304 for a client that has it: %s', async (_name, search) => {
  const first = await ask(search)
  const etag = first.headers.get('etag') ?? ''
  expect(etag).toMatch(/^"[\w-]{27}"$/)
  expect(first.headers.get('cache-control')).toBe('public, max-age=60')
  expect(first.headers.get('vary')).toMatch(/\bAccept\b/)
  const again = await ask(search, { 'if-none-match': etag })
  expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
  expect((await ask(search.replace('"1"', '"9"'), { 'if-none-match': etag })).status).toBe(200)
  const head = await ask(search, {}, 'HEAD')
  expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([200, '', etag])
  expect(head.headers.get('content-length')).toBe(first.headers.get('content-length'))
})

test.each([
  ['an invalid query', 'query={nothing}'],
  ['no query', ''],
  ['too many values', `query={users(values:[${'1,'.repeat(1001)}]){id}}`],
])('%s is not kept', async (_name, search) => {
  const { headers } = await ask(search)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('etag')).toBeNull()
  expect(headers.get('vary')).toMatch(/\bAccept\b/)
})

test('the media types of one answer are kept apart', async () => {
  const [one, other] = await Promise.all([
    ask(USER),
    ask(USER, { accept: 'application/graphql-response+json' }),
  ])
  expect(one.headers.get('etag')).not.toBe(other.headers.get('etag'))
  expect(one.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(other.headers.get('content-type')).toBe('application/graphql-response+json; charset=utf-8')
})

test('an answer to POST is not for caches', async () => {
  const body = JSON.stringify({ query: '{users(values:"1"){id}}' })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body })
  expect(response.headers.get('cache-control')).toBeNull()
  expect(response.headers.get('etag')).toBeNull()
})
