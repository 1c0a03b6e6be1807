// A request is in flight from its last byte until its response is made or has failed.

import { expect } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { createCompression } from '../../src/http/compression.ts'
import { createHandler } from '../../src/http/handler.ts'
import { createOverload } from '../../src/http/overload.ts'
import { graphqlRefusal } from '../../src/http/respond.ts'
import { graphqlRoute, legacyRoutes, type Route, readRoute } from '../../src/http/routes.ts'
import { listen } from '../../src/http/server.ts'
import type { Observation } from '../../src/observe/events.ts'
import type { HttpResponse } from '../../src/response.ts'
import { test as base } from '../kit/test.ts'
import { exchange, openSocket, requestFor } from './raw.ts'

const MOST = 32
const about = { event: 'graphql', format: 'JSON', outcome: 'ok', values: 0 } as const
const done: HttpResponse = { status: 200, headers: [], body: '{}', etag: null, about }
const broken = (): never => {
  throw new Error('a page that cannot be read')
}

/** A server whose GraphQL responses the test makes, and whose page at /broken cannot be made. */
const test = base.extend('server', async ({ task: _ }, { onCleanup }) => {
  const made = Promise.withResolvers<HttpResponse>()
  const observations: Observation[] = []
  const legacy = { isLookup: (query: string) => query !== '', answer: async () => broken(), refuse: broken }
  const { routes: brokenRoutes } = legacyRoutes(legacy, ['/'], broken, null)
  const brokenRoute = brokenRoutes.get('/') ?? broken()
  const refuse: Route['refuse'] = (error) => graphqlRefusal(error, undefined)
  const nowhere: Route = { handle: () => done, refuse }
  const routes = new Map<string, Route>([
    ['/', readRoute(() => done)],
    ['/graphql', graphqlRoute(() => made.promise, broken, 1024)],
    ['/broken', brokenRoute],
  ])
  const handler = createHandler({
    routeAt: (pathname) => routes.get(pathname) ?? nowhere,
    overload: createOverload(),
    maxInFlight: MOST,
    compress: createCompression('off'),
    ...{ rateLimit: null, accessLog: null },
    observe: (observation) => void observations.push(observation),
  })
  const { inFlight } = handler
  const { timeouts } = readConfig({})
  const listener = await listen(handler, { port: 0, host: '127.0.0.1', timeouts })
  onCleanup(() => listener.close(0))
  const url = listener.url.replace('localhost', '127.0.0.1')
  /** Sends requests whose responses are being made, on a connection each. */
  const holdPosts = async (count: number) => {
    const sockets = await Promise.all(Array.from({ length: count }, () => openSocket(url)))
    for (const socket of sockets) socket.write(POST)
    // A request whose body is incomplete is not in flight.
    expect(await exchange(url, requestFor('/'))).toMatchObject({ status: 200 })
    expect(inFlight()).toBe(0)
    const responses = sockets.map((socket) => new Promise((resolve) => socket.once('data', resolve)))
    for (const socket of sockets) socket.write('}')
    await expect.poll(inFlight).toBe(count)
    return { sockets, responses }
  }
  return { url, inFlight, made, observations, holdPosts }
})

const POST = `${requestFor('/graphql', ['Host: a', 'Content-Length: 2'], 'POST')}{`

test('work for clients that have left is in flight until it is done', async ({ server }) => {
  const { url, inFlight, made, holdPosts } = server
  for (const socket of (await holdPosts(10)).sockets) socket.destroy()
  expect(await exchange(url, requestFor('/'))).toMatchObject({ status: 200 })
  expect(inFlight()).toBe(10)
  made.resolve(done)
  await expect.poll(inFlight).toBe(0)
})

test('a request that fails unexpectedly is no longer in flight', async ({
  server: { inFlight, made, holdPosts },
}) => {
  const { responses } = await holdPosts(1)
  made.reject(new Error('broken'))
  expect(await responses[0]).toMatch(/^HTTP\/1\.1 500 .*\{"errors":\[\{.*"code":"INTERNAL"/s)
  expect(inFlight()).toBe(0)
})

const inJson = { Error: { Code: 'Internal' } }
const inGraphql = { errors: [{ extensions: { code: 'INTERNAL' } }] }
test.for([
  ['a page', '/broken', 'text/html', inJson],
  ['a response that is awaited', '/broken?Event=ProfileLookup', '*/*', inJson],
  ['GraphiQL', '/graphql', 'text/html', inGraphql],
] as const)('%s that fails is 500, and logged once', async ([, target, accept, expected], { server }) => {
  const request = requestFor(target, ['Host: gateway', `Accept: ${accept}`])
  const { status, body } = await exchange(server.url, request)
  expect([status, JSON.parse(body)]).toMatchObject([500, expected])
  expect(server.observations.filter(({ type }) => type === 'unexpected')).toHaveLength(1)
})
