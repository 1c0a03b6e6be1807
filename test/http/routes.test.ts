// The exact pathname of a target, as it was sent, decides the route.

import { expect } from 'vitest'
import { test } from '../kit/test.ts'
import { exchange, requestFor } from './raw.ts'

const LOOKUP = 'Event=ProfileLookup&Users=1'
const QUERY = 'query={__typename}'
const outcomes = {
  lookup: [200, /^\{"1":\{"Id":1,"Username":"Ada"/],
  GraphQL: [200, /^\{"data":\{"__typename":"Query"\}\}$/],
  'MissingParameter of a lookup': [400, /"Code":"MissingParameter"/],
  nothing: [404, /"Code":"NotFound"/],
} as const

test.for<readonly [outcome: keyof typeof outcomes, ...targets: string[]]>([
  ['lookup', `/?${LOOKUP}`, `http://gateway/?${LOOKUP}`, `http://evil.example/?${LOOKUP}`],
  ['lookup', `http://gateway?${LOOKUP}`, `/?${LOOKUP}&y=/graphql`, `/?${LOOKUP}&y=?/graphql`],
  ['lookup', `/?${LOOKUP}&y=/health`, `/?${LOOKUP}&y=%2Fgraphql`, `/?${LOOKUP}&y=#/graphql`],
  ['lookup', `/?${LOOKUP}#top`, `/?${LOOKUP}#:x&Users=2`, `http://gateway/?${LOOKUP}#`],
  ['GraphQL', `/graphql?${QUERY}`, '/graphql?query=%7B__typename%7D', `http://gateway/graphql?${QUERY}`],
  ['GraphQL', `http://evil.example/graphql?${QUERY}`, `/graphql?${QUERY}&y=/?${LOOKUP}`],
  ['GraphQL', `/graphql/?${QUERY}`],
  ['GraphQL', ...['health', 'ready', 'graphql', 'graphql/stream'].map((y) => `/graphql?${QUERY}&y=/${y}`)],
  ['MissingParameter of a lookup', `/?${QUERY}`, `/?${QUERY}&y=/graphql`, `/?${QUERY}#/graphql`],
  ['MissingParameter of a lookup', `/?y=/graphql&${QUERY}`, `/?/graphql?${QUERY}`],
  ['MissingParameter of a lookup', `http://gateway/?${QUERY}&y=/graphql`],
  ['nothing', `/GRAPHQL?${QUERY}`, `/%67raphql?${QUERY}`, `//graphql?${QUERY}`],
  [
    'nothing',
    ...['/./graphql', '/x/../graphql', '/x/graphql', '/graphql;a=b'].map((path) => `${path}?${QUERY}`),
  ],
  ['nothing', `/x#/?${LOOKUP}`, `/graphql%23?${QUERY}`],
  ['nothing', `/graphql%3F${QUERY}`, `/graphql%00?${QUERY}`, `/\\graphql?${QUERY}`],
  ['nothing', `//evil.example/?${LOOKUP}`, `//?${LOOKUP}`, `/\\?${LOOKUP}`, `/.?${LOOKUP}`, `/%2F?${LOOKUP}`],
  ['nothing', `/index.php?${LOOKUP}`, `/x?${LOOKUP}`, '/live', '/ready', '/metrics', '/health'],
  ['nothing', ...'/graphql/health /graphql/live /favicon.ico /robots.txt /.env /../../etc/passwd'.split(' ')],
  ['nothing', '/%2e%2e/%2e%2e/etc/passwd', '/__proto__', '/constructor'],
])('%s answers %j', async ([outcome, ...targets], { gateway }) => {
  const [status, body] = outcomes[outcome]
  for (const target of targets)
    expect(await exchange(gateway.url, requestFor(target)), target).toMatchObject({
      status,
      headers: { 'content-type': expect.stringMatching(/^application\/json/) },
      body: expect.stringMatching(body),
    })
})

test('values may look like an address', async ({ gateway }) => {
  const target = '/?Event=ProfileLookup&Users=a/health:ada&MethodOfAccessingUserInformation=username'
  const { status, body } = await exchange(gateway.url, requestFor(target))
  expect([status, Object.keys(JSON.parse(body))]).toEqual([200, ['ada']])
})

test.for([
  ['GET', `\\graphql?${QUERY}`],
  ['GET', `graphql?${QUERY}`],
  ['GET', `ftp://gateway/graphql?${QUERY}`],
  ['OPTIONS', '*'],
])('%s %s is a fault of the client', async ([method, target = ''], { gateway }) => {
  const { status } = await exchange(gateway.url, requestFor(target, undefined, method))
  expect([400, 404, 405]).toContain(status)
})

test('CONNECT is no way to another server', async ({ gateway }) => {
  const connecting = exchange(gateway.url, requestFor('evil.example:443', undefined, 'CONNECT'))
  await expect(connecting).rejects.toThrow('ended before an answer')
})
