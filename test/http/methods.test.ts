// HEAD is GET without a body; other methods are refused.

import { expect } from 'vitest'
import { test } from '../kit/test.ts'
import { exchange, requestFor, talking } from './raw.ts'

const PAGE = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const LOOKUP = '/?Event=ProfileLookup&Users=1'
const request = (target: string, accept: string, method: string, ...more: string[]) =>
  requestFor(target, ['Host: gateway', 'X-Request-Id: r-1', `Accept: ${accept}`, ...more], method)

test.for([
  ['the explorer', '/', PAGE],
  ['GraphiQL', '/graphql', PAGE],
  ['a lookup', LOOKUP, '*/*'],
  ['a refused lookup', '/', '*/*'],
  ['nothing', '/nothing', '*/*'],
] as const)('HEAD of %s has the headers of GET, and the connection goes on', async (row, { gateway }) => {
  const [, target, accept] = row
  const { date: _date, ...expected } = (await exchange(gateway.url, request(target, accept, 'GET'))).headers
  await talking(gateway.url, async ({ write, answer }) => {
    write(request(target, accept, 'HEAD') + requestFor(LOOKUP))
    const { headers, body } = await answer({ head: true })
    expect(headers).toMatchObject(expected)
    expect(Object.keys(headers)).toHaveLength(Object.keys(expected).length + 1)
    expect(body).toBe('')
    // A body after the headers would become a part of this response.
    expect(await answer()).toMatchObject({ status: 200 })
  })
})

test.for(['/', '/graphql'])('HEAD of the page %s that is known is 304', async (target, { gateway }) => {
  const { headers } = await exchange(gateway.url, request(target, PAGE, 'GET'))
  const again = request(target, PAGE, 'HEAD', `If-None-Match: ${headers.etag}`)
  expect(await exchange(gateway.url, again)).toMatchObject({ status: 304, body: '' })
})

test.for([
  ['/graphql?query={__typename}', 'GET, POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND'],
  ['/', 'GET, HEAD', 'POST', 'PUT', 'DELETE', 'PATCH'],
  [LOOKUP, 'GET, HEAD', 'POST', 'PUT', 'DELETE', 'PATCH'],
])('%s allows %s', async ([target = '', allow, ...methods], { gateway }) => {
  for (const method of methods)
    for (const accept of ['*/*', 'application/graphql-response+json', PAGE]) {
      const { status, headers } = await exchange(gateway.url, request(target, accept, method))
      expect([status, headers.allow?.replaceAll(/, */g, ', ')], method).toEqual([405, allow])
    }
})
