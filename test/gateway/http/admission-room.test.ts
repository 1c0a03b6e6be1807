// A request with a body takes a place from when its body is there until its answer is.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import type { Answer } from '../../../src/gateway/answer.ts'
import { createBackpressure } from '../../../src/gateway/http/backpressure.ts'
import { createCompression } from '../../../src/gateway/http/compression.ts'
import { graphqlRoom } from '../../../src/gateway/http/graphql-room.ts'
import { type Admission, createAdmission } from '../../../src/gateway/http/overload.ts'
import { createRequestHandler } from '../../../src/gateway/http/request-handler.ts'
import { graphqlRefusal } from '../../../src/gateway/http/respond.ts'
import { type Room, readingRoom } from '../../../src/gateway/http/room.ts'
import { createRouter } from '../../../src/gateway/http/router.ts'
import { type Listener, listen } from '../../../src/gateway/http/server.ts'
import { exchange, openSocket, requestFor } from './raw.ts'

const MOST = 32
const about = { event: 'graphql', format: 'JSON', outcome: 'ok', values: 0 } as const
const done: Answer = { status: 200, headers: [], body: '{}', etag: null, about }

let admission: Admission
/** Settles all that is asked. */
let settle: PromiseWithResolvers<Answer>
let listener: Listener
let url: string
beforeEach(async () => {
  admission = createAdmission(MOST)
  settle = Promise.withResolvers()
  const backpressure = createBackpressure(() => {})
  const rooms = new Map<string, Room>([
    ['/', readingRoom(() => done)],
    ['/graphql', graphqlRoom({ answer: () => settle.promise, graphiql: null, admission, maxBody: 1024 })],
  ])
  const refuse: Room['refuse'] = (error) => graphqlRefusal(error, undefined)
  const router = createRouter({ rooms, nowhere: { answer: () => done, refuse }, rateLimit: null })
  const compress = createCompression('off')
  const handle = createRequestHandler({
    ...{ router, compress, admission, backpressure, accessLog: null, observe: () => {} },
  })
  listener = await listen({ handle }, { port: 0, host: '127.0.0.1', timeouts: readConfig({}).timeouts })
  url = listener.url.replace('localhost', '127.0.0.1')
})
afterEach(() => listener.close(0))

const POST = `${requestFor('/graphql', ['Host: a', 'Content-Length: 2'], 'POST')}{`
/** Requests that are all worked on, on a connection each. */
async function holdPosts(count: number) {
  const sockets = await Promise.all(Array.from({ length: count }, () => openSocket(url)))
  for (const socket of sockets) socket.write(POST)
  // A body that is not there takes no place, for as long as its client likes.
  expect(await exchange(url, requestFor('/'))).toMatchObject({ status: 200 })
  expect(admission.inFlight()).toBe(0)
  for (const socket of sockets) socket.write('}')
  await expect.poll(admission.inFlight).toBe(count)
  return sockets
}

test('what is beyond the places is refused, takes none, and gives none back', async () => {
  const sockets = await holdPosts(MOST)
  const unread = `${requestFor('/', ['Host: a', 'Content-Length: 2'], 'POST')}{}`
  for (const request of [`${POST}}`, requestFor('/graphql'), requestFor('/'), unread, `${POST}}`])
    expect(await exchange(url, request)).toMatchObject({ status: 503 })
  expect(admission.inFlight()).toBe(MOST)
  const answers = sockets.map((socket) => new Promise((resolve) => socket.once('data', resolve)))
  settle.resolve(done)
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  await expect.poll(admission.inFlight).toBe(0)
  expect(await exchange(url, `${POST}}`)).toMatchObject({ status: 200 })
  expect(admission.inFlight()).toBe(0)
})

test('work for clients that have left keeps its places until it is done', async () => {
  for (const socket of await holdPosts(10)) socket.destroy()
  expect(await exchange(url, requestFor('/'))).toMatchObject({ status: 200 })
  expect(admission.inFlight()).toBe(10)
  settle.resolve(done)
  await expect.poll(admission.inFlight).toBe(0)
})

test('an unexpected error gives the place back, too', async () => {
  const [socket] = await holdPosts(1)
  const answer = new Promise((resolve) => socket?.once('data', resolve))
  settle.reject(new Error('broken'))
  expect(await answer).toMatch(/^HTTP\/1\.1 500 /)
  expect(admission.inFlight()).toBe(0)
})

test('requests that wait for another service keep none out, but for what there is memory for', async () => {
  const busy = createAdmission(100)
  const ended = Promise.withResolvers<void>()
  const enter = () => busy.enter(performance.now())
  for (let waiting = 0; waiting < 60; waiting++) {
    expect(enter()).toBe(true)
    void busy.elsewhere(() => ended.promise)
  }
  saturate(busy)
  saturate(busy)
  expect(enter()).toBe(true)
  // Where they work again, they count.
  ended.resolve()
  await ended.promise
  await new Promise((resolve) => setImmediate(resolve))
  expect(enter()).toBe(false)
})

test('nor are they more than MAX_IN_FLIGHT', () => {
  const full = createAdmission(3)
  for (let waiting = 0; waiting < 3; waiting++) {
    expect(full.enter(performance.now())).toBe(true)
    void full.elsewhere(() => new Promise(() => {}))
  }
  expect(full.enter(performance.now())).toBe(false)
})

describe('windows without a pause', () => {
  let busy: Admission
  beforeEach(() => {
    busy = createAdmission(100)
    for (let working = 0; working < 60; working++) expect(enter()).toBe(true)
  })
  const enter = () => busy.enter(performance.now())
  /** Where few are answered, the load is measured once a second. */
  const idle = () => new Promise((resolve) => setTimeout(resolve, 1050))

  test('one of them is an interruption, after which all are answered', () => {
    saturate(busy)
    expect(enter()).toBe(true)
  })

  test('two of them are too much', () => {
    saturate(busy)
    saturate(busy)
    expect(enter()).toBe(false)
  })

  test('once it was too much, one after a pause is as well', async () => {
    saturate(busy)
    saturate(busy)
    expect(enter()).toBe(false)
    await idle()
    saturate(busy)
    expect(enter()).toBe(false)
  })
})

/** Has it see a window without a pause, in which forty dear requests were answered. */
function saturate(admission: Admission): void {
  admission.enter(performance.now())
  admission.leave(true, 1)
  for (let answered = 0; answered < 40; answered++) {
    expect(admission.enter(performance.now())).toBe(true)
    admission.leave(true, 1)
  }
  const until = performance.now() + 150
  while (performance.now() < until);
}
