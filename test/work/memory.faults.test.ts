// Promise 12: what clients do not read holds no more memory than it may, and those that read too slowly are
// disconnected.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { inChunks } from '../gateway/http/framing.ts'
import { exchange, readAnswers, requestFor, talking } from '../gateway/http/raw.ts'
import { figure, note } from '../kit/figures.ts'
import { sample, temporaryFolder } from '../kit/gateway.ts'
import { type GatewayProcess, startGatewayProcess } from '../kit/gateway-process.ts'
import { posted } from './hostile-graphql.ts'
import { residentMemory } from './meter.ts'
import { gatherSlowReaders } from './slow-readers.ts'

/**
 * MiB that all of them may make the process larger by: 32 of what is held, and as much again for the heap and
 * for malloc.
 */
const BOUND_MIB = 100
const CLIENTS = figure(100, 300)
const SECONDS = figure(8, 40)

const ids = Array.from({ length: 1_000 }, (_, index) => String(index + 1))
const user = (id: string) => ({
  ...{ id: Number(id), username: `user${id}`, chatId: null, displayName: `Display name of user ${id}` },
  ...{ rank: 3, joinDate: 1_199_145_600, isConfirmed: true, banned: false },
})
const lookup = requestFor(`/?Event=ProfileLookup&Users=${ids.join(':')}`)
const query =
  'query ($v: [String!]!) { users(values: $v) { id username displayName a: displayName b: displayName } }'
const gzipped = posted(JSON.stringify({ query, variables: { v: ids } })).replace(
  'Host: a\r\n',
  'Host: a\r\nAccept-Encoding: gzip\r\n',
)
/** Not a kilobyte, in one chunk, for a response of 120 KB. */
const compact = (() => {
  const aliases = Array.from({ length: 15 }, (_, at) => `a${at}: users(values: $v) { ...f }`).join(' ')
  const fragment = 'fragment f on User { id username displayName rank joinDate isConfirmed banned }'
  const body = {
    query: `query ($v: [String!]!) { ${aliases} } ${fragment}`,
    variables: { v: ids.slice(0, 66) },
  }
  const headers = ['Host: a', 'Content-Type: application/json', 'Transfer-Encoding: chunked']
  return `${requestFor('/graphql', headers, 'POST')}${inChunks(JSON.stringify(body), [])}`
})()

let gateway: GatewayProcess
const folder = temporaryFolder()
// A fresh one each time: what the process has grown by before would hide what it grows by.
beforeEach(async () => {
  const users = join(folder.path, 'users.jsonl')
  writeFileSync(users, ids.map((id) => `${JSON.stringify(user(id))}\n`).join(''))
  gateway = await startGatewayProcess({}, { users, apps: sample.apps })
})
afterEach(() => gateway.close())
afterAll(() => folder.remove())

test.for([
  ['large lookups', lookup.repeat(8)],
  ['large lookups, one at a time', lookup],
  ['large GraphQL queries', posted(JSON.stringify({ query, variables: { v: ids } })).repeat(8)],
  ['large GraphQL queries, gzipped', gzipped.repeat(8)],
  ['thousands of small requests', requestFor('/nowhere').repeat(1_500)],
  [
    'requests that expect to go on',
    requestFor('/nowhere', ['Host: a', 'Expect: 100-continue']).repeat(1_500),
  ],
  ['small GraphQL queries of large responses, in chunks', compact.repeat(66)],
  ['pages', requestFor('/graphql', ['Host: a', 'Accept: text/html']).repeat(20)],
] as const)(
  `${CLIENTS} clients that read a byte now and then: %s`,
  // When garbage is collected is a matter of chance, and adds up to 80 MiB of it: the least of three says
  // what is held.
  { timeout: 300_000, retry: 2 },
  async ([what, pipeline], context) => {
    // What is asked for the first time, and a little of the same, belongs to any gateway.
    for (let time = 0; time < 30; time++) await exchange(gateway.url, lookup)
    await exchange(gateway.url, requestFor('/graphql', ['Host: a', 'Accept: text/html']))
    const before = residentMemory(gateway.pid)
    const readers = await gatherSlowReaders(gateway.url, CLIENTS, pipeline)
    onTestFinished(readers.leave)
    let most = before
    for (let waited = 0; waited < SECONDS * 1000; waited += 100) {
      await pause(100)
      most = Math.max(most, residentMemory(gateway.pid))
    }
    note(context, {
      promise: 12,
      what: `memory for ${CLIENTS} clients that read a byte now and then: ${what}`,
      bound: `≤ ${BOUND_MIB} MiB`,
      measured: `${(most - before).toFixed(0)} MiB`,
    })
    if (process.env.SHOW !== undefined)
      process.stderr.write(
        `${what}: ${before.toFixed(0)} + ${(most - before).toFixed(0)} MiB, ${readers.cut()} cut\n`,
      )
    expect(most - before).toBeLessThan(BOUND_MIB)
    readers.leave()
    const neighbour = requestFor('/?Event=ProfileLookup&Users=1')
    await expect
      .poll(async () => (await exchange(gateway.url, neighbour, 60_000)).status, { timeout: 60_000 })
      .toBe(200)
  },
)

test('a client that reads gets all responses, however many requests it sends at once', async () => {
  // Too few in a packet for reading-turns.ts to pause the connection.
  const count = 8_000
  const headers = ['Host: a', 'Expect: 100-continue', `X: ${'x'.repeat(2_000)}`]
  const statuses = await talking(gateway.url, async ({ socket, write, ended }) => {
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
