// A room that throws: the client hears of it, and so does the log.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { createBackpressure } from '../../../src/gateway/http/backpressure.ts'
import { createCompression } from '../../../src/gateway/http/compression.ts'
import { graphqlRoom } from '../../../src/gateway/http/graphql-room.ts'
import { legacyRoom } from '../../../src/gateway/http/legacy-room.ts'
import { createAdmission } from '../../../src/gateway/http/overload.ts'
import { createRequestHandler } from '../../../src/gateway/http/request-handler.ts'
import type { Room } from '../../../src/gateway/http/room.ts'
import { createRouter } from '../../../src/gateway/http/router.ts'
import { type Listener, listen } from '../../../src/gateway/http/server.ts'
import type { Observation } from '../../../src/observation.ts'
import { exchange, requestFor } from './raw.ts'

const observations: Observation[] = []
const broken = (): never => {
  throw new Error('a page that cannot be read')
}
let listener: Listener
beforeAll(async () => {
  const admission = createAdmission(100)
  const legacy = { isLookup: (query: string) => query !== '', answer: async () => broken(), refuse: broken }
  const rooms = new Map<string, Room>([
    ['/', legacyRoom(legacy, broken)],
    ['/graphql', graphqlRoom({ answer: broken, graphiql: broken, admission, maxBody: 1024 })],
  ])
  const handle = createRequestHandler({
    router: createRouter({ rooms, nowhere: { answer: broken, refuse: broken }, rateLimit: null }),
    compress: createCompression('off'),
    admission,
    backpressure: createBackpressure(() => {}),
    accessLog: null,
    observe: (observation: Observation) => observations.push(observation),
  })
  listener = await listen({ handle }, { port: 0, host: '127.0.0.1', timeouts: readConfig({}).timeouts })
})
afterAll(() => listener.close())

test.each([
  ['at once', '/', 'text/html'],
  ['later', '/?Event=ProfileLookup', '*/*'],
  ['of GraphiQL', '/graphql', 'text/html'],
])('a failure %s is 500, and logged once', async (_name, target, accept) => {
  observations.length = 0
  const url = listener.url.replace('localhost', '127.0.0.1')
  const request = requestFor(target, ['Host: gateway', `Accept: ${accept}`])
  const { status, body } = await exchange(url, request)
  expect(status).toBe(500)
  expect(JSON.parse(body)).toMatchObject({ Error: { Code: 'Internal' } })
  expect(observations.filter(({ type }) => type === 'unexpected')).toHaveLength(1)
})
