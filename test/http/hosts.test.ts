// The Host header is nobody's business here.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../support/gateway.ts'
import { exchange, requestFor } from './raw.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const LOOKUP = 'Event=ProfileLookup&Users=1'
const TYPENAME = '{"data":{"__typename":"Query"}}'

// Yoga makes a URL of the Host header, and fails on what does not parse.
describe('a strange Host header never is an error of ours', () => {
  const hosts = [
    'Host: [',
    'Host: a b',
    'Host: ',
    'Host: :',
    'Host: :99999',
    'Host: a/b',
    'Host: <x>',
    'Host: é',
    `Host: ${'a'.repeat(5000)}`,
  ]
  test.each(hosts)('%s', async (host) => {
    const lookup = await exchange(gateway.url, requestFor(`/?${LOOKUP}`, [host]))
    const graphql = await exchange(gateway.url, requestFor('/graphql?query={__typename}', [host]))
    for (const { status } of [lookup, graphql]) expect([200, 400]).toContain(status)
    for (const { body } of [lookup, graphql]) expect(body).not.toMatch(/\bat \S+ \(|node_modules|\.ts:\d/)
    // What Node lets pass is answered.
    expect(graphql.status).toBe(lookup.status)
    if (graphql.status === 200) expect(graphql.body).toBe(TYPENAME)
  })
  test('two of them', async () => {
    const { status } = await exchange(
      gateway.url,
      requestFor('/graphql?query={__typename}', ['Host: a', 'Host: b']),
    )
    expect([200, 400]).toContain(status)
  })
  test('none with HTTP/1.1', async () => {
    expect((await exchange(gateway.url, requestFor('/graphql?query={__typename}', []))).status).toBe(400)
  })
  test.each([`/?${LOOKUP}`, '/graphql?query={__typename}'])('none with HTTP/1.0: %s', async (target) => {
    const { status } = await exchange(gateway.url, `GET ${target} HTTP/1.0\r\n\r\n`)
    expect(status).toBe(200)
  })
})
