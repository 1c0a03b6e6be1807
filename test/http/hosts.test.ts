// The Host header is checked before a library builds a URL from it.

import { expect } from 'vitest'
import { expectNoSecrets } from '../kit/secrets.ts'
import { test } from '../kit/test.ts'
import { exchange, requestFor } from './raw.ts'

const LOOKUP = '/?Event=ProfileLookup&Users=1'
const GRAPHQL = '/graphql?query={__typename}'

test.for([
  ...['a', 'lookup.example', 'LOOKUP.example.', 'a_b.example', 'xn--bcher-kva.example', '127.0.0.1', '[::1]'],
  ...['a:4000', 'a:65535', '127.0.0.1:4000', '[2001:db8::1]:4000', 'a:', 'b%C3%BCcher.example', ''],
])('"%s" is a host', async (host, { gateway }) => {
  for (const target of [LOOKUP, GRAPHQL])
    expect(await exchange(gateway.url, requestFor(target, [`Host: ${host}`]))).toMatchObject({ status: 200 })
})

const malformed = [
  ...'[ [] [::1 [1.2.3.4] ::1 : :80 a:b a:65536 a:99999 a:-1 a/b a?b a@b <x> a\\b a"b'.split(' '),
  ...'\xe9 a%zz a% a{b} http://a/ a:80:80 a#b a^b a|b'.split(' '),
  ...['a b', 'a, b'],
]
test.for([...malformed.map((host) => [`Host: ${host}`]), ['Host: a', 'Host: b'], ['Host: a', 'Host: a'], []])(
  '%j is 400 in the format of the interface',
  async (headers, { gateway }) => {
    for (const [target, code] of [
      [LOOKUP, '"Code":"MalformedHost"'],
      [`${LOOKUP}&Format=XML`, '<Code>MalformedHost</Code>'],
      [GRAPHQL, '"code":"MALFORMED_HOST"'],
      ['/nothing', '"Code":"MalformedHost"'],
      ['/', '"Code":"MalformedHost"'],
    ] as const) {
      const refused = await exchange(gateway.url, requestFor(target, headers))
      expect(refused).toMatchObject({ status: 400, body: expect.stringContaining(code) })
      expect(refused.headers).toHaveProperty('x-request-id')
      expectNoSecrets(refused.body, target)
    }
  },
)

test('HTTP/1.0 needs no Host', async ({ gateway }) => {
  for (const target of [LOOKUP, GRAPHQL])
    expect(await exchange(gateway.url, `GET ${target} HTTP/1.0\r\n\r\n`)).toMatchObject({ status: 200 })
})
