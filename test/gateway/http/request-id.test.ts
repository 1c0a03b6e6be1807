// Every answer carries the id of its request, which is the one in the log.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { exchange, requestFor } from './raw.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/
const targets = [
  '/?Event=ProfileLookup&Users=1',
  '/?Event=Nope&Format=XML',
  '/graphql?query={__typename}',
  '/graphql?query={x}',
  '/nowhere',
]

async function idOf(target: string, ...headers: readonly string[]): Promise<string | undefined> {
  return (await exchange(gateway.url, requestFor(target, ['Host: a', ...headers]))).headers['x-request-id']
}

test.each(targets)('%s: the id that the request brings along', async (target) => {
  for (const id of ['r-1', 'a', '!"#~', 'x'.repeat(128)])
    expect(await idOf(target, `X-Request-Id: ${id}`)).toBe(id)
})

test.each(targets)('%s: a new one otherwise', async (target) => {
  const ids = [
    await idOf(target),
    await idOf(target, 'X-Request-Id: '),
    await idOf(target, 'X-Request-Id: two words'),
    await idOf(target, `X-Request-Id: ${'x'.repeat(129)}`),
    await idOf(target, 'X-Request-Id: \xe9'),
    await idOf(target, 'X-Request-Id: a', 'X-Request-Id: b'),
  ]
  for (const id of ids) expect(id).toMatch(uuid)
  expect(new Set(ids).size).toBe(ids.length)
})

test.each(['/?Users=a b', 'nonsense'])('what cannot be read, too: %s', async (target) => {
  const { status, headers } = await exchange(gateway.url, requestFor(target))
  expect(status).toBe(400)
  expect(headers['x-request-id']).toMatch(uuid)
})

test('what is observed of a request has its id, and what it was about', async () => {
  await idOf('/?Event=AppLookup&Apps=1:2&Format=XML', 'X-Request-Id: look-here')
  await expect
    .poll(() => gateway.observations.find((one) => one.type === 'request' && one.requestId === 'look-here'))
    .toMatchObject({ status: 200, about: { event: 'AppLookup', format: 'XML', outcome: 'ok', values: 2 } })
})
