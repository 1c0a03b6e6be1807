// A connection whose client does not read holds no more than it may; one whose client reads gets all its
// responses.

import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { inChunks } from './framing.ts'
import { exchange, manySpellings, openSocket, readAll, readAnswers, requestFor } from './raw.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const lookup = (id: number) => `/?Event=ProfileLookup&Users=${id}`
/** Some 3 KB of request and of response, of which the server expects far more: few of them run at a time. */
const many = (id: number) => `/?Event=ProfileLookup&Users=${id}:${'0'.repeat(3_000)}${id}`
const cuts = () => gateway.observations.filter(({ type }) => type === 'slow-clients-cut').length

const open = () => openSocket(gateway.url)

/** The targets, one after the other; the last request ends the connection. */
const pipeline = (targets: readonly string[]) =>
  targets
    .map((target, at) =>
      requestFor(target, at === targets.length - 1 ? ['Host: a', 'Connection: close'] : ['Host: a']),
    )
    .join('')
const idsOf = (received: string) =>
  readAnswers(received).map(({ status, body }) => `${status} ${/"Id":(\d+)/.exec(body)?.[1]}`)
const wanted = (count: number) => Array.from({ length: count }, (_, at) => `200 ${1 + (at % 9)}`)
const targetsOf = (count: number, target: (id: number) => string) =>
  Array.from({ length: count }, (_, at) => target(1 + (at % 9)))

test('400 requests at once are all answered, in order', async () => {
  const socket = await open()
  const targets = targetsOf(400, many)
  socket.write(pipeline(targets))
  expect(idsOf(await readAll(socket))).toEqual(wanted(targets.length))
})

test('so are 4,000 short ones', async () => {
  const socket = await open()
  const ids = Array.from({ length: 4_000 }, (_, at) => `request-${at}`)
  const requests = ids.map((id) => requestFor('/nowhere', ['Host: a', `X-Request-Id: ${id}`]))
  socket.write(`${requests.join('')}${requestFor('/nowhere', ['Host: a', 'Connection: close'])}`)
  const answers = readAnswers(await readAll(socket))
  expect(answers.slice(0, -1).map(({ headers }) => headers['x-request-id'])).toEqual(ids)
})

test('what is sent while others wait is answered, too', async () => {
  const socket = await open()
  const targets = targetsOf(300, many)
  const reading = readAll(socket)
  const bytes = pipeline(targets)
  for (let at = 0; at < bytes.length; at += 50_001) {
    socket.write(bytes.slice(at, at + 50_001))
    await pause(1)
  }
  expect(idsOf(await reading)).toEqual(wanted(targets.length))
})

test('large requests behind one that expects 100 Continue do not wait for each other', async () => {
  const socket = await open()
  const large = `/?Event=ProfileLookup&Users=${'1:'.repeat(3_000)}2`
  const expecting = requestFor('/nowhere', ['Host: a', 'Expect: 100-continue', 'Content-Length: 2'], 'POST')
  socket.write(`${requestFor(lookup(1))}${expecting}{}${pipeline([large, large, large, large])}`)
  const statuses = readAnswers(await readAll(socket)).map(({ status }) => status)
  expect(statuses).toEqual([200, 100, 404, 200, 200, 200, 200])
})

test('40,000 requests that expect 100 Continue are answered one after the other', async () => {
  const before = cuts()
  const socket = await open()
  const expecting = requestFor('/nowhere', ['Host: a', 'Expect: 100-continue'])
  socket.write(`${expecting.repeat(40_000)}${requestFor('/nowhere', ['Host: a', 'Connection: close'])}`)
  const statuses = readAnswers(await readAll(socket)).map(({ status }) => status)
  expect(statuses).toEqual([...Array(40_000).fill([100, 404]).flat(), 404])
  expect(cuts()).toBe(before)
})

test('a page for a client that expects 100 Continue comes after it', async () => {
  const socket = await open()
  const headers = ['Host: a', 'Accept: text/html', 'Expect: 100-continue', 'Connection: close']
  socket.write(requestFor(lookup(1)) + requestFor('/', headers))
  const answers = readAnswers(await readAll(socket))
  expect(answers.map(({ status }) => status)).toEqual([200, 100, 200])
  expect(answers[2]?.headers['content-length']).toBe(String(answers[2]?.body.length))
})

test('bodies in chunks are answered one after the other', async () => {
  const socket = await open()
  const body = JSON.stringify({ query: '{ users(values: ["1", "2"]) { id } }' })
  const headers = ['Host: a', 'Content-Type: application/json', 'Transfer-Encoding: chunked']
  const request = requestFor('/graphql', headers, 'POST') + inChunks(body, [])
  const before = gateway.observations.length
  socket.write(`${request.repeat(200)}${requestFor('/nowhere', ['Host: a', 'Connection: close'])}`)
  const statuses = readAnswers(await readAll(socket)).map(({ status }) => status)
  expect(statuses).toEqual([...Array(200).fill(200), 404])
  const queries = gateway.observations.slice(before).filter(({ type }) => type === 'store-query')
  expect(queries).toHaveLength(200)
})

test('requests wait until their client has read what it asked for before', async () => {
  const answered = () => gateway.observations.filter(({ type }) => type === 'request').length
  const before = answered()
  const socket = (await open()).pause()
  // More than the system keeps for a client that does not read.
  socket.write(requestFor(manySpellings).repeat(1_000))
  await pause(3_000)
  expect(answered() - before).toBeGreaterThan(0)
  expect(answered() - before).toBeLessThan(1_000)
})

test('bodies that are announced take no memory from others', async () => {
  const start = requestFor(
    '/graphql',
    ['Host: a', 'Content-Type: application/json', 'Content-Length: 60000'],
    'POST',
  )
  const silent = await Promise.all(Array.from({ length: 300 }, open))
  for (const socket of silent) socket.write(`${start}{`)
  // When a lookup is answered that came after them, they have come.
  await exchange(gateway.url, requestFor(lookup(1)))
  expect((await exchange(gateway.url, requestFor(many(2)))).status).toBe(200)
})

test('connections that have ended are no slow clients', { timeout: 30_000 }, async () => {
  const before = cuts()
  for (let round = 0; round < 20; round++) {
    const sockets = await Promise.all(Array.from({ length: 20 }, open))
    for (const socket of sockets) socket.write(pipeline(targetsOf(20, many)))
    await pause(round)
    for (const socket of sockets) socket.resetAndDestroy()
  }
  await pause(7_000)
  expect(cuts()).toBe(before)
})

test('a client that reads after two seconds gets everything', async () => {
  const before = cuts()
  const socket = await open()
  socket.pause()
  const targets = targetsOf(2_000, many)
  socket.write(pipeline(targets))
  await pause(2_000)
  expect(idsOf(await readAll(socket))).toEqual(wanted(targets.length))
  expect(cuts()).toBe(before)
})

test('a client that reads nothing is disconnected, and counted; others are answered', async () => {
  const before = cuts()
  const socket = await open()
  socket.pause()
  const some = requestFor('/?Event=ProfileLookup&Users=1:2:3:4:5:6:7:8').repeat(300)
  // Until it is more than the sockets of both sides take.
  const sending = setInterval(() => socket.writableNeedDrain || socket.write(some), 20)
  onTestFinished(() => clearInterval(sending))
  await expect.poll(() => cuts() - before, { timeout: 30_000 }).toBe(1)
  expect((await exchange(gateway.url, requestFor(lookup(1)))).status).toBe(200)
}, 40_000)
