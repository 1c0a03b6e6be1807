// What caches may do with GraphQL's responses to GET and HEAD.

import { expect } from 'vitest'
import { test as base } from '../kit/test.ts'

const test = base.extend('send', async ({ withSettings }) => {
  const { url } = await withSettings({ GRAPHQL_MAX_AGE: '60' })
  return (search: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    fetch(`${url}/graphql?${search}`, { method, headers: { accept: 'application/json', ...headers } })
})

const USER = 'query={users(values:"1"){id}}'

test('a whole response has an ETag, and is 304 for a client that has it', async ({ send }) => {
  const first = await send(USER)
  const etag = first.headers.get('etag') ?? ''
  expect(etag).toMatch(/^"[\w-]{27}"$/)
  expect(first.headers.get('cache-control')).toBe('public, max-age=60')
  expect(first.headers.get('vary')).toMatch(/\bAccept\b/)
  const again = await send(USER, { 'if-none-match': etag })
  expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
  expect((await send(USER.replace('"1"', '"9"'), { 'if-none-match': etag })).status).toBe(200)
  const head = await send(USER, {}, 'HEAD')
  expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([200, '', etag])
  expect(head.headers.get('content-length')).toBe(first.headers.get('content-length'))
})

test.for([
  ['an invalid query', 'query={nothing}'],
  ['no query', ''],
  ['too many values', `query={users(values:[${'1,'.repeat(1001)}]){id}}`],
] as const)('%s is not cached', async ([, search], { send }) => {
  const { headers } = await send(search)
  expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['no-store', null])
  expect(headers.get('vary')).toMatch(/\bAccept\b/)
})

test('each media type has an ETag of its own', async ({ send }) => {
  const types = ['application/json', 'application/graphql-response+json']
  const responses = await Promise.all(types.map((accept) => send(USER, { accept })))
  expect(new Set(responses.map(({ headers }) => headers.get('etag'))).size).toBe(2)
  expect(responses.map(({ headers }) => headers.get('content-type'))).toEqual(
    types.map((type) => `${type}; charset=utf-8`),
  )
})

test('a response to POST is not for caches', async ({ gateway }) => {
  const body = JSON.stringify({ query: '{users(values:"1"){id}}' })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body })
  expect([response.headers.get('cache-control'), response.headers.get('etag')]).toEqual([null, null])
})
