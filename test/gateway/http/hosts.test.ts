// The Host header is checked before any library could make a URL of it.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { exchange, requestFor } from './raw.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const targets = ['/?Event=ProfileLookup&Users=1', '/graphql?query={__typename}', '/nothing', '/']
const statusOf = async (target: string, ...headers: readonly string[]) =>
  (await exchange(gateway.url, requestFor(target, headers))).status

describe.each([
  ...['a', 'lookup.example', 'LOOKUP.example.', 'a_b.example', 'xn--bcher-kva.example', '127.0.0.1', '[::1]'],
  ...['a:4000', '127.0.0.1:4000', '[2001:db8::1]:4000', 'a:', 'b%C3%BCcher.example', ''],
])('"%s" is a host', (host) => {
  test('and its requests are answered', async () => {
    expect(await statusOf(targets[0] ?? '', `Host: ${host}`)).toBe(200)
    expect(await statusOf(targets[1] ?? '', `Host: ${host}`)).toBe(200)
  })
})

describe.each([
  ...[
    '[',
    '[]',
    '[::1',
    '[1.2.3.4]',
    '::1',
    'a b',
    ':',
    ':80',
    'a:b',
    'a:99999',
    'a:-1',
    'a/b',
    'a?b',
    'a@b',
    '<x>',
  ],
  ...['a\\b', 'a"b', 'é', 'a%zz', 'a%', 'a{b}', 'http://a/', 'a, b', 'a:80:80', 'a#b', 'a^b', 'a|b'],
])('"%s" is no host', (host) => {
  test('and is 400 in the words of the interface that was asked', async () => {
    for (const target of targets) {
      const { status, body } = await exchange(gateway.url, requestFor(target, [`Host: ${host}`]))
      expect(status).toBe(400)
      expect(body).not.toMatch(/\bat \S+ \(|node_modules|\.ts:\d/)
    }
    const { body } = await exchange(gateway.url, requestFor(targets[0] ?? '', [`Host: ${host}`]))
    expect(JSON.parse(body)).toMatchObject({ Error: { Code: 'MalformedHost' } })
    const graphql = await exchange(gateway.url, requestFor(targets[1] ?? '', [`Host: ${host}`]))
    expect(JSON.parse(graphql.body)).toMatchObject({ errors: [{ extensions: { code: 'MALFORMED_HOST' } }] })
    const xml = await exchange(gateway.url, requestFor(`${targets[0]}&Format=XML`, [`Host: ${host}`]))
    expect(xml.body).toContain('<Code>MalformedHost</Code>')
  })
})

test('two of them are 400, though they agree', async () => {
  for (const target of targets) {
    expect(await statusOf(target, 'Host: a', 'Host: b')).toBe(400)
    expect(await statusOf(target, 'Host: a', 'Host: a')).toBe(400)
  }
})

test('none with HTTP/1.1 is 400, in words', async () => {
  for (const target of targets) expect(await statusOf(target)).toBe(400)
  const { body, headers } = await exchange(gateway.url, requestFor(targets[0] ?? '', []))
  expect(JSON.parse(body)).toMatchObject({ Error: { Code: 'MalformedHost' } })
  expect(headers['x-request-id']).toBeDefined()
})

test('none with HTTP/1.0 is answered', async () => {
  for (const target of targets.slice(0, 2))
    expect((await exchange(gateway.url, `GET ${target} HTTP/1.0\r\n\r\n`)).status).toBe(200)
})
