// Pages of other sites may read everything, and send no credentials. The cross-origin test of the pages uses
// a real browser.

import { expect } from 'vitest'
import { test } from '../kit/test.ts'
import { exchange, requestFor } from './raw.ts'

const ORIGIN = 'Origin: https://evil.example'

test.for([
  '/?Event=ProfileLookup&Users=1',
  '/?Event=Nothing',
  '/graphql?query={__typename}',
  '/graphql?query={',
  '/graphql',
  '/nowhere',
  `/?${'x'.repeat(70_000)}`,
])('%s is open to every origin, without credentials', async (target, { gateway }) => {
  for (const headers of [[ORIGIN], ['Origin: null'], [ORIGIN, 'Cookie: a=b']]) {
    const response = await exchange(gateway.url, requestFor(target, ['Host: gateway', ...headers]))
    expect(response.headers['access-control-allow-origin']).toBe('*')
    expect(response.headers).not.toHaveProperty('access-control-allow-credentials')
  }
})

test('a page of another origin may ask the old interface, with headers of its own', async ({ gateway }) => {
  const asked = ['Access-Control-Request-Method: GET', 'Access-Control-Request-Headers: x-requested-with']
  for (const target of ['/?Event=ProfileLookup&Users=1', '/']) {
    const request = requestFor(target, ['Host: gateway', ORIGIN, ...asked], 'OPTIONS')
    const { status, headers } = await exchange(gateway.url, request)
    expect(status).toBe(204)
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'x-requested-with',
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
    })
  }
})

test('a page of another origin may read why a request is refused', async ({ gateway }) => {
  const long = requestFor('/?Event=ProfileLookup&Users=1', ['Host: gateway', `X-Long: ${'x'.repeat(40_000)}`])
  for (const [status, request] of [
    [431, long],
    [405, requestFor('/?Event=ProfileLookup&Users=1', ['Host: gateway'], 'PUT')],
    [405, requestFor('/explain', ['Host: gateway'], 'PUT')],
    [400, 'nonsense\r\n\r\n'],
  ] as const)
    expect(await exchange(gateway.url, request)).toMatchObject({
      status,
      headers: { 'access-control-allow-origin': '*' },
    })
})

/** A preflight of /graphql. @param lists values of Access-Control-Request-Headers */
function preflight(url: string, lists: readonly string[], method = 'POST') {
  const asked = lists.map((list) => `Access-Control-Request-Headers: ${list}`)
  const headers = ['Host: gateway', ORIGIN, `Access-Control-Request-Method: ${method}`, ...asked]
  return exchange(url, requestFor('/graphql', headers, 'OPTIONS'))
}

const ALL = '*, authorization'
const LONGEST = 1000
const clients = 'apollographql-client-name,authorization,content-type,traceparent,x-request-id'
test.for([
  ['content-type', ['content-type']],
  [clients, [clients]],
  ['Content-Type, X-Mine', ['Content-Type, X-Mine']],
  ["a!#$%&'*+.^`|~_-9", ["a!#$%&'*+.^`|~_-9"]],
  ['x'.repeat(LONGEST), ['x'.repeat(LONGEST)]],
  // From an HTTP client that is no browser.
  ['a ,\tb', ['a ,\tb']],
  ['a,b, c', ['a,b', 'c']],
  ...[[], [''], ['a,,b'], ['a,'], ['a b'], ['a: b'], ['"a"'], ['\xe4'], ['x'.repeat(LONGEST + 1)]].map(
    (lists) => [ALL, lists] as const,
  ),
  [ALL, ['x,'.repeat(10_000)]],
] as const)('a preflight allows %s when a page asks for %j', async ([allowed, lists], { gateway }) => {
  const { status, headers, body } = await preflight(gateway.url, lists)
  expect([status, body]).toEqual([204, ''])
  expect(headers).toMatchObject({
    'access-control-allow-headers': allowed,
    'access-control-allow-origin': '*',
    vary: 'Access-Control-Request-Headers',
  })
  for (const name of ['content-length', 'transfer-encoding', 'access-control-allow-credentials'])
    expect(headers).not.toHaveProperty(name)
})
