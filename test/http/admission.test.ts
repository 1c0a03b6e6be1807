// A request stops counting as in flight exactly once, however it ends. A miscount would last forever.

import { expect } from 'vitest'
import type { Gateway } from '../kit/gateway.ts'
import { test } from '../kit/test.ts'
import { type Conversation, exchange, inChunks, requestFor, talking } from './raw.ts'

const MOST = 32
const MAX_BODY = 2000
const limits = { MAX_IN_FLIGHT: String(MOST), MAX_BODY: String(MAX_BODY), REQUEST_TIMEOUT: '60000' }

const JSON_TYPE = 'Content-Type: application/json'
const CHUNKED = 'Transfer-Encoding: chunked'
const QUERY = '{"query":"{ users(values: [\\"1\\"]) { id } }"}'
const post = (body: string, headers: readonly string[]) =>
  `${requestFor('/graphql', ['Host: a', ...headers], 'POST')}${body}`
const ofLength = (body: string, length = body.length) => post(body, [JSON_TYPE, `Content-Length: ${length}`])
const inPieces = (text: string, sizes: readonly number[]) => post(inChunks(text, sizes), [JSON_TYPE, CHUNKED])

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
  ['announced as too long', ofLength('', MAX_BODY + 1), 413],
  ['too long in chunks', inPieces(' '.repeat(MAX_BODY + 1), [MAX_BODY]), 413],
  ['of invalid chunks', post('nonsense\r\n', [JSON_TYPE, CHUNKED]), 400],
  ['cut off when its client leaves', ofLength('{"query":', 100), 'left'],
  ['one of many when its client leaves', ofLength(QUERY).repeat(3), 'left'],
] as const)('a body that is %s', async ([, bytes, outcome], { withSettings }) => {
  const gateway = await withSettings(limits)
  await expectNoneInFlight(gateway, bytes, outcome)
  expect(gateway.observations.filter(({ type }) => type === 'unexpected')).toEqual([])
})
