// LEGACY_DEPRECATION, LEGACY_SUNSET and LEGACY_SUNSET_LINK: RFC 9745, RFC 8594 and Link on every legacy
// answer.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { type Asking, ask } from './support/ask.ts'

const found = '/?Event=ProfileLookup&Users=1'
const answers: [name: string, status: number, target: string, asking?: Asking][] = [
  ['an answer', 200, found],
  ['an answer in XML', 200, `${found}&Format=XML`],
  ['an answer without body', 200, found, { method: 'HEAD' }],
  ['an answer the client has', 304, found, { headers: { 'if-none-match': '*' } }],
  ['a refusal', 400, '/?Event=Nope'],
  ['a refused method', 405, found, { method: 'PUT' }],
  ['a target too long', 414, found.padEnd(66_000, ':')],
  ['a target far too long', 414, found.padEnd(200_000, ':')],
]

describe('with all three settings', () => {
  let gateway: Gateway
  beforeAll(async () => {
    gateway = await startGateway({
      LEGACY_DEPRECATION: '2026-02-28',
      LEGACY_SUNSET: '2027-01-31T12:30:00Z',
      LEGACY_SUNSET_LINK: 'https://example.org/a b?c=>d',
    })
  })
  afterAll(() => gateway.close())

  test.for(answers)('%s carries the headers', async ([, status, target, asking], { expect }) => {
    const reply = await ask(gateway.url, target, asking)
    expect(reply.status).toBe(status)
    expect(reply.headers.deprecation).toBe('@1772236800')
    expect(reply.headers.sunset).toBe('Sun, 31 Jan 2027 12:30:00 GMT')
    const page = '<https://example.org/a%20b?c=%3Ed>'
    expect(reply.headers.link).toBe(`${page}; rel="deprecation", ${page}; rel="sunset"`)
    const exposed = String(reply.headers['access-control-expose-headers']).split(', ')
    expect(exposed).toEqual(expect.arrayContaining(['Deprecation', 'Sunset', 'Link']))
  })

  test('GraphQL is not deprecated', async () => {
    const { headers } = await ask(gateway.url, '/graphql?query={__typename}')
    expect([headers.deprecation, headers.sunset, headers.link]).toEqual([undefined, undefined, undefined])
  })
})

describe('by default', () => {
  let gateway: Gateway
  beforeAll(async () => {
    gateway = await startGateway()
  })
  afterAll(() => gateway.close())

  test.for(answers)('%s carries none of them', async ([, status, target, asking], { expect }) => {
    const { headers, status: answered } = await ask(gateway.url, target, asking)
    expect(answered).toBe(status)
    expect([headers.deprecation, headers.sunset, headers.link]).toEqual([undefined, undefined, undefined])
  })
})

describe('a sunset before the deprecation (RFC 9745 section 4)', () => {
  const read = (deprecation: string, sunset: string) => () =>
    readConfig({ environment: { LEGACY_DEPRECATION: deprecation, LEGACY_SUNSET: sunset } })

  test('is refused', () => {
    expect(read('2027-01-31', '2027-01-30T23:59:59Z')).toThrow(
      'LEGACY_SUNSET is earlier than LEGACY_DEPRECATION: an interface is deprecated before it stops answering. ' +
        'Set a later sunset, or an earlier deprecation.',
    )
  })

  test('may be at the same time', () => {
    expect(read('2027-01-31', '2027-01-31')).not.toThrow()
  })
})
