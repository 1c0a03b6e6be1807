// A page of another origin in a real browser: the headers that it may send, and those that it may read.

import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished } from 'vitest'
import { startAnswering } from '../kit/answering.ts'
import { ask } from '../legacy/support/ask.ts'
import { test as base } from './browser.ts'

const found = '/?Event=ProfileLookup&Users=1'
const operation = '{ users(values: ["1"]) { username } }'
const post = { method: 'POST', body: JSON.stringify({ query: operation }) }
/** Those that clients of GraphQL, tracing and login libraries send. */
const headers = {
  'content-type': 'application/json',
  'apollographql-client-name': 'shop',
  'apollographql-client-version': '1.2',
  authorization: 'Bearer none',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  'x-request-id': 'from-the-page',
}

interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const test = base.extend('elsewhere', async ({ openPage }) => {
  const markup = '<!doctype html><link rel="icon" href="data:,">'
  const site = await startAnswering((_request, response) => {
    response.setHeader('Content-Type', 'text/html').end(markup)
  })
  onTestFinished(site.close)
  const watch = await openPage()
  await watch.page.goto(site.url)
  return watch
})

/** The part of a response that the page can read. */
const askFrom = (page: Page, url: string, sent: Sent = {}) =>
  page.evaluate(
    async ({ url, ...init }) => {
      const response = await fetch(url, init)
      const readable: Record<string, string> = Object.fromEntries(response.headers)
      return { status: response.status, headers: readable, body: await response.text() }
    },
    { url, ...sent },
  )

describe('a page of another origin', () => {
  test('posts to GraphQL with the headers of its libraries, and more', async ({ elsewhere, gateway }) => {
    const send = (sent: Sent) => askFrom(elsewhere.page, `${gateway.url}/graphql`, { ...post, ...sent })
    const response = await send({ headers })
    expect(response).toMatchObject({ status: 200, body: '{"data":{"users":[{"username":"Ada"}]}}' })
    expect(response.headers['x-request-id']).toBe('from-the-page')
    // More than the response to a preflight repeats.
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`x-${'long-'.repeat(6)}${n}`, 'a']))
    expect((await send({ headers: { ...headers, ...many } })).status).toBe(200)
    expect(elsewhere.complaints).toEqual([])
  })

  test.for([
    `/graphql?query=${encodeURIComponent(operation)}`,
    '/?Event=Nope',
    '/schema/legacy.openapi.json',
  ])('reads the headers of %s', async (target, { elsewhere, gateway }) => {
    const read = await askFrom(elsewhere.page, gateway.url + target)
    // Chromium's own: an ETag belongs to a coding.
    const all = await ask(gateway.url, target, { headers: { 'accept-encoding': 'gzip, deflate, br, zstd' } })
    expect([read.status, read.headers.etag]).toEqual([all.status, all.headers.etag])
    expect(read.headers['x-request-id']).toMatch(/\S/)
  })

  test('reads when an interface ends', async ({ elsewhere, withSettings }) => {
    const { url } = await withSettings({
      LEGACY_DEPRECATION: '2026-02-28',
      LEGACY_SUNSET: '2027-01-31',
      LEGACY_SUNSET_LINK: 'https://example.org/bye',
    })
    expect((await askFrom(elsewhere.page, url + found)).headers).toMatchObject({
      etag: expect.stringMatching(/^"[\w-]+"$/),
      deprecation: '@1772236800',
      sunset: 'Sun, 31 Jan 2027 00:00:00 GMT',
      link: '<https://example.org/bye>; rel="deprecation", <https://example.org/bye>; rel="sunset"',
    })
  })

  test.for(['/?Event=ProfileLookup&Users=2', '/graphql?query={apps(ids:[1]){title}}'])(
    'reads when it may retry %s',
    async (target, { elsewhere, withSettings }) => {
      const { url } = await withSettings({ RATE_LIMIT: '1' })
      expect((await askFrom(elsewhere.page, url + target)).status).toBe(200)
      const refused = await askFrom(elsewhere.page, url + target)
      expect(refused.status).toBe(429)
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    },
  )
})
