// A request stops counting as in flight exactly once, however it ends. A miscount would last forever.

import { expect } from 'vitest'
import type { Gateway } from '../kit/gateway.ts'
import { test } from '../kit/test.ts'
import { inChunks } from './framing.ts'
import { type Conversation, exchange, requestFor, talking } from './raw.ts'

const MOST = 32
const MAX_BODY = 2000
// Long timeouts: only one test is about them.
const patient = { REQUEST_TIMEOUT: '60000' }
const limits = { MAX_IN_FLIGHT: String(MOST), MAX_BODY: String(MAX_BODY), ...patient }

const JSON_TYPE = 'Content-Type: application/json'
const CHUNKED = 'Transfer-Encoding: chunked'
const QUERY = '{"query":"{ users(values: [\\"1\\"]) { id } }"}'
const post = (body: string, headers: readonly string[], target = '/graphql') =>
  `${requestFor(target, ['Host: a', ...headers], 'POST')}${body}`
const ofLength = (body: string, length = body.length, target = '/graphql', type = JSON_TYPE) =>
  post(body, [type, `Content-Length: ${length}`], target)
const inPieces = (text: string, sizes: readonly number[]) => post(inChunks(text, sizes), [JSON_TYPE, CHUNKED])
const expecting = post(QUERY, [JSON_TYPE, `Content-Length: ${QUERY.length}`, 'Expect: 100-continue'])

/** @param outcome the status of the response, or `left` if the client leaves after sending */
const sending = (bytes: string, outcome: number | 'left') => async (conversation: Conversation) => {
  const { socket, answer } = conversation
  await new Promise<void>((resolve) => socket.write(bytes, 'latin1', () => resolve()))
  if (outcome !== 'left') expect((await answer()).status).toBe(outcome)
}

/** Sends more bodies than MAX_IN_FLIGHT, ten at once: each must stop to count as in flight. */
async function expectNoneInFlight(
  { url, inFlight }: Pick<Gateway, 'url' | 'inFlight'>,
  ...sent: Parameters<typeof sending>
) {
  for (let round = 0; round < 4; round++)
    await Promise.all(Array.from({ length: 10 }, () => talking(url, sending(...sent))))
  // The gateway may notice only now that clients have left.
  await expect.poll(inFlight).toBe(0)
  expect(await exchange(url, requestFor('/?Event=ProfileLookup&Users=1'))).toMatchObject({ status: 200 })
}

test.for([
  ['whole', ofLength(QUERY), 200],
  ['in chunks', inPieces(QUERY, [1, 2, 3]), 200],
  ['empty', ofLength(''), 400],
  ['no JSON', ofLength('{'), 400],
  ['of another type', ofLength('x', 1, '/graphql', 'Content-Type: text/x'), 415],
  ['for a field that is not there', ofLength('{"query":"{ nothing }"}'), 200],
  ['behind 100 Continue', expecting, 200],
  ['announced as too long', ofLength('', MAX_BODY + 1), 413],
  ['too long in chunks', inPieces(' '.repeat(MAX_BODY + 1), [MAX_BODY]), 413],
  ['in too many chunks', inPieces(' '.repeat(1200), Array(1200).fill(1)), 413],
  ['of invalid chunks', post('nonsense\r\n', [JSON_TYPE, CHUNKED]), 400],
  ['missing when its client leaves', ofLength('', 100), 'left'],
  ['cut off when its client leaves', ofLength('{"query":', 100), 'left'],
  ['cut off within a chunk', post('9\r\n{', [JSON_TYPE, CHUNKED]), 'left'],
  ['whole when its client leaves', ofLength(QUERY), 'left'],
  ['one of many when its client leaves', ofLength(QUERY).repeat(3), 'left'],
  ['for an address that reads none', ofLength(QUERY, QUERY.length, '/'), 405],
  ['for an unknown address', ofLength(QUERY, QUERY.length, '/nowhere'), 404],
] as const)('a body that is %s', async ([, bytes, outcome], { withSettings }) => {
  const gateway = await withSettings(limits)
  await expectNoneInFlight(gateway, bytes, outcome)
  expect(gateway.observations.filter(({ type }) => type === 'unexpected')).toEqual([])
})

test('a body that is too late', async ({ withSettings }) => {
  const hasty = await withSettings({ ...limits, REQUEST_TIMEOUT: '1000' })
  await expectNoneInFlight(hasty, ofLength('{', 100), 408)
})
