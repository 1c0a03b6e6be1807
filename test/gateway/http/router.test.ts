// What answers a request: by the exact pathname, as it was sent, whatever else the target holds.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { exchange, type RawAnswer, requestFor } from './raw.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const send = (target: string) => exchange(gateway.url, requestFor(target))

/** The code of a legacy error, or of a refusal by the router. */
function codeOf({ body }: RawAnswer): unknown {
  return JSON.parse(body).Error?.Code
}

const LOOKUP = 'Event=ProfileLookup&Users=1'
const TYPENAME = '{"data":{"__typename":"Query"}}'

describe('is a look-up', () => {
  test.each([
    ['a query string at /', `/?${LOOKUP}`],
    ['one with an absolute target', `http://gateway/?${LOOKUP}`],
    ['one with another host in its target', `http://evil.example/?${LOOKUP}`],
    ['one with an absolute target without a path', `http://gateway?${LOOKUP}`],
    ['one that names other addresses behind', `/?${LOOKUP}&y=/graphql`],
    ['one with a question mark in it', `/?${LOOKUP}&y=?/graphql`],
    ['one with the health check of Yoga behind', `/?${LOOKUP}&y=/health`],
    ['one with an encoded address behind', `/?${LOOKUP}&y=%2Fgraphql`],
    ['one with a fragment', `/?${LOOKUP}&y=#/graphql`],
  ])('%s', async (_name, target) => {
    const { status, body } = await send(target)
    expect(status).toBe(200)
    expect(JSON.parse(body)).toMatchObject({ 1: { Username: 'Ada' } })
  })

  test('one whose values look like an address', async () => {
    const target = '/?Event=ProfileLookup&Users=a/health:ada&MethodOfAccessingUserInformation=username'
    const { status, body } = await send(target)
    expect(status).toBe(200)
    expect(Object.keys(JSON.parse(body))).toEqual(['ada'])
  })
})

describe('does not run as GraphQL', () => {
  const query = 'query={__typename}'
  test.each([
    `/?${query}`,
    `/?${query}&y=/graphql`,
    `/?${query}#/graphql`,
    `/?y=/graphql&${query}`,
    `/?/graphql?${query}`,
    `http://gateway/?${query}&y=/graphql`,
  ])('%s', async (target) => {
    const answer = await send(target)
    expect(answer.status).toBe(400)
    expect(codeOf(answer)).toBe('MissingParameter')
    expect(answer.body).not.toContain('__typename')
  })
  test.each([
    `/graphql/?${query}`,
    `/GRAPHQL?${query}`,
    `/%67raphql?${query}`,
    `//graphql?${query}`,
    `/./graphql?${query}`,
    `/x/../graphql?${query}`,
    `/x/graphql?${query}`,
    `/graphql;a=b?${query}`,
    `/graphql%3F${query}`,
    `/graphql%00?${query}`,
    `\\graphql?${query}`,
    `/\\graphql?${query}`,
    `graphql?${query}`,
    `ftp://gateway/graphql?${query}`,
  ])('%s', async (target) => {
    const answer = await send(target)
    expect([400, 404]).toContain(answer.status)
    expect(answer.body).not.toContain('__typename')
  })
})

describe('runs as GraphQL', () => {
  test.each([
    '/graphql?query={__typename}',
    '/graphql?query=%7B__typename%7D',
    '/graphql?query={__typename}&y=/?Event=ProfileLookup',
    '/graphql?query={__typename}&y=/health',
    '/graphql?query={__typename}&y=/ready',
    '/graphql?query={__typename}&y=/graphql',
    '/graphql?query={__typename}&y=/graphql/stream',
    'http://gateway/graphql?query={__typename}',
    'http://evil.example/graphql?query={__typename}',
  ])('%s', async (target) => {
    const { status, body } = await send(target)
    expect({ status, body }).toEqual({ status: 200, body: TYPENAME })
  })
})

describe('is nothing', () => {
  test.each([
    `//evil.example/?${LOOKUP}`,
    `//?${LOOKUP}`,
    `/\\?${LOOKUP}`,
    `/.?${LOOKUP}`,
    `/%2F?${LOOKUP}`,
    `/index.php?${LOOKUP}`,
    `/x?${LOOKUP}`,
    '/live',
    '/ready',
    '/metrics',
    '/health',
    '/graphql/health',
    '/graphql/live',
    '/favicon.ico',
    '/robots.txt',
    '/.env',
    '/../../etc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/__proto__',
    '/constructor',
  ])('%s', async (target) => {
    const answer = await send(target)
    expect(answer.status).toBe(404)
    expect(codeOf(answer)).toBe('NotFound')
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  })
  test('* of OPTIONS', async () => {
    const answer = await exchange(gateway.url, requestFor('*', undefined, 'OPTIONS'))
    expect(answer.status).toBeLessThan(500)
    expect(answer.status).toBeGreaterThanOrEqual(400)
  })
  test('CONNECT to somewhere else', async () => {
    const connected = exchange(gateway.url, requestFor('evil.example:443', undefined, 'CONNECT'))
    const status = await connected.then(
      (answer) => answer.status,
      () => 'cut',
    )
    expect(status).not.toBe(200)
  })
})
