// Promise 12: responses that clients do not read hold a bounded amount of memory. Nor does a gateway keep the
// 64 KiB of a request for the sake of its query.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { exchange, inChunks, readAnswers, requestFor, talking } from '../http/raw.ts'
import { figure, note } from '../kit/figures.ts'
import { sample } from '../kit/gateway.ts'
import { startGatewayProcess } from '../kit/gateway-process.ts'
import { test as base } from '../kit/test.ts'
import { posted } from './hostile-graphql.ts'
import { residentMemory } from './meter.ts'
import { gatherSlowReaders } from './slow-readers.ts'

/**
 * MiB that all of them may make the process larger by: 32 of what is held, and as much again for the heap and
 * for malloc.
 */
const BOUND_MIB = 100
const CLIENTS = figure(100, 300)
const SECONDS = figure(5, 40)

const ids = Array.from({ length: 1_000 }, (_, index) => String(index + 1))
const user = (id: string) => ({
  ...{ id: Number(id), username: `user${id}`, chatId: null, displayName: `Display name of user ${id}` },
  ...{ rank: 3, joinDate: 1_199_145_600, isConfirmed: true, banned: false },
})
const lookup = requestFor(`/?Event=ProfileLookup&Users=${ids.join(':')}`)
const query =
  'query ($v: [ID!]!) { users(values: $v) { id username displayName a: displayName b: displayName } }'
const gzipped = posted(JSON.stringify({ query, variables: { v: ids } })).replace(
  'Host: a\r\n',
  'Host: a\r\nAccept-Encoding: gzip\r\n',
)
/** Not a kilobyte, in one chunk, for a response of 120 KB. */
const compact = (() => {
  const aliases = Array.from({ length: 15 }, (_, at) => `a${at}: users(values: $v) { ...f }`).join(' ')
  const fragment = 'fragment f on User { id username displayName rank joinDate isConfirmed banned }'
  const body = {
    query: `query ($v: [ID!]!) { ${aliases} } ${fragment}`,
    variables: { v: ids.slice(0, 66) },
  }
  const headers = ['Host: a', 'Content-Type: application/json', 'Transfer-Encoding: chunked']
  return `${requestFor('/graphql', headers, 'POST')}${inChunks(JSON.stringify(body), [])}`
})()

/** A gateway process for each test: what it has grown by before would hide what it grows by. */
const test = base.extend('process', async ({ place }, { onCleanup }) => {
  const users = join(place.path, 'users.jsonl')
  writeFileSync(users, ids.map((id) => `${JSON.stringify(user(id))}\n`).join(''))
  const gateway = await startGatewayProcess({}, { users, apps: sample.apps })
  onCleanup(async () => void (await gateway.close()))
  return gateway
})

const nowhere = requestFor('/nowhere')
const patient = requestFor('/nowhere', ['Host: a', 'Expect: 100-continue'])
const page = requestFor('/graphql', ['Host: a', 'Accept: text/html'])
const pipelines: readonly (readonly [what: string, pipeline: string])[] = [
  ['large lookups', lookup.repeat(8)],
  ['large GraphQL queries, gzipped', gzipped.repeat(8)],
  ['thousands of small requests', nowhere.repeat(1_500)],
  ['large lookups, one at a time', lookup],
  ['large GraphQL queries', posted(JSON.stringify({ query, variables: { v: ids } })).repeat(8)],
  ['requests that expect to go on', patient.repeat(1_500)],
  ['small GraphQL queries of large responses, in chunks', compact.repeat(66)],
  ['pages', page.repeat(20)],
]

test.for(pipelines.slice(0, figure(3, pipelines.length)))(
  `${CLIENTS} clients that read a byte now and then: %s`,
  // When garbage is collected is a matter of chance, and adds up to 80 MiB of it: the least of three says
  // what is held.
  { timeout: 300_000, retry: 2 },
  async ([what, pipeline], { process: { url, pid }, task }) => {
    // What is sent for the first time, and a little of the same, belongs to any gateway.
    for (let time = 0; time < 30; time++) await exchange(url, lookup)
    await exchange(url, page)
    const before = residentMemory(pid)
    const readers = await gatherSlowReaders(url, CLIENTS, pipeline)
    onTestFinished(readers.leave)
    let most = before
    for (let waited = 0; waited < SECONDS * 1000; waited += 100) {
      await pause(100)
      most = Math.max(most, residentMemory(pid))
    }
    note(
      { task },
      {
        promise: 12,
        what: `memory for ${CLIENTS} clients that read a byte now and then: ${what}`,
        bound: `≤ ${BOUND_MIB} MiB`,
        measured: `${(most - before).toFixed(0)} MiB`,
      },
    )
    expect(most - before).toBeLessThan(BOUND_MIB)
    readers.leave()
    const neighbour = async () =>
      (await exchange(url, requestFor('/?Event=ProfileLookup&Users=1'), 60_000)).status
    await expect.poll(neighbour, { timeout: 60_000 }).toBe(200)
  },
)

test('a client that reads gets all responses, however many requests it sends at once', async ({
  process: { url },
}) => {
  const count = 8_000
  const headers = ['Host: a', 'Expect: 100-continue', `X: ${'x'.repeat(2_000)}`]
  const statuses = await talking(url, async ({ socket, write, ended }) => {
    let received = ''
    socket.on('data', (text) => {
      received += text
    })
    write(requestFor('/nowhere', headers).repeat(count))
    write(requestFor('/nowhere', ['Host: a', 'Connection: close']))
    await ended(50_000)
    return readAnswers(received).map(({ status }) => status)
  })
  expect(statuses.filter((status) => status === 404)).toHaveLength(count + 1)
})

const pad = 'x'.repeat(64_000)
const form = 'application/x-www-form-urlencoded'

test.for([
  ['an absolute target', (nonce) => requestFor(`http://${pad}/?Event=AppLookup&Apps=${nonce}`)],
  ['a query string', (nonce) => requestFor(`/graphql?query={a${nonce}:__typename}&x=${pad}`)],
  ['a form', (nonce) => posted(`query={b${nonce}:__typename}&x=${pad}`, form)],
  ['JSON', (nonce) => posted(`{"query":"{c${nonce}:__typename}","extensions":{"x":"${pad}"}}`)],
] as const satisfies readonly (readonly [string, (nonce: number) => string])[])(
  'requests of 64 KiB do not stay in caches with their queries: %s',
  { timeout: 300_000 },
  async ([, request], { process: { url, pid } }) => {
    /** Sends each of so many requests twice, over one connection. */
    const sendAll = (from: number, count: number) =>
      talking(url, async ({ write, answer }) => {
        for (let nonce = from; nonce < from + count; nonce++)
          for (let use = 0; use < 2; use++) {
            write(request(nonce))
            expect((await answer()).status).toBe(200)
          }
      })
    await sendAll(1, 300)
    const before = residentMemory(pid)
    await sendAll(1_000, figure(1_500, 3_000))
    // Of all that was sent, half.
    expect(residentMemory(pid) - before).toBeLessThan(figure(45, 90))
  },
)
