// A page of another origin, in a real browser: which headers it may send, and which it may read.

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { hasProgram } from '../../kit/programs.ts'
import { ask } from '../legacy/support/ask.ts'
import { openBrowser, type Watch, watchedPage } from './browser.ts'

const found = '/?Event=ProfileLookup&Users=1'
const operation = '{ users(values: ["1"]) { username } }'
/** What clients of GraphQL, tracing and login libraries send. */
const headers = {
  'content-type': 'application/json',
  'apollographql-client-name': 'shop',
  'apollographql-client-version': '1.2',
  authorization: 'Bearer none',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  'x-request-id': 'from-the-page',
}

interface Asked {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

describe.skipIf(!hasProgram('chromium'))('a page of another origin', () => {
  let gateway: Gateway
  let server: Server
  let browser: Browser
  let watch: Watch
  beforeAll(async () => {
    gateway = await startGateway({
      LEGACY_DEPRECATION: '2026-02-28',
      LEGACY_SUNSET: '2027-01-31',
      LEGACY_SUNSET_LINK: 'https://example.org/bye',
    })
    server = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html').end('<!doctype html><link rel="icon" href="data:,">')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo // a TCP server's address is no string
    browser = await openBrowser()
    watch = await watchedPage(browser)
    await watch.page.goto(`http://127.0.0.1:${port}/`)
  })
  afterAll(async () => {
    await browser.close()
    server.close()
    await gateway.close()
  })

  /** What the page is given to read. */
  const askAsPage = (asked: Asked) =>
    watch.page.evaluate(async ({ url, ...init }) => {
      const response = await fetch(url, init)
      const readable = Object.fromEntries(response.headers)
      return { status: response.status, headers: readable, body: await response.text() }
    }, asked)

  test('posts to GraphQL with the headers of its libraries', async () => {
    const body = JSON.stringify({ query: operation })
    const answer = await askAsPage({ url: `${gateway.url}/graphql`, method: 'POST', headers, body })
    expect(answer).toMatchObject({ status: 200, body: '{"data":{"users":[{"username":"Ada"}]}}' })
    expect(answer.headers['x-request-id']).toBe('from-the-page')
    expect(watch.complaints).toEqual([])
  })

  test('sends more of them than a preflight repeats', async () => {
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`x-${'long-'.repeat(6)}${n}`, 'a']))
    const body = JSON.stringify({ query: operation })
    const sent = { ...headers, ...many }
    expect(Object.keys(sent).join().length).toBeGreaterThan(1000)
    const answer = await askAsPage({ url: `${gateway.url}/graphql`, method: 'POST', headers: sent, body })
    expect(answer.status).toBe(200)
  })

  test.for([
    ['GraphQL', `/graphql?query=${encodeURIComponent(operation)}`, headers],
    ['a lookup', found, {}],
    ['a lookup in XML', `${found}&Format=XML`, {}],
    ['a refused lookup', '/?Event=Nope', {}],
    ['a contract', '/schema/legacy.openapi.json', {}],
  ] as const)('reads the headers of %s', async ([, target, sent]) => {
    const read = await askAsPage({ url: gateway.url + target, method: 'GET', headers: sent })
    // As Chromium asks: the ETag is that of a coding.
    const asked = { headers: { 'accept-encoding': 'gzip, deflate, br, zstd' } }
    const all = await ask(gateway.url, target, asked)
    expect(read.status).toBe(all.status)
    expect(read.headers['x-request-id']).toMatch(/\S/)
    for (const name of ['etag', 'deprecation', 'sunset', 'link'])
      expect(read.headers[name], name).toBe(all.headers[name])
  })

  test('reads the ETag, and when the legacy interface ends', async () => {
    const read = await askAsPage({ url: gateway.url + found, method: 'GET', headers: {} })
    expect(read.headers).toMatchObject({
      etag: expect.stringMatching(/^"[\w-]+"$/),
      deprecation: '@1772236800',
      sunset: 'Sun, 31 Jan 2027 00:00:00 GMT',
      link: '<https://example.org/bye>; rel="deprecation", <https://example.org/bye>; rel="sunset"',
    })
  })

  test.for(['/?Event=ProfileLookup&Users=2', '/graphql?query={apps(ids:[1]){title}}'])(
    'reads when it may ask again for %s',
    async (target) => {
      const limited = await startGateway({ RATE_LIMIT: '1' })
      onTestFinished(limited.close)
      const asked = { url: limited.url + target, method: 'GET', headers: {} }
      const answers = [await askAsPage(asked), await askAsPage(asked)]
      expect(answers.map(({ status }) => status)).toEqual([200, 429])
      expect(Number(answers[1]?.headers['retry-after'])).toBeGreaterThan(0)
    },
  )
})
