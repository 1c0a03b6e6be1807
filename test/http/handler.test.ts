// A response that cannot be made is 500, in the format of its route.

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
import { exchange, requestFor } from './raw.ts'

const MOST = 32
const about = { event: 'graphql', format: 'JSON', outcome: 'ok', values: 0 } as const
const done: HttpResponse = { status: 200, headers: [], body: '{}', etag: null, about }
const broken = (): never => {
  throw new Error('a page that cannot be read')
}

/** A server that can make no response. */
const test = base.extend('server', async ({ task: _ }, { onCleanup }) => {
  const observations: Observation[] = []
  const legacy = { isLookup: (query: string) => query !== '', handle: async () => broken(), refuse: broken }
  const { routes: brokenRoutes } = legacyRoutes(legacy, ['/'], broken, null)
  const brokenRoute = brokenRoutes.get('/') ?? broken()
  const refuse: Route['refuse'] = (error) => graphqlRefusal(error, undefined)
  const nowhere: Route = { handle: () => done, refuse }
  const routes = new Map<string, Route>([
    ['/', readRoute(() => done)],
    ['/graphql', graphqlRoute(async () => broken(), broken, 1024)],
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
  const { timeouts } = readConfig({})
  const listener = await listen(handler, { port: 0, host: '127.0.0.1', timeouts })
  onCleanup(() => listener.close(0))
  const url = listener.url.replace('localhost', '127.0.0.1')
  return { url, observations }
})

const inJson = { Error: { Code: 'Internal' } }
const inGraphql = { errors: [{ extensions: { code: 'INTERNAL' } }] }
test.for([
  ['a page', '/broken', 'text/html', inJson],
  ['a response that is awaited', '/broken?Event=ProfileLookup', '*/*', inJson],
  ['GraphiQL', '/graphql', 'text/html', inGraphql],
  ['GraphQL', '/graphql', '*/*', inGraphql],
] as const)('%s that fails is 500, and logged once', async ([, target, accept, expected], { server }) => {
  const request = requestFor(target, ['Host: gateway', `Accept: ${accept}`])
  const { status, body } = await exchange(server.url, request)
  expect([status, JSON.parse(body)]).toMatchObject([500, expected])
  expect(server.observations.filter(({ type }) => type === 'unexpected')).toHaveLength(1)
})
