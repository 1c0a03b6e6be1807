// An admitted request gives its place back once, however it ends: a place that is lost, or given back
// twice, is so for as long as the process lives.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { inChunks } from './framing.ts'
import { type Conversation, requestFor, talking } from './raw.ts'

/** How many are let in at a time. */
const MOST = 32
const MAX_BODY = 2000

const limits = { MAX_IN_FLIGHT: String(MOST), MAX_BODY: String(MAX_BODY) }
let gateway: Gateway
let hasty: Gateway
beforeAll(async () => {
  gateway = await startGateway(limits)
  // What is read late for its own business would be late as well: only for bodies that never come.
  hasty = await startGateway({ ...limits, REQUEST_TIMEOUT: '1000' })
})
afterAll(() => Promise.all([gateway.close(), hasty.close()]))

const JSON_TYPE = 'Content-Type: application/json'
const CHUNKED = 'Transfer-Encoding: chunked'
const QUERY = '{"query":"{ users(values: [\\"1\\"]) { id } }"}'

const post = (body: string, headers: readonly string[], target = '/graphql') =>
  `${requestFor(target, ['Host: a', ...headers], 'POST')}${body}`
const ofLength = (body: string, length = body.length, target = '/graphql', type = JSON_TYPE) =>
  post(body, [type, `Content-Length: ${length}`], target)
const inPieces = (text: string, sizes: readonly number[]) => post(inChunks(text, sizes), [JSON_TYPE, CHUNKED])

type Talk = (conversation: Conversation) => Promise<unknown>

/** Sends a request and reads its response. */
const answered =
  (request: string, expected: number): Talk =>
  async ({ write, answer }) => {
    write(request)
    expect((await answer()).status).toBe(expected)
  }

/** Sends what it has, and leaves. */
const left =
  (sent: string): Talk =>
  ({ socket }) =>
    new Promise((resolve) => socket.write(sent, 'latin1', resolve))

const ways: Readonly<Record<string, Talk>> = {
  'comes whole': answered(ofLength(QUERY), 200),
  'comes in chunks': answered(inPieces(QUERY, [1, 2, 3]), 200),
  'is empty': answered(ofLength(''), 400),
  'is no JSON': answered(ofLength('{'), 400),
  'is of another type': answered(ofLength('x', 1, '/graphql', 'Content-Type: text/x'), 415),
  'asks for what is not there': answered(ofLength('{"query":"{ nothing }"}'), 200),
  'is asked for first': async ({ write, answer }) => {
    write(post('', [JSON_TYPE, `Content-Length: ${QUERY.length}`, 'Expect: 100-continue']))
    write(QUERY)
    expect((await answer()).status).toBe(200)
  },
  'is said to be too long': answered(ofLength('', MAX_BODY + 1), 413),
  'proves to be too long': answered(inPieces(' '.repeat(MAX_BODY + 1), [MAX_BODY]), 413),
  'comes in too many chunks': answered(inPieces(' '.repeat(1200), Array(1200).fill(1)), 413),
  'is no chunk': answered(post('nonsense\r\n', [JSON_TYPE, CHUNKED]), 400),
  'never begins, and its client leaves': left(ofLength('', 100)),
  'breaks off, and its client leaves': left(ofLength('{"query":', 100)),
  'breaks off in a chunk': left(post('9\r\n{', [JSON_TYPE, CHUNKED])),
  'is whole, and its client leaves': left(ofLength(QUERY)),
  'is one of many, and its client leaves': left(ofLength(QUERY).repeat(3)),
  'is for an address that reads none': answered(ofLength(QUERY, QUERY.length, '/'), 405),
  'is for an address that is not there': answered(ofLength(QUERY, QUERY.length, '/nowhere'), 404),
}

let asked = 0
/**
 * Of so many look-ups in one packet, which are all read before the first is answered, how many are let in.
 */
async function admittedOf(count: number, { url }: Gateway): Promise<number> {
  const lookups = Array.from({ length: count }, () => requestFor(`/?Event=ProfileLookup&Users=${++asked}`))
  return talking(url, async ({ write, answer }) => {
    write(lookups.join(''))
    let admitted = 0
    for (const _ of lookups) if ((await answer()).status === 200) admitted++
    return admitted
  })
}

/** More bodies than there are places, and never as many at once. */
async function expectAllPlacesFree(after: Talk, from: Gateway): Promise<void> {
  from.observations.length = 0
  for (let round = 0; round < 4; round++)
    await Promise.all(Array.from({ length: 10 }, () => talking(from.url, after)))
  await expect.poll(from.inFlight).toBe(0)
  for (const observation of from.observations) {
    if (observation.type === 'request') expect(observation.about.outcome).not.toBe('Overloaded')
    expect(observation.type).not.toBe('unexpected')
  }
  // Of clients that have left, some may be read only now.
  await expect.poll(() => admittedOf(MOST + 1, from)).toBe(MOST)
}

test.for(Object.entries(ways))('a body that %s', ([, talk]) => expectAllPlacesFree(talk, gateway))

test('a body that comes too late', () => expectAllPlacesFree(answered(ofLength('{', 100), 408), hasty))
