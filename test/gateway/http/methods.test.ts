// Methods: HEAD as GET without a body, and what is not allowed.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { exchange, requestFor, talking } from './raw.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const page = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const LOOKUP = '/?Event=ProfileLookup&Users=1'
const send = (target: string, accept: string, method = 'GET') =>
  exchange(
    gateway.url,
    requestFor(target, ['Host: gateway', 'X-Request-Id: r-1', `Accept: ${accept}`], method),
  )

describe('HEAD', () => {
  test.each([
    ['the explorer', '/', page],
    ['GraphiQL', '/graphql', page],
    ['a look-up', LOOKUP, '*/*'],
    ['a refused look-up', '/', '*/*'],
    ['nothing', '/nothing', '*/*'],
  ])('of %s has the headers of GET and no body', async (_name, target, accept) => {
    const got = await send(target, accept)
    const head = await send(target, accept, 'HEAD')
    const stable = ({ date: _date, ...headers }: Readonly<Record<string, string>>) => headers
    expect({ status: head.status, headers: stable(head.headers) }).toEqual({
      status: got.status,
      headers: stable(got.headers),
    })
    expect(head.body).toBe('')
  })
  test('of GraphQL has no body and is no error of ours', async () => {
    const conversation = await send('/graphql?query={__typename}', 'application/json', 'HEAD')
    expect([200, 405]).toContain(conversation.status)
  })
  test.each(['/graphql', '/graphql?query={__typename}', LOOKUP, '/nothing'])(
    'of %s leaves the connection fit for the next request',
    (target) =>
      talking(gateway.url, async ({ write, answer }) => {
        write(requestFor(target, ['Host: gateway', `Accept: ${page}`], 'HEAD'))
        expect((await answer({ head: true })).status).toBeLessThan(500)
        write(requestFor(LOOKUP))
        // A body after the first answer would be taken for the second one.
        expect((await answer()).status).toBe(200)
      }),
  )
  test('of a page that is known already is 304', async () => {
    for (const target of ['/', '/graphql']) {
      const { headers } = await send(target, page)
      const again = requestFor(target, ['Host: gateway', `Accept: ${page}`, `If-None-Match: ${headers.etag}`])
      const { status, body } = await exchange(gateway.url, again)
      expect({ status, body }).toEqual({ status: 304, body: '' })
    }
  })
})

describe('other methods', () => {
  test.each(['PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND'])('%s on /graphql is 405', async (method) => {
    for (const accept of ['*/*', 'application/graphql-response+json', page]) {
      const { status, headers } = await send('/graphql?query={__typename}', accept, method)
      expect(status).toBe(405)
      expect(headers.allow?.split(/, */)).toEqual(expect.arrayContaining(['GET', 'POST']))
    }
  })
  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s on / is 405', async (method) => {
    for (const target of ['/', LOOKUP]) {
      const { status, headers } = await send(target, page, method)
      expect(status).toBe(405)
      expect(headers.allow).toBe('GET, HEAD')
    }
  })
  test('a mutation by GET is refused', async () => {
    const { status, body } = await send(
      '/graphql?query=mutation{__typename}',
      'application/graphql-response+json',
    )
    expect(status).toBeLessThan(500)
    expect(JSON.parse(body).errors).toHaveLength(1)
    expect(JSON.parse(body).data ?? null).toBeNull()
  })
})
